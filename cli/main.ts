// The command `solana-rpc`: reads the first word and loads that command alone, so that --help costs next to nothing.
import '../process/compileCache';
import { EXIT, UsageError } from './exit';
import { productVersion } from './version';

async function main(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === '--version' || verb === '-V') {
    process.stdout.write(`${productVersion()}\n`);
    return EXIT.ok;
  }
  const [about] = rest;
  if (verb === 'help' && about !== undefined) return main([about, '--help']);
  const { commandHelp, isCommand } = await import('./options');
  if (verb === undefined || verb === '--help' || verb === '-h' || verb === 'help') {
    const { generalHelp } = await import('./help');
    (verb === undefined ? process.stderr : process.stdout).write(generalHelp());
    return verb === undefined ? EXIT.usage : EXIT.ok;
  }
  if (!isCommand(verb)) {
    const { refuseKeys, refuseKeyWords } = await import('./session/keysInArgv');
    refuseKeys(args);
    refuseKeyWords([verb]);
    throw new UsageError(`There is no command "${verb.slice(0, 40)}". See: solana-rpc --help`);
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(commandHelp(verb));
    return EXIT.ok;
  }
  switch (verb) {
    case 'run':
      return (await import('./run')).runCommand(rest);
    case 'watch':
      return (await import('./watch')).watchCommand(rest);
    case 'completion':
      return (await import('./completion')).completionCommand(rest);
    case 'check':
      return (await import('./check')).checkCommand(rest);
    case 'explain':
      return (await import('./explain')).explainCommand(rest);
    case 'replay':
      return (await import('./replay')).replayCommand(rest);
    case 'convert':
      return (await import('./convert')).convertCommand(rest);
    case 'usage':
      return (await import('./usage')).usageCommand(rest);
    case 'localnet':
      return (await import('./localnet')).localnetCommand(rest);
    case 'lsp':
      return (await import('./lsp')).lspCommand(rest);
    case 'mcp':
      return (await import('./mcp/mcp')).mcpCommand(rest);
  }
}

/** Ends only when everything written has left: a pipe may be slower than we are. */
function end(code: number): void {
  process.exitCode = code;
}

// A reader that closes its end (`… | head`, `… 2>&1 | head`) is not an error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

main(process.argv.slice(2)).then(end, async (error: unknown) => {
  const { escapeText } = await import('./terminal');
  const { faultText } = await import('./refusal');
  const text = error instanceof Error ? error.message : String(error);
  // A lazily loaded bundle has its own copy of the class, so instanceof would fail.
  const known = error instanceof Error && error.name === 'UsageError';
  process.stderr.write(known ? `${escapeText(text)}\n` : faultText(error));
  const { annotateUsage } = await import('./report/reporter');
  await annotateUsage(process.argv.slice(2), text);
  end(EXIT.usage);
});

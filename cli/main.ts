// The command `solana-rpc`: reads the first word and loads that command alone, so that --help costs next to nothing.
import '../process/compileCache';
import { EXIT, UsageError, type ExitCode } from './exit';
import type { CommandName } from './options';
import { productVersion } from './version';

/** Each loads its own command alone. */
const RUN: Readonly<Record<CommandName, (args: readonly string[]) => Promise<ExitCode>>> = {
  run: async (args) => (await import('./run')).runCommand(args),
  watch: async (args) => (await import('./watch')).watchCommand(args),
  completion: async (args) => (await import('./completion')).completionCommand(args),
  check: async (args) => (await import('./check')).checkCommand(args),
  explain: async (args) => (await import('./explain')).explainCommand(args),
  replay: async (args) => (await import('./replay')).replayCommand(args),
  convert: async (args) => (await import('./convert')).convertCommand(args),
  usage: async (args) => (await import('./usage')).usageCommand(args),
  localnet: async (args) => (await import('./localnet')).localnetCommand(args),
  lsp: async (args) => (await import('./lsp')).lspCommand(args),
  mcp: async (args) => (await import('./mcp/mcp')).mcpCommand(args),
};

async function main(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === '--version' || verb === '-V') {
    process.stdout.write(`${productVersion()}\n`);
    return EXIT.ok;
  }
  const [about] = rest;
  if (verb === 'help' && about !== undefined) return main([about, '--help']);
  const { commandHelp, generalHelp, isCommand } = await import('./options');
  if (verb === undefined || verb === '--help' || verb === '-h' || verb === 'help') {
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
  return RUN[verb](rest);
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

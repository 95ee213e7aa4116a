// dist/localnet.js: the local service as a process of its own. Prints that it is ready, then runs until it is stopped.
import { watchLifetime } from './lifetime';
import { EngineUnavailableError, openLedger } from './ledger/open';
import { helpText, readOptions, type Options } from './options';
import { readyOf, readyText } from './ready';
import { startService } from './service';
import { firstLine } from './stdin';

async function run(options: Options): Promise<void> {
  const seed = options.seedFromStdin ? await firstLine(process.stdin) : options.seed;
  const ledger = await openLedger({
    slotMs: options.slotMs,
    untilInclusive: !options.agaveUntil,
    ...(seed === undefined ? {} : { seed }),
  });
  const service = await startService(ledger, {
    port: options.port,
    grpcPort: options.grpcPort,
    plan: options.plan,
    seed,
  });
  if (options.traffic > 0) ledger.cheats.traffic(options.traffic);
  let ending = false;
  watchLifetime(options.withParent, () => {
    if (ending) return;
    ending = true;
    void service.close().then(() => {
      ledger.close();
      process.exit(0);
    });
  });
  const ready = readyOf(service, ledger.wallet, ledger.slotMs);
  const text = options.json ? `${JSON.stringify(ready)}\n` : readyText(ready, process.stdout.isTTY);
  process.stdout.write(text);
}

/** What went wrong at the start, in one sentence for people; `undefined` for a mistake of ours. */
function startFailure(error: unknown, options: Options): string | undefined {
  if (error instanceof EngineUnavailableError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const port = error instanceof Error && 'port' in error ? Number(error.port) : options.port;
  const option = port === options.port ? '--port' : '--grpc-port';
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another, or leave ${option} out for any free one.`;
  if (code === 'EACCES') return `Port ${port} may not be used here. Choose one above 1023.`;
  return undefined;
}

const read = readOptions(process.argv.slice(2));
if (!read.ok) {
  process.stderr.write(`${read.message}\nSee --help.\n`);
  process.exitCode = 1;
} else if (read.options.help) {
  process.stdout.write(helpText());
} else {
  run(read.options).catch((error: unknown) => {
    const known = startFailure(error, read.options);
    const text = known ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}

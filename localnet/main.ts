// dist/localnet.js: the local service as a process of its own. Prints that it is ready, then runs until it is stopped.
import { readClone } from './clone';
import { watchLifetime } from './lifetime';
import { EngineUnavailableError, LedgerInputError, openLedger } from './ledger/open';
import { helpText, readOptions, type Options } from './options';
import { readyOf, readyText } from './ready';
import { startService } from './service';
import { StateFileError } from './state/error';
import { StateKeeper } from './state/keeper';
import { firstLine } from './stdin';

async function run(options: Options): Promise<void> {
  const given = options.seedFromStdin ? await firstLine(process.stdin) : options.seed;
  const accounts = options.clone === undefined ? [] : readClone(options.clone);
  const state = options.state === undefined ? undefined : new StateKeeper(options.state, given, endWith);
  const seed = state?.origin.seed ?? given;
  const ledger = await openLedger({
    slotMs: options.slotMs,
    finalityLag: options.finalityLag,
    untilInclusive: !options.agaveUntil,
    scanMs: options.scanMs,
    accounts,
    paused: true,
    ...(seed === undefined ? {} : { seed }),
    ...(state === undefined ? {} : { journal: state.journal }),
    ...(state?.saved === undefined ? {} : { saved: state.saved }),
  });
  const service = await startService(ledger, {
    port: options.port,
    grpcPort: options.grpcPort,
    plan: options.plan,
    seed,
    ...(state === undefined ? {} : { state }),
  });
  ledger.cheats.resumeClock();
  if (options.traffic > 0) ledger.cheats.traffic(options.traffic);
  let ending = false;
  watchLifetime(options.withParent, () => {
    if (ending) return;
    ending = true;
    void service
      .close()
      .then(() => ledger.close())
      .then(() => state?.close())
      .then(() => process.exit(0));
  });
  const ready = readyOf(service, ledger.wallet, ledger.slotMs);
  const text = options.json ? `${JSON.stringify(ready)}\n` : readyText(ready, process.stdout.isTTY);
  process.stdout.write(text);
}

/** The end of a service that cannot keep its promises any more. */
function endWith(error: StateFileError): void {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** What went wrong at the start, in one sentence for people; `undefined` for a mistake of ours. */
function startFailure(error: unknown, options: Options): string | undefined {
  const told = [EngineUnavailableError, LedgerInputError, StateFileError];
  if (told.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
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

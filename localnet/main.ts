// dist/localnet.js: the local service as a separate process. Prints that it is ready, then runs until it is stopped.
import { createInterface } from 'node:readline';
import { programsLast, readAccountsFile, type FileAccount } from './accountsFile';
import { chainOf, chainOfSource, releaseLine, requireKept } from './chain';
import type { Ledger } from './ledger/ledger';
import { EngineUnavailableError, LedgerInputError, openLedger, versionOf, type LedgerOptions } from './node/open';
import { NO_SEED } from '../process/localnetOptions/rows';
import { endWithParent, firstLine } from '../process/parent';
import { probePort } from './http/listen';
import { readAccountFiles, readProgramFiles } from './open/files';
import { LedgerFolder } from './open/folder';
import { serveFaucet } from './open/faucet';
import { takeOpenPorts } from './open/serve';
import { startLog, startText, walletOfTools } from './open/validator';
import { logText } from './files';
import { helpText, readOptions } from './options';
import type { Options } from './optionTypes';
import { readyOf } from './ready';
import { startService } from './service';
import { SourceChannel, SourceError } from './source/channel';
import { fetchClones } from './source/clone';
import { slotOfSource } from './source/slot';
import { StateFileError } from './state/error';
import { freshSeed, StateKeeper } from './state/keeper';
import { VERSION } from './version';

async function run(options: Options): Promise<void> {
  const givenSeed = options.seedStdin ? await firstLine(process.stdin) : options.seed;
  if (givenSeed === '') throw new LedgerInputError(NO_SEED);
  // Mistakes in files and ports show before anything is started, and accounts that the engine refuses before anything of an
  // earlier run is discarded.
  const source = sourceOf(options);
  const given = givenAccounts(options);
  const genesis = genesisOf(options);
  const openPorts = options.open ? await takeOpenPorts(options.rpcPort, options.bindAddress) : undefined;
  for (const port of [options.port, options.grpcPort]) await probePort(port);
  const folder = options.ledger === undefined ? undefined : new LedgerFolder(options.ledger, options.reset);
  const faucetSeed = folder?.faucetSeed();
  const file = options.state ?? folder?.state;
  const state =
    file === undefined
      ? undefined
      : new StateKeeper(file, { seed: givenSeed, isReset: options.reset, isTrusted: options.trustState }, endWith);
  if (state?.chain !== undefined) requireKept(options, state.chain, file ?? '');
  if (state?.hasNewKeys === true) process.stderr.write(`${file} ${FROM_ELSEWHERE}\n`);
  const seed = state?.origin.seed ?? givenSeed;
  // A ledger that was kept has them already.
  const begins = state?.saved === undefined;
  const fetched = source === undefined || !begins ? [] : await fetchClones(options.clones, source);
  const shown = source === undefined || !options.fork || !begins ? undefined : await chainOfSource(source, options);
  const chain = chainOf(options, { kept: state?.chain, shown });
  const { finalityLag } = chain;
  const warped = typeof options.warpSlot === 'number' ? options.warpSlot + finalityLag : undefined;
  const ofSource = source === undefined ? undefined : await slotOfSource({ ...options, finalityLag }, source, begins);
  const startSlot = ofSource ?? warped;
  const ledger = await openLedger({
    ...genesis,
    ...chain,
    votes: options.votes ?? (options.open && !options.instant && chain.consensus === 'tower'),
    accounts: programsLast(given),
    fetched,
    ...(startSlot === undefined ? {} : { startSlot }),
    ...(source === undefined || !options.fork ? {} : { fork: source }),
    paused: true,
    ...(faucetSeed === undefined ? {} : { faucetSeed }),
    ...(seed === undefined ? {} : { seed }),
    // Another ledger has other hashes, even of the same seed: clients take it for the one before otherwise.
    hashSeed: state === undefined ? freshSeed() : state.origin.hashSeed,
    ...(state === undefined ? {} : { journal: state.journal }),
    ...(state?.saved === undefined ? {} : { saved: state.saved }),
  });
  state?.madeAs(ledger.chain);
  for (const feature of ledger.unknownFeatures)
    process.stderr.write(`--deactivate-feature ${feature} changes nothing: the engine does not know this feature.\n`);
  const service = await startService(ledger, {
    port: options.port,
    grpcPort: options.grpcPort,
    grpcCompression: options.grpcCompression,
    plan: options.plan,
    seed: state?.origin.keySeed ?? seed,
    ...(openPorts === undefined ? {} : { openPorts }),
    ...(source === undefined ? {} : { source }),
    ...(state === undefined ? {} : { state }),
  });
  const closeFaucet = options.faucetPort === undefined ? undefined : await serveFaucet(ledger, options.faucetPort);
  const rpcPort = options.open ? options.rpcPort : service.port;
  folder?.begin(ledger, `solana-rpc localnet ${VERSION}`, ...(await startLog(ledger, rpcPort)));
  if (!options.paused) ledger.cheats.resumeClock();
  if (options.traffic > 0) ledger.cheats.traffic(options.traffic);
  let ending = false;
  watchLifetime(options.withParent, () => {
    if (ending) return;
    ending = true;
    void service
      .close()
      .then(() => closeFaucet?.())
      .then(() => ledger.close())
      .then(() => state?.close())
      .then(() => folder?.close())
      .then(() => process.exit(0));
  });
  const validatorText = options.validator
    ? startText(ledger, { ledger: options.ledger ?? '', rpcPort: options.rpcPort })
    : undefined;
  const ready = readyOf(service, ledger, { openPort: options.open ? options.rpcPort : undefined, validatorText });
  if (options.json && options.withParent) answerParent(ledger);
  if (options.json) process.stdout.write(`${JSON.stringify(ready)}\n`);
  else if (validatorText !== undefined && !options.quiet) process.stdout.write(validatorText);
  else if (!options.quiet) process.stdout.write(`Ready at ${ready.rpcUrl}; --json prints the keys.\n`);
}

const FROM_ELSEWHERE =
  'was not written by you on this machine: its ledger is kept, its keys are replaced. --trust-state keeps them.';

/**
 * Calls `end` when the process should stop, perhaps more than once: a second signal must not cut the first's work off.
 * `withParent` watches stdin and the parent; an IPC channel always counts. A service that a person started outlives its
 * terminal.
 */
function watchLifetime(withParent: boolean, end: () => void): void {
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  if (process.connected) process.once('disconnect', end);
  if (withParent) endWithParent(end);
}

/**
 * Answers the process that started this one: a line `slot` on stdin gives a line `{"slot":N}` on stdout, on a fork with
 * `"fetched":N` added, the number of accounts fetched from its source. A parent that shows the ledger's progress so needs
 * no socket and no key, and its questions do not count as usage.
 */
function answerParent({ events, fork }: Ledger): void {
  let newest: number | null = null;
  events.on((event) => {
    if (event.kind === 'slot' && event.status === 'processed') newest = event.slot;
  });
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line.trim() === 'slot') process.stdout.write(`${JSON.stringify({ slot: newest, fetched: fork?.fetched })}\n`);
  });
}

/** The channel to the endpoint to read from; `undefined` if nothing is read. Throws SourceError. */
function sourceOf({ clones, fork, source, warpSlot }: Options): SourceChannel | undefined {
  const isRead = fork || clones.length > 0 || warpSlot === 'source';
  return isRead && source !== undefined ? new SourceChannel(source, process) : undefined;
}

/** Throws StateFileError for a file that is not what it should be. */
function givenAccounts(options: Options): readonly FileAccount[] {
  const { accountsFile } = options;
  return [...(accountsFile === undefined ? [] : readAccountsFile(accountsFile)), ...readAccountFiles(options)];
}

/** The options of the ledger and its first accounts. Throws StateFileError for an invalid file. */
function genesisOf(options: Options): LedgerOptions {
  const { slotsPerEpoch, faucetLamports, featureSet, rpcPort } = options;
  const mint =
    options.mint ?? (options.validator || options.config !== undefined ? walletOfTools(options.config) : undefined);
  return {
    untilInclusive: !options.agaveUntil && !options.open,
    listEncoding: options.open ? 'binary' : 'base64',
    scanMs: options.scanMs,
    ...(options.agave === undefined ? {} : { agave: options.agave }),
    instant: options.instant,
    features: { ...(featureSet !== undefined && { set: featureSet }), off: options.inactiveFeatures },
    limits: { computeUnits: options.computeUnitLimit, logBytes: options.logBytes },
    programs: readProgramFiles(options),
    ...(mint === undefined ? {} : { mint }),
    ...(slotsPerEpoch === undefined ? {} : { slotsPerEpoch }),
    ...(options.unixTime === undefined ? {} : { now: clockFrom(options.unixTime) }),
    ...(faucetLamports === undefined ? {} : { faucetLamports }),
    ...(options.open ? { gates: { rpc: `127.0.0.1:${rpcPort}`, pubsub: `127.0.0.1:${rpcPort + 1}` } } : {}),
  };
}

/** Milliseconds since the epoch on a clock that begins at a Unix time, in seconds, when it is first read. */
function clockFrom(unixTime: number): () => number {
  let began: number | undefined;
  return () => {
    const now = Date.now();
    began ??= now;
    return unixTime * 1000 + now - began;
  };
}

/** The end of a service that cannot keep its promises any more. */
function endWith(error: StateFileError): void {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** Why the start failed, in one sentence for people; `undefined` for an unexpected exception. */
function startFailure(error: unknown, options: Options): string | undefined {
  const told = [EngineUnavailableError, LedgerInputError, SourceError, StateFileError];
  if (told.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const port = error instanceof Error && 'port' in error ? Number(error.port) : options.port;
  const { rpcPort } = options;
  const isOpen = options.open && (port === rpcPort || port === rpcPort + 1);
  const option = port === options.port ? '--port' : port === options.faucetPort ? '--faucet-port' : '--grpc-port';
  if (code === 'EADDRINUSE')
    return isOpen
      ? `Port ${port} is in use, and --open needs ${rpcPort} and ${rpcPort + 1}. Choose another pair with --rpc-port.`
      : `Port ${port} is in use. Choose another, or leave ${option} out for any free one.`;
  if (code === 'EACCES') return `Port ${port} may not be used here. Choose one above 1023.`;
  return undefined;
}

/** Notices to show before the start, even with --quiet. */
function noticesOf({ notices, bindAddress, rpcPort }: Options): readonly string[] {
  if (bindAddress === '127.0.0.1') return notices;
  const open = `Ports ${rpcPort} and ${rpcPort + 1} are open, without keys, to every machine that reaches this one; the rest stays on 127.0.0.1.`;
  return [...notices, open];
}

/** The exit code on a machine without the engine, unlike that of other failed starts: trying again cannot help. */
const NO_ENGINE = 69;

const read = readOptions(process.argv.slice(2));
if (!read.ok) {
  process.stderr.write(`${logText(read.message)}\nSee --help.\n`);
  process.exitCode = 1;
} else if (read.options.version) {
  process.stdout.write(
    `solana-test-validator ${versionOf(releaseLine(read.options))} (solana-rpc-workbench ${VERSION})\n`,
  );
} else if (read.options.help) {
  process.stdout.write(helpText());
} else {
  for (const notice of noticesOf(read.options)) process.stderr.write(`${logText(notice)}\n`);
  run(read.options).catch((error: unknown) => {
    const known = startFailure(error, read.options);
    const text = known ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.stderr.write(`${known === undefined ? text : logText(text)}\n`);
    process.exit(error instanceof EngineUnavailableError ? NO_ENGINE : 1);
  });
}

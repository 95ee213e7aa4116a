// `solana-rpc watch`: an account, a transaction or a stream of a file as it goes, line by line, until Ctrl+C.
import { LEVELS, landingText } from '../core/requests/run/landing';
import { wireTransaction } from '../core/solana/wire/transactionText';
import { MAX_TRANSACTION } from '../core/requests/tools/limits';
import { encodeBase58 } from '../core/solana/encoding/base58';
import { isPublicKey, isSignature } from '../core/solana/chain/keys';
import { durableNonceOf } from '../core/solana/wire/nonce';
import { decodeTransaction } from '../core/solana/wire/transaction';
import { printJson, type JsonValue } from '../core/solana/json/json';
import { watchLanding, type Watching } from '../runner/landing';
import { run, type RunInput } from '../runner/run';
import { Bodies } from './session/bodies';
import { EXIT, UsageError, type ExitCode } from './exit';
import { loadFiles } from './session/files';
import { givenFiles, STANDARD_INPUT } from './session/given';
import { requireNames } from './session/names';
import { interruptible, unlessInterrupted } from './interrupt';
import { countOption, readArguments } from './options';
import { printProblems } from './run';
import { withSession, type Session } from './session/session';
import { onReaderGone } from './reader';
import type { RefusedRequest } from './refusal';
import { escapeLine, jsonFor } from './terminal';
import type { Landing } from '../core/requests/run/model';
import type { RunProgress } from '../runner/ports';
import type { WatchedStreams } from './watch/following';

const USAGE =
  'What is to be watched? An address, a signature, FILE#NAME, or - for a transaction on standard input. See: solana-rpc watch --help';

export async function watchCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('watch', args);
  const [wanted, ...more] = given.words;
  if (wanted === undefined || more.length > 0) throw new UsageError(USAGE);
  const isGiven = wanted === STANDARD_INPUT;
  if (isGiven && given.flag('key-stdin'))
    throw new UsageError('Standard input holds either the transaction (-) or the keys (--key-stdin), not both.');
  const transaction = isGiven ? await givenTransaction() : undefined;
  const isPlain = given.flag('json') || !process.stdout.isTTY;
  const most = given.text('count') === undefined ? Infinity : countOption(given, 'count', 1);
  let onProgress: (event: RunProgress) => void = () => undefined;
  const bodies = new Bodies();
  return interruptible((interrupted) => {
    const enough = new AbortController();
    const signal = AbortSignal.any([interrupted, enough.signal]);
    // Standard output was closed (`… | head`): nothing is left to do.
    const stopWatching = onReaderGone(process.stdout, () => enough.abort());
    const options = { bodies, signal, onProgress: (event: RunProgress) => onProgress(event) };
    const watching = withSession(given, options, async (session) => {
      if (transaction !== undefined) return watchTransaction(transaction, session, isPlain, signal);
      if (isSignature(wanted)) return watchTransaction({ signature: wanted, isUnread: true }, session, isPlain, signal);
      const { createFollowing } = await import('./watch/following');
      const following = createFollowing(session, { isPlain, most, onEnough: () => enough.abort() });
      const hash = wanted.lastIndexOf('#');
      if (hash <= 0) return watchAccount(wanted, given.flag('grpc'), following, signal);
      onProgress = (event) => following.take(event);
      const place = { file: wanted.slice(0, hash), name: wanted.slice(hash + 1) };
      return watchNamed(place, session, following, signal);
    });
    return unlessInterrupted<ExitCode>(signal, watching, () => EXIT.ok).finally(stopWatching);
  }).finally(() => bodies.remove());
}

const line = (text: string): void => void process.stdout.write(`${text}\n`);

async function watchAccount(
  address: string,
  isGrpc: boolean,
  following: WatchedStreams,
  signal: AbortSignal,
): Promise<ExitCode> {
  if (!isPublicKey(address)) throw new UsageError(`"${escapeLine(address, 100)}" is not an address. ${USAGE}`);
  const opened = await following.account(address, isGrpc, signal);
  const error = opened.ok ? await opened.value.ended() : opened.error;
  following.end();
  return error === undefined || isOwnEnd(error, signal) ? EXIT.ok : printError(error, '');
}

/** A stream of a file, with what it needs before; or a request with one answer, which is shown. */
async function watchNamed(
  { file, name }: { readonly file: string; readonly name: string },
  { ports, input }: Session,
  following: WatchedStreams,
  signal: AbortSignal,
): Promise<ExitCode> {
  if (name === '') throw new UsageError(USAGE);
  const loaded = await loadFiles([{ name: file }], process.cwd());
  const selection = { kind: 'named', names: [name], tags: [] } as const;
  const whole: RunInput = { ...input, ...loaded, selection, defaultUntil: undefined, bail: false };
  const found = await run(whole, { ...ports, ...following.portFor(name, loaded.files, ports.stream) }, signal);
  following.end();
  const outcome = requireNames(found, loaded.files);
  if (outcome.kind === 'invalid') {
    printProblems(outcome.problems);
    return EXIT.invalid;
  }
  let code: ExitCode = EXIT.ok;
  for (const { error, file: at, line: row } of outcome.report.requests)
    if (error !== undefined && !isOwnEnd(error, signal)) code = printError(error, `${escapeLine(at)}:${row}  `);
  return code;
}

/** Ctrl+C is how a watch ends, and so is a reader that went away. */
const isOwnEnd = ({ kind }: RefusedRequest, signal: AbortSignal): boolean => kind === 'cancelled' && signal.aborted;

function printError(error: RefusedRequest, place: string): ExitCode {
  const next = error.hint === undefined ? '' : `\n  next: ${escapeLine(error.hint)}`;
  process.stderr.write(`${place}${error.kind}: ${escapeLine(error.message)}${next}\n`);
  return EXIT.request;
}

type Followed = Pick<Watching, 'signature' | 'nonce' | 'isUnread'>;

/** The signed transaction on standard input, in base64 or base58. Throws UsageError if there is no transaction. */
async function givenTransaction(): Promise<Followed> {
  const [{ text = '' } = {}] = await givenFiles([STANDARD_INPUT], process.stdin);
  const wire = text.length > MAX_TRANSACTION ? 'It is too long.' : wireTransaction(text);
  const read = typeof wire === 'string' ? { ok: false as const, reason: wire } : decodeTransaction(wire.bytes);
  if (!read.ok) throw new UsageError(`Standard input holds no transaction. ${read.reason}`);
  const [signature] = read.value.signatures;
  if (signature === undefined || signature.every((byte) => byte === 0))
    throw new UsageError('The transaction has no signature of its fee payer, so no ledger can hold it yet.');
  return { signature: encodeBase58(signature), nonce: durableNonceOf(read.value.message) };
}

async function watchTransaction(
  followed: Followed,
  { ports, input }: Session,
  isPlain: boolean,
  signal: AbortSignal,
): Promise<ExitCode> {
  const show = (landing: Landing): void =>
    line(isPlain ? jsonFor(process.stdout, printJson(landingJson(landing))) : escapeLine(landingText(landing)));
  const request = { timeoutMs: input.defaultTimeoutMs };
  const { landing, error } = await watchLanding({
    ...followed,
    request,
    inHistory: true,
    lastValidBlockHeight: undefined,
    ports,
    signal,
    onChange: show,
  });
  if (LEVELS.every((level) => level !== landing.level)) show(landing);
  if (error !== undefined) printError(error.kind === 'ambiguous' ? { ...error, hint: READ_IT } : error, '');
  return landing.level === 'sent' || landing.level === 'expired' ? EXIT.request : EXIT.ok;
}

const READ_IT =
  'Where you have the transaction, solana-rpc watch - reads it from standard input and follows its nonce.';

const landingJson = (landing: Landing): JsonValue => ({ ...landing, times: { ...landing.times } });

// Joins a transaction's instructions with its logs: what each call logged, used, returned, and how it failed. Both list the
// calls in the order in which they began; where they differ, or the logs were cut, the instructions are what counts.
import type { DecodedInstruction, DecodedTransaction, LogNode } from '../decode/decoded';
import { encodeBase64 } from '../encoding/base64';
import type { CallUnits, ExplainedCall } from './explanation';
import { PRECOMPILES } from '../chain/addresses';
import { BUILTIN_UNITS, heapUnits, OUT_OF_UNITS } from './units';

type LogCall = Extract<LogNode, { kind: 'call' }>;
type LogCut = Extract<LogNode, { kind: 'truncated' }>;

/** `heap`: bytes that the transaction asked for. */
export function callsOf(transaction: DecodedTransaction, heap = 0n): readonly ExplainedCall[] {
  const { instructions, logs } = transaction;
  const logged = logs.filter(isCall);
  const cut = logs.find(isCut);
  const joining = { heap: heapUnits(heap), isInnerUnknown: transaction.isInnerUnknown === true };
  let next = 0;
  return instructions.map((instruction, index) => {
    const log = logged[next];
    if (log?.program === instruction.program) {
      next++;
      return joined(joining, instruction, log);
    }
    const call = explained(joining, instruction, { path: instruction.path, log: undefined, cut });
    if (isSkipped(transaction, index)) return { ...call, isSkipped: true };
    return PRECOMPILES.has(instruction.program) && hasRun(transaction, index) ? { ...call, units: NO_UNITS } : call;
  });
}

const NO_UNITS: CallUnits = { total: 0n, own: 0n };

/** Its payer could not pay: it is in its block and did not run (SIMD-0290). */
export const isUnpaid = ({ error, fee, logs }: DecodedTransaction): boolean =>
  error !== undefined && error.instruction === undefined && fee === 0n && logs.length === 0;

/** Instructions after the one that failed do not run. */
const isSkipped = (transaction: DecodedTransaction, index: number): boolean =>
  index > (transaction.error?.instruction ?? index) || isUnpaid(transaction);

const hasRun = ({ hasRun: isKnown, error }: DecodedTransaction, index: number): boolean =>
  isKnown && (error === undefined || (error.instruction !== undefined && index < error.instruction));

/** The path of the innermost call that failed. */
export function failedCallPath(calls: readonly ExplainedCall[]): readonly number[] | undefined {
  const failed = calls.find(({ failure }) => failure !== undefined);
  return failed === undefined ? undefined : (failedCallPath(failed.calls) ?? failed.path);
}

/** Callers before the calls they made. */
export const callsInOrder = (calls: readonly ExplainedCall[]): readonly ExplainedCall[] =>
  calls.flatMap((call) => [call, ...callsInOrder(call.calls)]);

export const callAt = (
  calls: readonly ExplainedCall[],
  [first = -1, ...rest]: readonly number[],
): ExplainedCall | undefined => (rest.length === 0 ? calls[first] : callAt(calls[first]?.calls ?? [], rest));

/** Shared state of all joins of a transaction. */
interface Joining {
  /** Compute units that each deployed program costs for the heap. */
  readonly heap: bigint;
  /** Nobody said which calls the instructions made: those of the log are taken. */
  readonly isInnerUnknown: boolean;
}

/** An outer instruction with its log: the log's nesting holds, since some nodes list inner instructions without one. */
function joined(joining: Joining, instruction: DecodedInstruction, log: LogCall): ExplainedCall {
  if (joining.isInnerUnknown) return loggedAlone(joining, instruction, log);
  const inner = inOrder(instruction.inner);
  const reading = { ...joining, inner, next: 0, isOff: false };
  const calls = readCalls(reading, log, instruction.path);
  if (!reading.isOff && reading.next === inner.length)
    return withCalls(explained(joining, instruction, { path: instruction.path, log }), calls);
  return nestedAsGiven(joining, instruction, log);
}

/** With the calls of the log, of which the program is known and nothing else. */
function loggedAlone(joining: Joining, instruction: DecodedInstruction, log: LogCall): ExplainedCall {
  const { path } = instruction;
  const calls = log.children.filter(isCall).map((child, place) => {
    const { program, programName } = child;
    const named = { program, ...(programName !== undefined && { programName }) };
    return loggedAlone(joining, { path: [...path, place], ...named, fields: [], accounts: [], inner: [] }, child);
  });
  return withCalls(explained(joining, instruction, { path, log }), calls);
}

/** Inner instructions while a log is read along with them. */
interface Reading extends Joining {
  readonly inner: readonly DecodedInstruction[];
  /** The first that has no log yet. */
  next: number;
  /** A log was read that is not the next instruction's. */
  isOff: boolean;
}

function readCalls(reading: Reading, log: LogCall, path: readonly number[]): readonly ExplainedCall[] {
  return log.children.filter(isCall).flatMap((child, place) => {
    const instruction = reading.inner[reading.next];
    if (reading.isOff || instruction?.program !== child.program) {
      reading.isOff = true;
      return [];
    }
    reading.next++;
    const at = [...path, place];
    const call = explained(reading, instruction, { path: at, log: child });
    return [withCalls(call, readCalls(reading, child, at))];
  });
}

/** By the instructions' own nesting, with logs as long as they agree. */
function nestedAsGiven(joining: Joining, instruction: DecodedInstruction, log: LogCall | undefined): ExplainedCall {
  const children = log?.children.filter(isCall) ?? [];
  let agrees = true;
  const calls = instruction.inner.map((inner, place) => {
    const child = children[place];
    agrees = agrees && child?.program === inner.program;
    return nestedAsGiven(joining, inner, agrees ? child : undefined);
  });
  return withCalls(explained(joining, instruction, { path: instruction.path, log }), calls);
}

interface Logged {
  readonly path: readonly number[];
  readonly log: LogCall | undefined;
  /** Of the whole log, where this call has none because of it. */
  readonly cut?: LogCut | undefined;
}

function explained(joining: Joining, instruction: DecodedInstruction, { path, log, cut }: Logged): ExplainedCall {
  const { inner, ...what } = instruction;
  const own = log?.children ?? [];
  const returned = own.find((node) => node.kind === 'returned');
  const units = log === undefined ? undefined : unitsOf(joining, log);
  const end = own.find(isCut) ?? cut;
  return {
    ...what,
    path,
    ...(units !== undefined && { units }),
    logs: own.flatMap(lineOf),
    events: own.flatMap((node) => (node.kind === 'data' && node.event !== undefined ? [node.event] : [])),
    ...(returned !== undefined && { returned: returned.data }),
    ...(log?.failure !== undefined && { failure: log.failure }),
    ...(end !== undefined && { isCut: true }),
    ...(end?.unread !== undefined && { unreadLines: end.unread }),
    calls: log === undefined ? inner.map((call) => nestedAsGiven(joining, call, undefined)) : [],
  };
}

/** A line of a call's own; data is one where no IDL reads it as an event. */
function lineOf(node: LogNode): readonly string[] {
  if (node.kind === 'line') return [node.text];
  return node.kind === 'data' && node.event === undefined ? [`data: ${node.chunks.map(encodeBase64).join(' ')}`] : [];
}

/** A caller's log repeats what the last of its calls returned, unless the caller returned something itself. */
function withCalls({ returned, ...call }: ExplainedCall, calls: readonly ExplainedCall[]): ExplainedCall {
  const last = calls.findLast((inner) => lastReturned(inner) !== undefined);
  const inherited = last === undefined ? undefined : lastReturned(last);
  const isOwn = returned !== undefined && !(inherited !== undefined && isSame(inherited, returned));
  return { ...call, ...(isOwn && { returned }), calls };
}

const lastReturned = ({ returned, calls }: ExplainedCall): Uint8Array | undefined =>
  returned ?? calls.map(lastReturned).findLast((data) => data !== undefined);

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/** Programs of the runtime log no units: what one of their instructions costs is fixed. */
function unitsOf(joining: Joining, log: LogCall): CallUnits | undefined {
  const inner = log.children.filter(isCall).map((child) => unitsOf(joining, child)?.total);
  const calls = inner.every((units) => units !== undefined) ? inner.reduce((sum, units) => sum + units, 0n) : undefined;
  const { unitsConsumed: consumed } = log;
  if (consumed !== undefined) {
    const total = consumed + joining.heap;
    return calls === undefined || calls > total ? { total } : { total, own: total - calls };
  }
  const own = log.failure === OUT_OF_UNITS ? undefined : BUILTIN_UNITS.get(log.program);
  return own === undefined || calls === undefined || log.outcome === 'unfinished'
    ? undefined
    : { total: own + calls, own };
}

const inOrder = (instructions: readonly DecodedInstruction[]): readonly DecodedInstruction[] =>
  instructions.flatMap((instruction) => [instruction, ...inOrder(instruction.inner)]);

const isCut = (node: LogNode): node is LogCut => node.kind === 'truncated';
const isCall = (node: LogNode): node is LogCall => node.kind === 'call';

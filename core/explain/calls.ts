// Joins a transaction's instructions with its logs: what each call logged, used, returned, and how it failed. Both list the
// calls in the order in which they began; where they differ, or the logs were cut, the instructions are what counts.
import type { DecodedInstruction, DecodedTransaction, LogNode } from '../values/decode/decoded';
import type { CallUnits, ExplainedCall } from './explanation';
import { BUILTIN_UNITS, heapUnits, OUT_OF_UNITS, PRECOMPILES } from './units';

type LogCall = Extract<LogNode, { kind: 'call' }>;

/** `heap`: bytes that the transaction asked for. */
export function callsOf(transaction: DecodedTransaction, heap = 0n): readonly ExplainedCall[] {
  const { instructions, logs } = transaction;
  const logged = logs.filter(isCall);
  const isCut = logs.some(({ kind }) => kind === 'truncated');
  const joining = { heap: heapUnits(heap) };
  let next = 0;
  return instructions.map((instruction, index) => {
    const log = logged[next];
    if (log?.program === instruction.program) {
      next++;
      return joined(joining, instruction, log);
    }
    const call = explained(joining, instruction, { path: instruction.path, log: undefined, isCut });
    return PRECOMPILES.has(instruction.program) && hasRun(transaction, index) ? { ...call, units: NO_UNITS } : call;
  });
}

const NO_UNITS: CallUnits = { total: 0n, own: 0n };

/** Instructions after the one that failed do not run. */
const hasRun = ({ hasRun: isKnown, error }: DecodedTransaction, index: number): boolean =>
  isKnown && (error === undefined || (error.instruction !== undefined && index < error.instruction));

/** The path of the innermost call that failed. */
export function failedCall(calls: readonly ExplainedCall[]): readonly number[] | undefined {
  const failed = calls.find(({ failure }) => failure !== undefined);
  return failed === undefined ? undefined : (failedCall(failed.calls) ?? failed.path);
}

/** What every join of a transaction needs. */
interface Joining {
  /** Compute units that each deployed program costs for the heap. */
  readonly heap: bigint;
}

/** An outer instruction with its log: the log's nesting holds, since some nodes list inner instructions without one. */
function joined(joining: Joining, instruction: DecodedInstruction, log: LogCall): ExplainedCall {
  const inner = inOrder(instruction.inner);
  const reading = { ...joining, inner, next: 0, isOff: false };
  const calls = readCalls(reading, log, instruction.path);
  if (!reading.isOff && reading.next === inner.length)
    return withCalls(explained(joining, instruction, { path: instruction.path, log, isCut: false }), calls);
  return nestedAsGiven(joining, instruction, log);
}

/** Inner instructions while a log is read beside them. */
interface Reading extends Joining {
  readonly inner: readonly DecodedInstruction[];
  /** The first that has no log yet. */
  next: number;
  /** A log that is none of the next instruction's came. */
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
    const call = explained(reading, instruction, { path: at, log: child, isCut: false });
    return [withCalls(call, readCalls(reading, child, at))];
  });
}

/** By the instructions' own nesting, with logs as long as they agree. */
function nestedAsGiven(joining: Joining, instruction: DecodedInstruction, log: LogCall | undefined): ExplainedCall {
  const children = log?.children.filter(isCall) ?? [];
  const isCut = log?.children.some(({ kind }) => kind === 'truncated') === true;
  let agrees = true;
  const calls = instruction.inner.map((inner, place) => {
    const child = children[place];
    agrees = agrees && child?.program === inner.program;
    return nestedAsGiven(joining, inner, agrees ? child : undefined);
  });
  return withCalls(explained(joining, instruction, { path: instruction.path, log, isCut }), calls);
}

interface Logged {
  readonly path: readonly number[];
  readonly log: LogCall | undefined;
  readonly isCut: boolean;
}

function explained(joining: Joining, instruction: DecodedInstruction, { path, log, isCut }: Logged): ExplainedCall {
  const { inner, ...what } = instruction;
  const own = log?.children ?? [];
  const returned = own.find((node) => node.kind === 'returned');
  const units = log === undefined ? undefined : unitsOf(joining, log);
  const wasCut = isCut || own.some(({ kind }) => kind === 'truncated');
  return {
    ...what,
    path,
    ...(units !== undefined && { units }),
    logs: own.flatMap((node) => (node.kind === 'line' ? [node.text] : [])),
    events: own.flatMap((node) => (node.kind === 'data' && node.event !== undefined ? [node.event] : [])),
    ...(returned !== undefined && { returned: returned.data }),
    ...(log?.failure !== undefined && { failure: log.failure }),
    ...(wasCut && { isCut: true }),
    calls: log === undefined ? inner.map((call) => nestedAsGiven(joining, call, undefined)) : [],
  };
}

/** A caller's log repeats what the last of its calls returned, unless it returned something of its own. */
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
    return calls === undefined ? { total } : { total, own: total - calls };
  }
  const own = log.failure === OUT_OF_UNITS ? undefined : BUILTIN_UNITS.get(log.program);
  return own === undefined || calls === undefined || log.outcome === 'unfinished'
    ? undefined
    : { total: own + calls, own };
}

const inOrder = (instructions: readonly DecodedInstruction[]): readonly DecodedInstruction[] =>
  instructions.flatMap((instruction) => [instruction, ...inOrder(instruction.inner)]);

const isCall = (node: LogNode): node is LogCall => node.kind === 'call';

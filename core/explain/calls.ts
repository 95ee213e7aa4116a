// Joins a transaction's instructions with its logs: what each call logged, used, returned, and how it failed. Both list the
// calls in the order in which they began; where they differ, or the logs were cut, the instructions are what counts.
import type { DecodedInstruction, LogNode } from '../values/decode/decoded';
import type { ExplainedCall } from './explanation';

type LogCall = Extract<LogNode, { kind: 'call' }>;

export function callsOf(
  instructions: readonly DecodedInstruction[],
  logs: readonly LogNode[],
): readonly ExplainedCall[] {
  const logged = logs.filter(isCall);
  const isCut = logs.some(({ kind }) => kind === 'truncated');
  let next = 0;
  return instructions.map((instruction) => {
    const log = logged[next];
    // Precompiles log nothing.
    if (log?.program !== instruction.program) return explained(instruction, instruction.path, undefined, isCut);
    next++;
    return joined(instruction, log);
  });
}

/** The path of the innermost call that failed. */
export function failedCall(calls: readonly ExplainedCall[]): readonly number[] | undefined {
  const failed = calls.find(({ failure }) => failure !== undefined);
  return failed === undefined ? undefined : (failedCall(failed.calls) ?? failed.path);
}

/** An outer instruction with its log: the log's nesting holds, since some nodes list inner instructions without one. */
function joined(instruction: DecodedInstruction, log: LogCall): ExplainedCall {
  const inner = inOrder(instruction.inner);
  const reading = { inner, next: 0, isOff: false };
  const calls = readCalls(reading, log, instruction.path);
  if (!reading.isOff && reading.next === inner.length)
    return { ...explained(instruction, instruction.path, log, false), calls };
  return nestedAsGiven(instruction, log);
}

/** Inner instructions while a log is read beside them. */
interface Reading {
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
    return [{ ...explained(instruction, at, child, false), calls: readCalls(reading, child, at) }];
  });
}

/** By the instructions' own nesting, with logs as long as they agree. */
function nestedAsGiven(instruction: DecodedInstruction, log: LogCall | undefined): ExplainedCall {
  const children = log?.children.filter(isCall) ?? [];
  const isCut = log?.children.some(({ kind }) => kind === 'truncated') === true;
  let agrees = true;
  const calls = instruction.inner.map((inner, place) => {
    const child = children[place];
    agrees = agrees && child?.program === inner.program;
    return nestedAsGiven(inner, agrees ? child : undefined);
  });
  return { ...explained(instruction, instruction.path, log, isCut), calls };
}

function explained(
  instruction: DecodedInstruction,
  path: readonly number[],
  log: LogCall | undefined,
  isCut: boolean,
): ExplainedCall {
  const { inner, ...what } = instruction;
  const own = log?.children ?? [];
  const returned = own.find((node) => node.kind === 'returned');
  const units = log === undefined ? undefined : unitsOf(log);
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
    calls: log === undefined ? inner.map((call) => nestedAsGiven(call, undefined)) : [],
  };
}

function unitsOf(log: LogCall): ExplainedCall['units'] {
  const { unitsConsumed: total } = log;
  if (total === undefined) return undefined;
  let own = total;
  for (const child of log.children.filter(isCall)) {
    if (child.unitsConsumed === undefined) return { total };
    own -= child.unitsConsumed;
  }
  return { total, own };
}

const inOrder = (instructions: readonly DecodedInstruction[]): readonly DecodedInstruction[] =>
  instructions.flatMap((instruction) => [instruction, ...inOrder(instruction.inner)]);

const isCall = (node: LogNode): node is LogCall => node.kind === 'call';

// Log lines of a transaction as a tree of calls, each with its compute units, outcome and events.
import { addressName } from '../../chain/addresses';
import { decodeBase64 } from '../../encoding/base64';
import type { DecodedEvent, LogNode, Programs } from '../decoded';
import { decodeRecord, recordOf } from '../idl/decode';

/** No cluster nests calls deeper than this; deeper ones are put into the last. */
const MAX_DEPTH = 64;

const INVOKE = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,3})\]$/;
const SUCCESS = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) success$/;
const FAILED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: (.*)$/s;
const CONSUMED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) consumed (\d{1,19}) of (\d{1,19}) compute units$/;
const RETURNED = /^Program return: ([1-9A-HJ-NP-Za-km-z]{32,44}) (\S*)$/;
const LOG = 'Program log: ';
const DATA = 'Program data: ';

type Call = Extract<LogNode, { kind: 'call' }>;
/** A call whose log lines continue. */
type Open = { -readonly [K in keyof Call]: Call[K] } & { children: LogNode[] };

/** `unread`: how many lines follow those that are given. */
export function logTree(lines: readonly string[], known: Programs, unread = 0): readonly LogNode[] {
  const top: LogNode[] = [];
  const open: Open[] = [];
  for (const line of lines) {
    const invoke = INVOKE.exec(line);
    if (invoke !== null) {
      const call = opened(invoke[1] ?? '', Number(invoke[2]));
      (open.at(-1)?.children ?? top).push(call);
      if (open.length < MAX_DEPTH) open.push(call);
      continue;
    }
    const ended = SUCCESS.exec(line) ?? FAILED.exec(line);
    const current = open.at(-1);
    if (ended !== null && current !== undefined && current.program === ended[1]) {
      current.outcome = ended[2] === undefined ? 'success' : 'failed';
      if (ended[2] !== undefined) current.failure = ended[2];
      open.pop();
      continue;
    }
    const consumed = CONSUMED.exec(line);
    if (consumed !== null && current !== undefined && current.program === consumed[1]) {
      current.unitsConsumed = BigInt(consumed[2] ?? '0');
      current.unitsAllowed = BigInt(consumed[3] ?? '0');
      continue;
    }
    (current?.children ?? top).push(leafOf(line, current?.program, known));
  }
  if (unread > 0) (open.at(-1)?.children ?? top).push({ kind: 'truncated', unread });
  return top;
}

export interface FirstFailure {
  /** Base58. */
  readonly program: string;
  readonly words: string;
  /** The lines of this call, without those of the calls it made. */
  readonly lines: readonly string[];
}

/** The program that failed first, which is the innermost one, and its last words: an error's number is its own. */
export function firstFailure(lines: readonly string[]): FirstFailure | undefined {
  const open: string[][] = [];
  for (const line of lines) {
    const [, program, words] = FAILED.exec(line) ?? [];
    if (program !== undefined && words !== undefined) return { program, words, lines: open.at(-1) ?? [] };
    if (INVOKE.test(line)) open.push([]);
    else if (SUCCESS.test(line)) open.pop();
    else open.at(-1)?.push(line);
  }
  return undefined;
}

function opened(program: string, depth: number): Open {
  const programName = addressName(program);
  return {
    kind: 'call',
    program,
    ...(programName === undefined ? {} : { programName }),
    depth,
    outcome: 'unfinished',
    children: [],
  };
}

function leafOf(line: string, program: string | undefined, known: Programs): LogNode {
  if (line === 'Log truncated') return { kind: 'truncated' };
  if (line.startsWith(LOG)) return { kind: 'line', text: line.slice(LOG.length) };
  const returned = RETURNED.exec(line);
  const value = returned === null ? undefined : decodeBase64(returned[2] ?? '');
  if (value !== undefined) return { kind: 'returned', program: returned?.[1] ?? '?', data: value };
  if (!line.startsWith(DATA)) return { kind: 'line', text: line };
  const chunks = line.slice(DATA.length).split(' ').map(decodeBase64);
  const whole = chunks.filter((chunk) => chunk !== undefined);
  if (whole.length < chunks.length) return { kind: 'line', text: line };
  const event = eventOf(whole[0], program, known);
  return { kind: 'data', chunks: whole, ...(event === undefined ? {} : { event }) };
}

/** The name in the program's IDL of an event that begins like the data. */
export function eventOf(
  data: Uint8Array | undefined,
  program: string | undefined,
  known: Programs,
): DecodedEvent | undefined {
  const idl = program === undefined ? undefined : known.idl(program);
  const record = idl === undefined || data === undefined ? undefined : recordOf(idl.events, data);
  if (idl === undefined || data === undefined || record === undefined) return undefined;
  const fields = decodeRecord(idl, record, data);
  return fields === undefined ? undefined : { name: record.name, fields };
}

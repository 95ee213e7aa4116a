// Log lines of a transaction as a tree of calls, with what each consumed, how it ended, and the events in it.
import { addressName } from '../../solana/addresses';
import { decodeBase64 } from '../../encoding/base64';
import type { DecodedEvent, LogNode, Programs } from '../decoded';
import { decodeRecord, recordOf } from '../idl/decode';

/** Calls nest deeper than this on no cluster; what is deeper stands in the last one. */
const MAX_DEPTH = 64;

const INVOKE = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,3})\]$/;
const SUCCESS = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) success$/;
const FAILED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: (.*)$/s;
const CONSUMED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) consumed (\d{1,19}) of (\d{1,19}) compute units$/;
const RETURNED = /^Program return: ([1-9A-HJ-NP-Za-km-z]{32,44}) (\S*)$/;
const LOG = 'Program log: ';
const DATA = 'Program data: ';

type Call = Extract<LogNode, { kind: 'call' }>;
/** A call while its lines still come. */
type Open = { -readonly [K in keyof Call]: Call[K] } & { children: LogNode[] };

export function logTree(lines: readonly string[], known: Programs): readonly LogNode[] {
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
  return top;
}

/** The program that failed first, which is the innermost one, and its last words: an error's number is its own. */
export function firstFailure(
  lines: readonly string[],
): { readonly program: string; readonly words: string } | undefined {
  for (const line of lines) {
    const [, program, words] = FAILED.exec(line) ?? [];
    if (program !== undefined && words !== undefined) return { program, words };
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

/** What the program's IDL calls an event that begins like the data. */
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

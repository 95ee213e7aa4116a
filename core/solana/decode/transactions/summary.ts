// The few words a list says of a transaction: how it ended, what it called. Reads what they need and nothing more, since a
// filter asks for them at every message. Never throws.
import { addressName } from '../../chain/addresses';
import { encodeBase58 } from '../../encoding/base58';
import type { LogNode, Programs } from '../decoded';
import { isJsonArray, type JsonValue } from '../../json/json';
import { errorFromBincode, errorFromJson, failedProgram, describeFailure, failureSentence } from './failure';
import { ERROR, INFO, INNER, INSTRUCTION, MESSAGE, META, TRANSACTION } from './fromYellowstone';
import { instructionName } from './instructions';
import { logTree } from './logs';
import { readMessage, type WireMessage } from './protobuf';

export const SUCCEEDED = 'succeeded';

/** Calls that are named one by one. */
const MAX_NAMED = 8;

/** The outcome in the bytes of a `SubscribeUpdateTransactionInfo`; `undefined` if they do not contain it. */
export function outcomeOfInfo(bytes: Uint8Array, known: Programs): string | undefined {
  const info = readMessage(bytes);
  const meta = info?.message(INFO.meta);
  if (info === undefined || meta === undefined) return undefined;
  const failure = meta.message(META.error);
  if (failure === undefined) return SUCCEEDED;
  const error = errorFromBincode(failure.bytes(ERROR.bytes));
  const message = messageOf(info);
  const failed = message?.messages(MESSAGE.instructions)[error.instruction ?? -1];
  const outer = failed === undefined ? undefined : programsOf(message, undefined)(failed);
  return failureSentence(describeFailure(error, failedProgram(meta.texts(META.logs), outer), known));
}

/** The outcome from the bytes of a `TransactionError`, without the transaction. */
export const outcomeOfError = (bytes: Uint8Array, known: Programs): string =>
  failureSentence(describeFailure(errorFromBincode(bytes), failedProgram([], undefined), known));

/** The outcome by `err` and the logs of a notification. */
export function outcomeOfJson(err: JsonValue | undefined, logs: readonly string[], known: Programs): string {
  const error = errorFromJson(err);
  return error === undefined
    ? SUCCEEDED
    : failureSentence(describeFailure(error, failedProgram(logs, undefined), known));
}

/** `System Program: transfer, Token Program: transferChecked ×2`: the outer instructions, by their bytes. */
export function callsOfInfo(bytes: Uint8Array, known: Programs): string | undefined {
  const message = messageOf(readMessage(bytes));
  if (message === undefined) return undefined;
  const programOf = programsOf(message, undefined);
  return callsText(
    message.messages(MESSAGE.instructions).map((instruction) => {
      const program = programOf(instruction);
      return { program, name: instructionName(program ?? '', instruction.bytes(INSTRUCTION.data), known) };
    }),
    known,
  );
}

/** The addresses of all programs that were called, those that others called among them, each once. */
export function programsOfInfo(bytes: Uint8Array): readonly string[] {
  const info = readMessage(bytes);
  const message = messageOf(info);
  if (message === undefined) return [];
  const meta = info?.message(INFO.meta);
  const programOf = programsOf(message, meta);
  const inner = meta?.messages(META.inner).flatMap((group) => group.messages(INNER.instructions)) ?? [];
  const all = [...message.messages(MESSAGE.instructions), ...inner].map(programOf);
  return [...new Set(all.filter((program) => program !== undefined))];
}

const messageOf = (info: WireMessage | undefined): WireMessage | undefined =>
  info?.message(INFO.transaction)?.message(TRANSACTION.message);

/** Finds an instruction's program; without `meta` only among the message's static accounts. */
function programsOf(
  message: WireMessage | undefined,
  meta: WireMessage | undefined,
): (instruction: WireMessage) => string | undefined {
  const keys = [
    ...(message?.all(MESSAGE.accountKeys) ?? []),
    ...(meta?.all(META.loadedWritable) ?? []),
    ...(meta?.all(META.loadedReadonly) ?? []),
  ];
  return (instruction) => {
    const key = keys[Number(instruction.number(INSTRUCTION.program) ?? 0n)];
    return key === undefined ? undefined : addressOf(key);
  };
}

/** The same few programs are called again and again, and base58 is slow. */
const ADDRESSES = new Map<string, string>();
const MAX_ADDRESSES = 4_096;

function addressOf(key: Uint8Array): string {
  const name = String.fromCharCode(...key.subarray(0, 64));
  const known = ADDRESSES.get(name);
  if (known !== undefined) return known;
  const address = encodeBase58(key);
  if (ADDRESSES.size >= MAX_ADDRESSES) ADDRESSES.clear();
  ADDRESSES.set(name, address);
  return address;
}

type LoggedCall = Extract<LogNode, { kind: 'call' }>;

/** Conventional log prefix of programs. */
const NAMED = 'Instruction: ';

/** The outer instructions from the logs, with the names that programs log. */
export function callsOfLogs(lines: readonly string[], known: Programs): string {
  const calls = outerCalls(lines, known).map(({ program, children }) => {
    const named = children.find((child) => child.kind === 'line' && child.text.startsWith(NAMED));
    const name = named?.kind === 'line' ? named.text.slice(NAMED.length) : undefined;
    return { program, name: name === undefined ? undefined : name.charAt(0).toLowerCase() + name.slice(1) };
  });
  return callsText(calls, known);
}

/** All programs that the logs mention, each once. */
export function programsOfLogs(lines: readonly string[], known: Programs): readonly string[] {
  const programs = new Set<string>();
  const walk = (nodes: readonly LogNode[]): void => {
    for (const node of nodes) {
      if (node.kind !== 'call') continue;
      programs.add(node.program);
      walk(node.children);
    }
  };
  walk(logTree(lines, known));
  return [...programs];
}

/** Compute units of all outer instructions; `undefined` if the logs do not say, as those of native programs. */
export function unitsOfLogs(lines: readonly string[], known: Programs): bigint | undefined {
  const consumed = outerCalls(lines, known).flatMap(({ unitsConsumed }) => unitsConsumed ?? []);
  return consumed.length === 0 ? undefined : consumed.reduce((sum, units) => sum + units, 0n);
}

const outerCalls = (lines: readonly string[], known: Programs): readonly LoggedCall[] =>
  logTree(lines, known).filter((node) => node.kind === 'call');

/** The log lines of a notification. */
export const logLines = (value: JsonValue | undefined): readonly string[] =>
  isJsonArray(value) ? value.filter((line) => typeof line === 'string') : [];

interface Call {
  readonly program: string | undefined;
  readonly name?: string | undefined;
}

/** Counts consecutive equal calls. */
export function callsText(calls: readonly Call[], known: Programs): string {
  const runs: { readonly text: string; times: number }[] = [];
  for (const { program, name } of calls) {
    const text = `${programText(program, known)}${name === undefined ? '' : `: ${name}`}`;
    const last = runs.at(-1);
    if (last?.text === text) last.times++;
    else runs.push({ text, times: 1 });
  }
  const named = runs.slice(0, MAX_NAMED).map(({ text, times }) => (times === 1 ? text : `${text} ×${times}`));
  const left = runs.slice(MAX_NAMED).reduce((sum, { times }) => sum + times, 0);
  return [...named, ...(left === 0 ? [] : [`${left} more`])].join(', ');
}

/** The program's name, by the known addresses or its IDL; an address otherwise, shortened. */
export function programText(program: string | undefined, known: Programs): string {
  if (program === undefined) return '?';
  return addressName(program) ?? known.idl(program)?.name ?? `${program.slice(0, 4)}…${program.slice(-4)}`;
}

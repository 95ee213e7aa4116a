// Answers of tools: bounded, without keys, as structured content and as the same JSON in text.
import { Budget } from '../../core/solana/common/budget';
import { MAX_ANSWER } from '../../core/requests/tools/limits';
import { DATA_NOTE } from '../../core/requests/tools/outside';
import { isJsonArray, isJsonObject, JsonNumber, printJson, type JsonValue } from '../../core/solana/json/json';
import type { RequestReport } from '../../core/requests/run/model';

/** A tool's answer to the client. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured?: Record<string, unknown>;
  readonly isError: boolean;
}

/** The reason why a tool did not do what it was asked to, for the model. */
export class ToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolError';
  }
}

/** The value's members behind the label that they are data. `redact` sees the whole text. */
export function toolAnswer(value: object, redact: (text: string) => string): ToolAnswer {
  const text = redact(JSON.stringify({ note: DATA_NOTE, ...value }));
  return { text, structured: JSON.parse(text) as Record<string, unknown>, isError: false };
}

/** The reason behind the same label: it may repeat what a service or a file says. */
export function errorAnswer(message: string, redact: (text: string) => string): ToolAnswer {
  const error = message.length > MAX_ANSWER ? `${message.slice(0, MAX_ANSWER)}…` : message;
  return { text: redact(JSON.stringify({ note: DATA_NOTE, error })), isError: true };
}

/** JSON as any reader has it: integers that a double cannot hold become texts of their digits. */
export function plainJson(value: JsonValue): unknown {
  if (value instanceof JsonNumber) {
    const integer = value.toBigInt();
    return integer === undefined ? value.toNumber() : integer.toString();
  }
  if (isJsonArray(value)) return value.map(plainJson);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainJson(one)]));
  return value;
}

/** The space left in an answer, in UTF-16 units. */
export class Room extends Budget {
  constructor(units = MAX_ANSWER) {
    super(units);
  }

  /** As much of a text as fits. */
  cut(text: string): string {
    const part = text.slice(0, this.left);
    this.takes(part.length);
    return part;
  }
}

/** The outcome of a request, within a bound that rows share. */
export function rowAnswer(row: RequestReport, room: Room): object {
  const { file, line, name, method, endpoint, status, httpStatus, error } = row;
  const assertions = row.assertions.map(({ text, passed, actual }) => {
    const found = actual === undefined ? undefined : printJson(actual);
    return { text, passed, ...(found !== undefined && { found: found.slice(0, 500) }) };
  });
  return {
    file,
    line,
    ...(name !== null && { name }),
    method,
    endpoint,
    status,
    ...(httpStatus !== undefined && { httpStatus }),
    ...responseOf(row, room),
    ...messagesOf(row, room),
    ...(error !== undefined && { error: { ...error } }),
    ...(assertions.length > 0 && room.takes(JSON.stringify(assertions).length) && { assertions }),
  };
}

function responseOf({ response, large }: RequestReport, room: Room): object {
  if (large !== undefined) return { responseText: room.cut(large.head) };
  if (response === undefined) return {};
  const text = printJson(response);
  return room.takes(text.length) ? { response: plainJson(response) } : { responseText: room.cut(text) };
}

function messagesOf({ messages, dropped = 0 }: RequestReport, room: Room): object {
  if (messages === undefined) return {};
  const end = messages.findIndex((message) => !room.takes(printJson(message).length));
  const shown = end < 0 ? messages : messages.slice(0, end);
  const more = messages.length - shown.length + dropped;
  return { messages: shown.map(plainJson), ...(more > 0 && { moreMessages: more }) };
}

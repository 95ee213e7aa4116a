// The report of `run --json`: one document, exact digits, only the members that docs/cli.md names.
import { randomUUID } from 'node:crypto';
import { piecesOf } from '../../core/response/stored';
import { printJson } from '../../core/values/json/json';
import type { BodyFile, RequestReport, RunReport } from '../../core/run/model';
import type { JsonObject, JsonValue } from '../../core/values/json/json';

/** The document in pieces: a response that lies in a file passes through, whatever its size. */
export function jsonReport(report: RunReport): AsyncIterable<string | Uint8Array> {
  const { ok, summary, requests } = report;
  return pieces((placed) => ({ ok, summary: { ...summary }, requests: requests.map((each) => row(each, placed)) }), 2);
}

/** One row of it, on one line. */
export const jsonRow = (report: RequestReport): AsyncIterable<string | Uint8Array> =>
  pieces((placed) => row(report, placed), 0);

/** `build` gets a function that makes a placeholder for a file; the file's content replaces it in the text. */
async function* pieces(
  build: (placed: (file: BodyFile) => JsonValue) => JsonValue,
  indent: number,
): AsyncIterable<string | Uint8Array> {
  const files: BodyFile[] = [];
  // A placeholder that no response contains.
  const mark = `file ${randomUUID()}`;
  const value = build((file) => {
    files.push(file);
    return mark;
  });
  for (const [index, part] of `${printJson(value, indent)}\n`.split(`"${mark}"`).entries()) {
    const file = index === 0 ? undefined : files[index - 1];
    if (file !== undefined) yield* piecesOf(file);
    yield part;
  }
}

function row(report: RequestReport, placed: (file: BodyFile) => JsonValue): JsonObject {
  const { error, assertions, messages, large, landing, notes, ...rest } = report;
  // What a failing service says instead of JSON would break the document.
  const isJson = large?.outline?.end !== undefined && (error === undefined || error.kind === 'rpc');
  return {
    ...rest,
    ...(isJson ? { response: placed(large.file) } : {}),
    ...(messages === undefined ? {} : { messages: [...messages] }),
    ...(landing === undefined ? {} : { landing: { ...landing, times: { ...landing.times } } }),
    ...(notes === undefined ? {} : { notes: [...notes] }),
    ...(error === undefined ? {} : { error: { ...error } }),
    assertions: assertions.map(({ text, passed, actual }): JsonValue => {
      return { text, passed, ...(actual === undefined ? {} : { actual }) };
    }),
  };
}

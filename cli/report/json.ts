// The report of `run --json`: one document, exact digits, only the members that docs/cli.md names.
import { randomUUID } from 'node:crypto';
import { piecesOf } from '../../core/response/stored';
import { printJson } from '../../core/values/json';
import type { BodyFile, RequestReport, RunReport } from '../../core/run/model';
import type { JsonObject, JsonValue } from '../../core/values/json';

/** The document in pieces: a response that lies in a file passes through, whatever its size. */
export async function* jsonReport(report: RunReport): AsyncIterable<string | Uint8Array> {
  const files: BodyFile[] = [];
  // A text that no response holds stands where a file's content goes.
  const mark = `file ${randomUUID()}`;
  const placed = (file: BodyFile): JsonValue => {
    files.push(file);
    return mark;
  };
  const requests = report.requests.map((each) => row(each, placed));
  const text = `${printJson({ ok: report.ok, summary: { ...report.summary }, requests }, 2)}\n`;
  for (const [index, part] of text.split(`"${mark}"`).entries()) {
    const file = index === 0 ? undefined : files[index - 1];
    if (file !== undefined) yield* piecesOf(file);
    yield part;
  }
}

function row(report: RequestReport, placed: (file: BodyFile) => JsonValue): JsonObject {
  const { error, assertions, messages, large, ...rest } = report;
  // What a failing service says instead of JSON would break the document.
  const isJson = large?.outline?.end !== undefined && (error === undefined || error.kind === 'rpc');
  return {
    ...rest,
    ...(isJson ? { response: placed(large.file) } : {}),
    ...(messages === undefined ? {} : { messages: [...messages] }),
    ...(error === undefined ? {} : { error: { ...error } }),
    assertions: assertions.map(({ text, passed, actual }): JsonValue => {
      return { text, passed, ...(actual === undefined ? {} : { actual }) };
    }),
  };
}

// The report of `run --json`: one document, exact digits, only the members that docs/cli.md names.
import { randomUUID } from 'node:crypto';
import { bytesInPieces } from '../../core/service/response/stored';
import { printJson } from '../../core/solana/json/json';
import { written } from './written';
import type { BodyFile, RequestReport, RunReport } from '../../core/requests/run/model';
import type { JsonObject, JsonValue } from '../../core/solana/json/json';

/** The document row by row: its text as a whole may be longer than a string can be. A file of any size passes through. */
export async function* jsonReport({ ok, summary, requests }: RunReport): AsyncIterable<string | Uint8Array> {
  const empty = printJson({ ok, summary: { ...summary }, requests: [] }, 2);
  const end = empty.lastIndexOf(']');
  let before = empty.slice(0, end);
  for (const each of requests) {
    yield* pieces(each, { before: `${before}\n    `, indent: 2, newline: '\n    ' });
    before = ',';
  }
  yield `${requests.length === 0 ? before : '\n  '}${empty.slice(end)}\n`;
}

/** One row of it, on one line. */
export async function* jsonRow(report: RequestReport): AsyncIterable<string | Uint8Array> {
  yield* pieces(report, { before: '', indent: 0, newline: '\n' });
  yield '\n';
}

interface Layout {
  /** Written before the row. */
  readonly before: string;
  readonly indent: number;
  /** The end of a line, with the indentation of the row. */
  readonly newline: string;
}

/** A row that does not fit is written without its values. */
async function* pieces(report: RequestReport, layout: Layout): AsyncIterable<string | Uint8Array> {
  const { files, parts } = written(report, (each) => partsOf(each, layout));
  for (const [index, part] of parts.entries()) {
    const file = index === 0 ? undefined : files[index - 1];
    if (file !== undefined) yield* bytesInPieces(file);
    yield part;
  }
}

/** The text of a row around its files. */
function partsOf(
  report: RequestReport,
  { before, indent, newline }: Layout,
): { readonly files: readonly BodyFile[]; readonly parts: readonly string[] } {
  const files: BodyFile[] = [];
  // A placeholder that no response contains.
  const mark = `file ${randomUUID()}`;
  const value = row(report, (file) => {
    files.push(file);
    return mark;
  });
  const text = before + printJson(value, indent).replaceAll('\n', newline);
  return { files, parts: text.split(`"${mark}"`) };
}

function row(report: RequestReport, placed: (file: BodyFile) => JsonValue): JsonObject {
  const { error, assertions, messages, large, landing, notes, ...rest } = report;
  // A failing service may answer with something other than JSON, which would break the document.
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

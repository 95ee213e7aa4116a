// The report of `run --json`: one document, exact digits, only the members that docs/cli.md names.
import { printJson } from '../../core/values/json';
import type { RequestReport, RunReport } from '../../core/run/model';
import type { JsonObject, JsonValue } from '../../core/values/json';

export function jsonReport(report: RunReport): string {
  return `${printJson({ ok: report.ok, summary: { ...report.summary }, requests: report.requests.map(row) }, 2)}\n`;
}

function row(report: RequestReport): JsonObject {
  const { error, assertions, messages, landing, ...rest } = report;
  return {
    ...rest,
    ...(messages === undefined ? {} : { messages: [...messages] }),
    ...(landing === undefined ? {} : { landing: { ...landing, times: { ...landing.times } } }),
    ...(error === undefined ? {} : { error: { ...error } }),
    assertions: assertions.map(({ text, passed, actual }): JsonValue => {
      return { text, passed, ...(actual === undefined ? {} : { actual }) };
    }),
  };
}

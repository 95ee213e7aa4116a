// The report of `run --json`: one document, exact digits, only the members that docs/cli.md names.
import { printJson } from '../../core/values/json';
import type { RequestReport, RunReport } from '../../core/run/model';
import type { JsonObject, JsonValue } from '../../core/values/json';

export function jsonReport(report: RunReport): string {
  return `${printJson({ ok: report.ok, summary: { ...report.summary }, requests: report.requests.map(reportJson) }, 2)}\n`;
}

/** One row: the members that docs/cli.md names. */
export function reportJson(report: RequestReport): JsonObject {
  const { error, assertions, messages, ...rest } = report;
  return {
    ...rest,
    ...(messages === undefined ? {} : { messages: [...messages] }),
    ...(error === undefined ? {} : { error: { ...error } }),
    assertions: assertions.map(({ text, passed, actual }): JsonValue => {
      return { text, passed, ...(actual === undefined ? {} : { actual }) };
    }),
  };
}

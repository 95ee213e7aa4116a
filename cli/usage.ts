// `solana-rpc usage`: the usage summary of the service, as a table or as it came.
import { isJsonArray, member, parseJson, printJson } from '../core/values/json';
import { failed } from '../core/errors';
import { settleInterface } from '../net/target';
import { resolveEndpoints } from './endpoints';
import { EXIT, UsageError } from './exit';
import { interruptible } from './interrupt';
import { keyPort, readKeys } from './keys';
import { readArguments } from './options';
import { escapeLine, painterFor } from './terminal';
import type { ExitCode } from './exit';
import type { Given } from './options';
import type { Result, ServiceError } from '../core/errors';
import type { JsonValue } from '../core/values/json';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

export async function usageCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('usage', args);
  const now = Math.floor(Date.now() / 1000);
  const path = usagePath(given, now);
  const answer = await interruptible((signal) => fetchUsage(given, path, signal));
  if (!answer.ok) {
    const { kind, message, hint } = answer.error;
    process.stderr.write(`${kind}: ${escapeLine(message)}\n${hint === undefined ? '' : `next: ${escapeLine(hint)}\n`}`);
    return EXIT.request;
  }
  process.stdout.write(given.flag('json') ? `${printJson(answer.value, 2)}\n` : usageText(answer.value));
  return EXIT.ok;
}

async function fetchUsage(given: Given, path: string, signal: AbortSignal): Promise<Result<JsonValue>> {
  const keys = await readKeys(process.env, given.flag('key-stdin') ? process.stdin : undefined);
  const endpoints = await resolveEndpoints(given, process.env, process.cwd(), keys);
  if (endpoints.active === undefined) throw new UsageError('Which endpoint? Give --rest-url or --endpoint.');
  const target = settleInterface(endpoints.active, 'rest');
  if (!target.ok) return target;
  const { createNet } = await import('../net/transports');
  const net = createNet({ keys: keyPort(keys, endpoints.keyOrigins) });
  try {
    const answer = await net.get(target.value, path, { signal });
    if (!answer.ok) return answer;
    const { error, body } = answer.value;
    if (error !== undefined) return failed(error);
    return body.kind === 'text' ? parsed(body.text) : failed(GARBAGE);
  } finally {
    await net.close();
  }
}

const GARBAGE: ServiceError = {
  kind: 'protocol',
  message: 'The answer is no usage summary.',
  hint: 'Look at the URL: is it the base of /v1/usage?',
};

function parsed(text: string): Result<JsonValue> {
  try {
    return { ok: true, value: parseJson(text) };
  } catch {
    return failed(GARBAGE);
  }
}

function usagePath(given: Given, now: number): string {
  const query = new URLSearchParams();
  for (const name of ['from', 'to'] as const) {
    const text = given.text(name);
    if (text !== undefined) query.set(name, String(timeOf(text, name, now)));
  }
  const keyId = given.text('key-id');
  const base = keyId === undefined ? '/v1/usage' : `/v1/usage/${encodeURIComponent(keyId)}`;
  return query.size === 0 ? base : `${base}?${query.toString()}`;
}

/** Unix seconds of `1700000000`, `24h`, `2026-01-31`, `2026-01-31T10:00:00Z`. */
export function timeOf(text: string, name: string, now: number): number {
  if (/^\d{9,12}$/.test(text)) return Number(text);
  const span = /^(\d{1,6})([smhd])$/.exec(text);
  if (span !== null) return now - Number(span[1]) * (UNIT_SECONDS[span[2] ?? ''] ?? 0);
  const date = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(date)) throw new UsageError(`--${name} takes Unix seconds, a date, or a span such as 24h or 7d.`);
  return Math.floor(date / 1000);
}

/** Methods by count; the digits as they came. */
export function usageText(usage: JsonValue): string {
  const paint = painterFor(process.stdout, process.env);
  const rows = member(usage, 'methods') ?? [];
  const cells = (isJsonArray(rows) ? rows : []).map((row) =>
    ['method', 'count', 'errors'].map((key) => {
      const value = member(row, key);
      return typeof value === 'string' ? escapeLine(value, 60) : value === undefined ? '' : printJson(value);
    }),
  );
  const table = [['method', 'requests', 'errors'], ...cells];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  const lines = table.map(([method = '', count = '', errors = ''], index) => {
    const text = `${method.padEnd(widths[0] ?? 0)}  ${count.padStart(widths[1] ?? 0)}  ${errors.padStart(widths[2] ?? 0)}`;
    return index === 0 ? paint.dim(text) : text;
  });
  const total = member(usage, 'request_count');
  return `${lines.join('\n')}\n\n${total === undefined ? '?' : printJson(total)} requests\n`;
}

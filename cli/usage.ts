// `solana-rpc usage`: the usage summary of the service, as a table or as it came.
import { known } from '../core/solana/common/known';
import { printJson } from '../core/solana/json/json';
import { settleInterface } from '../net/target/target';
import { askUsage } from '../net/http/usage';
import { resolveEndpoints } from './session/endpoints';
import { EXIT, UsageError } from './exit';
import { interruptible } from './interrupt';
import { readGivenKeys } from './session/keys';
import { openNetwork } from './session/network';
import { readArguments } from './options';
import { printRefusal } from './refusal';
import { escapeLine, jsonFor, painterFor } from './terminal';
import type { ExitCode } from './exit';
import type { Given } from './options';
import type { Result } from '../core/service/errors';
import type { Usage } from '../core/service/usage';
import type { UsageQuestion } from '../net/http/usage';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

export async function usageCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('usage', args);
  const now = Math.floor(Date.now() / 1000);
  const question = questionOf(given, now);
  const answer = await interruptible((signal) => fetchUsage(given, question, signal));
  if (!answer.ok) return printRefusal(answer.error);
  process.stdout.write(given.flag('json') ? jsonFor(process.stdout, usageJson(answer.value)) : usageText(answer.value));
  return EXIT.ok;
}

async function fetchUsage(given: Given, question: UsageQuestion, signal: AbortSignal): Promise<Result<Usage>> {
  const keys = await readGivenKeys(process.env, given.flag('key-stdin') ? process.stdin : undefined);
  const endpoints = await resolveEndpoints(given, process.env, process.cwd(), keys);
  if (endpoints.active === undefined) throw new UsageError('Which endpoint? Give --rest-url or --endpoint.');
  const target = settleInterface(endpoints.active, 'rest');
  if (!target.ok) return target;
  const { net } = await openNetwork(endpoints, keys);
  try {
    return await askUsage(net, target.value, question, { signal });
  } finally {
    await net.close();
  }
}

function questionOf(given: Given, now: number): UsageQuestion {
  const [from, to] = (['from', 'to'] as const).map((name) => {
    const text = given.text(name);
    return text === undefined ? undefined : timeOf(text, name, now);
  });
  return known({ now, from, to, keyId: given.text('key-id') });
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

/** In the names of the service's own summary. */
function usageJson({ from, to, keyId, requestCount, methods }: Usage): string {
  const key = keyId === undefined ? {} : { key_id: keyId };
  return `${printJson({ ...key, from, to, request_count: requestCount, methods: methods.map((row) => ({ ...row })) }, 2)}\n`;
}

/** Most requests first. */
function usageText({ methods, requestCount }: Usage): string {
  const paint = painterFor(process.stdout, process.env);
  const cells = methods.map(({ method, count, errors }) => [escapeLine(method, 60), String(count), String(errors)]);
  const table = [['method', 'requests', 'errors'], ...cells];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  const lines = table.map(([method = '', count = '', errors = ''], index) => {
    const text = `${method.padEnd(widths[0] ?? 0)}  ${count.padStart(widths[1] ?? 0)}  ${errors.padStart(widths[2] ?? 0)}`;
    return index === 0 ? paint.dim(text) : text;
  });
  return `${lines.join('\n')}\n\n${requestCount} requests\n`;
}

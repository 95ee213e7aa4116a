// Rows and totals of a report, and the outcome of a run: data to data, no text for people.
import { isStreamingCall } from '../../../proto/requests';
import { methodOf } from '../../solana/json/calls';
import type { Assertion, Block, Transport } from '../document/model';
import type { ServiceError } from '../../service/errors';
import type { RequestReport, RunReport, RunSummary } from './model';

/** The error as a report shows it: kind, the service's code if any, message and next step. */
export function reportedError(error: ServiceError): NonNullable<RequestReport['error']> {
  return {
    kind: error.kind,
    ...(error.kind === 'rpc' ? { code: error.code } : {}),
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}

/**
 * Whether the file expects a refusal, which is then not a failure: by an assertion on `error`, in a batch on
 * `[id].error`; for a refusal with an HTTP status, also by one on `status`.
 */
export function expectsError(assertions: readonly Assertion[], error: ServiceError): boolean {
  return assertions.some(({ path: { steps } }) => {
    if (steps[0] === 'error' || steps[1] === 'error') return true;
    return steps[0] === 'status' && error.kind !== 'rpc';
  });
}

export function summarise(rows: readonly RequestReport[], durationMs: number): RunSummary {
  const count = (status: RequestReport['status']): number => rows.filter((row) => row.status === status).length;
  return {
    total: rows.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    durationMs,
  };
}

export function reportOf(rows: readonly RequestReport[], durationMs: number, isValid: boolean): RunReport {
  return {
    ok: isValid && rows.every((row) => row.status !== 'failed'),
    summary: summarise(rows, durationMs),
    requests: rows,
  };
}

/** A row that cannot be written as it is: failed with `error`, without the values that it holds. */
export function withoutValues(row: RequestReport, error: ServiceError): RequestReport {
  const { response: _response, large: _large, messages: _messages, landing: _landing, ...rest } = row;
  return {
    ...rest,
    status: 'failed',
    request: null,
    error: reportedError(error),
    assertions: row.assertions.map(({ text, line, passed }) => ({ text, line, passed })),
  };
}

/** A request as reports name it; a row of `@foreach` by its place. */
export function nameOfRow({ title, name, method, row }: RequestReport): string {
  const words = title !== '' ? title : (name ?? method);
  return row === undefined ? words : `${words} [${row}]`;
}

/** The method a block names before anything is filled in; "batch" for an array, empty if it names no method. */
export function writtenMethod(block: Block): string {
  const line = block.requestLine;
  if (line?.transport === 'GRPC') return `${line.service?.text ?? ''}/${line.method?.text ?? ''}`;
  if (block.body === undefined) return '';
  return block.body.isBatch ? 'batch' : (methodOf(block.body.value()) ?? '');
}

/** The transport of a block: its request line's, else the method decides. */
export function rowTransport(block: Block, method: string): Transport {
  if (block.requestLine !== undefined) return block.requestLine.transport;
  return isSubscription(method) ? 'WS' : 'POST';
}

const isSubscription = (method: string): boolean => /^\w+(?:Subscribe|Unsubscribe)$/.test(method);

/** True where the answer is a stream of messages instead of one response. */
export function opensStream(transport: Transport, method: string): boolean {
  if (transport === 'WS') return /^\w+Subscribe$/.test(method);
  return transport === 'GRPC' && isStreamingCall(method.slice(method.lastIndexOf('/') + 1));
}

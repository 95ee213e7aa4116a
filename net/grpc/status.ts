// The ServiceError of a gRPC status (grpc.io, "Status codes and their use in gRPC"). Text from outside is quoted, bounded and
// made harmless.
import { withoutTrailing } from '../../core/solana/common/ends';
import type { ServiceError } from '../../core/service/errors';
import { excerpt, judgeAnswer, quotedTail } from '../http/answer';

/** A status as the service sent it; `message` and `headers` are free of keys. */
export interface GrpcStatus {
  readonly code: number;
  readonly message: string;
  /** Metadata before and after the messages. */
  readonly headers: readonly (readonly [string, string])[];
  readonly host: string;
  readonly timeoutMs: number;
  readonly unixMs: number;
}

interface Row {
  readonly name: string;
  /** The HTTP status with the same meaning; messages and retries follow it. */
  readonly http?: number;
  readonly hint?: string;
}

const ROWS: Readonly<Record<number, Row>> = {
  1: { name: 'CANCELLED', hint: 'The service gave the call up; try again.' },
  2: { name: 'UNKNOWN', hint: 'The service met an error it has no name for; try again.' },
  3: { name: 'INVALID_ARGUMENT', hint: 'Correct the message: the service does not take it as it is.' },
  4: { name: 'DEADLINE_EXCEEDED' },
  5: { name: 'NOT_FOUND', hint: 'Check the names in the message.' },
  6: { name: 'ALREADY_EXISTS', hint: 'Nothing is left to do.' },
  7: { name: 'PERMISSION_DENIED', http: 403 },
  8: { name: 'RESOURCE_EXHAUSTED', http: 429 },
  9: { name: 'FAILED_PRECONDITION', hint: 'Read what the service says; trying again alone does not help.' },
  10: { name: 'ABORTED', hint: 'Try again.' },
  11: {
    name: 'OUT_OF_RANGE',
    hint: 'Ask for a slot the service still has: SubscribeReplayInfo returns the first one.',
  },
  12: { name: 'UNIMPLEMENTED', hint: 'This service does not offer the call.' },
  13: { name: 'INTERNAL', hint: 'Open it again; a stream that is read too slowly ends like this.' },
  14: { name: 'UNAVAILABLE', http: 503 },
  15: { name: 'DATA_LOSS', hint: 'Ask another service.' },
  16: { name: 'UNAUTHENTICATED', http: 401 },
};

/** The error of a status; undefined for OK. `httpStatus` is that of the gateway's or the service's answer. */
export function statusError(status: GrpcStatus, httpStatus: number): ServiceError | undefined {
  const { code, host } = status;
  if (code === 0) return undefined;
  const row = ROWS[code] ?? { name: `status ${code}` };
  const words = quotedTail(withoutTrailing(excerpt(status.message), '. '));
  const asHttp = row.http === undefined ? undefined : judged(status, row.http);
  if (asHttp?.kind === 'network')
    return {
      kind: 'network',
      httpStatus,
      message: `${host} is not available now (${row.name})${words}.`,
      hint: 'Try again in a moment.',
    };
  if (asHttp?.kind === 'rateLimited')
    return { ...asHttp, httpStatus, message: `${host} refuses more for now (${row.name})${words}.` };
  if (asHttp?.kind === 'keyRejected' || asHttp?.kind === 'wrongKeyType' || asHttp?.kind === 'suspended')
    return { ...asHttp, httpStatus };
  if (row.name === 'DEADLINE_EXCEEDED')
    return {
      kind: 'timeout',
      afterMs: status.timeoutMs,
      message: `${host} did not finish in time${words}.`,
      hint: 'Allow more time with @timeout.',
    };
  return {
    kind: 'rpc',
    code,
    httpStatus,
    message: `${host} answered ${row.name} (${code})${words}.`,
    ...(row.hint === undefined ? {} : { hint: row.hint }),
  };
}

/** The HTTP status by which a further try is decided: the response's own, or the one the gRPC status maps to. */
export function retryStatus(code: number | undefined, httpStatus: number): number {
  const http = code === undefined ? undefined : ROWS[code]?.http;
  return http ?? httpStatus;
}

/** Keys are refused alike on every transport: answer.ts has the messages for all of them. */
function judged({ message, headers, host, unixMs }: GrpcStatus, httpStatus: number): ServiceError | undefined {
  return judgeAnswer({ httpStatus, headers, text: message, host, unixMs }, [], false);
}

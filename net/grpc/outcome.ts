// Judges how a call ended: its message as text, or its error and whether another attempt makes sense.
import { failed, ok, type Result, type ServiceError } from '../../core/service/errors';
import { messageText, type GrpcCall } from '../../core/solana/json/grpcMessage';
import { jsonOf, type JsonValue } from '../../core/solana/json/json';
import { TooManyValues } from '../../proto/decode';
import { judgeAnswer } from '../http/answer';
import type { RawStream } from '../api';
import type { Again } from '../auth/attempts';
import { retryAfterMs } from '../retry';
import { tooLargeError } from './bounds';
import type { Ending } from './client';
import { retryStatus, statusError } from './status';

/** The text of a message, free of keys. */
export function keylessText(
  call: GrpcCall,
  bytes: Uint8Array,
  clean: Pick<RawStream, 'redact'>,
  host: string,
): Result<string> {
  try {
    return ok(clean.redact(messageText(call.output, bytes)));
  } catch (error) {
    return failed(error instanceof TooManyValues ? tooLargeError(host, error.message) : unreadable(host));
  }
}

/** The same as a value. */
export function keylessValue(
  call: GrpcCall,
  bytes: Uint8Array,
  clean: Pick<RawStream, 'redact'>,
  host: string,
): Result<JsonValue> {
  const text = keylessText(call, bytes, clean, host);
  if (!text.ok) return text;
  const value = jsonOf(text.value);
  return value === undefined ? failed(unreadable(host)) : ok(value);
}

export const unreadable = (host: string): ServiceError => ({
  kind: 'protocol',
  message: `${host} answered with something that is not the message this call has.`,
  hint: 'Check grpcUrl: the service must speak Yellowstone gRPC (geyser.Geyser).',
});

/** A unary call has one response (gRPC over HTTP/2, "Responses"): which of several was meant, nobody knows. */
export const severalMessages = (host: string): ServiceError => ({
  kind: 'protocol',
  message: `${host} answered with more than one message where the call has one.`,
  hint: 'Check grpcUrl: the service must speak Yellowstone gRPC (geyser.Geyser).',
});

/** The error of an ending, with the facts that decide about a retry; undefined if the call succeeded. */
export function judgeEnding(
  ending: Exclude<Ending, { kind: 'lost' }>,
  host: string,
  timeoutMs: number,
  unixMs: number,
): { readonly error: ServiceError; readonly again: Again } | undefined {
  const { httpStatus, headers } = ending;
  const code = ending.kind === 'status' ? ending.code : undefined;
  const error =
    ending.kind === 'status'
      ? statusError({ ...ending, host, timeoutMs, unixMs }, httpStatus)
      : (judgeAnswer({ httpStatus, headers, text: ending.text, host, unixMs }, [], false) ?? {
          kind: 'protocol' as const,
          httpStatus,
          message: `${host} answered, but not with gRPC.`,
          hint: 'Check grpcUrl in the endpoint profile.',
        });
  if (error === undefined) return undefined;
  return { error, again: { status: retryStatus(code, httpStatus), afterMs: retryAfterMs(headers, unixMs) } };
}

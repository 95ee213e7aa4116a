// How a gRPC call ends: the codes this service uses, and the header form of a status.
import type { OutgoingHttpHeaders } from 'node:http2';

/** The numbers of gRPC's status codes. */
export const GRPC_CODES = {
  OK: 0,
  INVALID_ARGUMENT: 3,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcCode = keyof typeof GRPC_CODES;

export interface Status {
  readonly code: GrpcCode;
  readonly message: string;
  /** Goes out as the metadata `retry-after`. */
  readonly retryAfterSeconds?: number;
}

/** Ends a call with a status; its message is for the client. */
export class GrpcFailure extends Error {
  constructor(
    readonly code: GrpcCode,
    message: string,
  ) {
    super(message);
    this.name = 'GrpcFailure';
  }
}

export function statusHeaders({ code, message, retryAfterSeconds }: Status): OutgoingHttpHeaders {
  return {
    'grpc-status': String(GRPC_CODES[code]),
    ...(message === '' ? {} : { 'grpc-message': percentEncoded(message) }),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
}

/** Everything but printable ASCII leaves as %XX of its UTF-8 bytes, and so does the percent sign. */
function percentEncoded(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

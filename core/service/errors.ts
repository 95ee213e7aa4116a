// Everything that can go wrong with a request, as one union. Made where it happens, in net: errors of undici, ws and
// grpc carry URLs and metadata and never leave that room. Each has a sentence for people and a next step.
import { MAX_DEPTH, type JsonValue } from '../solana/json/json';

/** The types of keys (docs/local-service.md, "Keys"). */
export type KeyType = 'rpc' | 'grpc' | 'swqos';

interface ErrorText {
  /** One sentence for people. Holds no secret and no text from outside that was not made harmless. */
  readonly message: string;
  /** The next step, one sentence. */
  readonly hint?: string;
}

export type ServiceError = ErrorText &
  (
    | { readonly kind: 'rateLimited'; readonly httpStatus?: number; readonly retryAfterMs?: number }
    | { readonly kind: 'wrongKeyType'; readonly httpStatus?: number; readonly needs?: KeyType }
    | { readonly kind: 'keyRejected'; readonly httpStatus?: number }
    /** The service refuses a request that was to be asked without a key (`@auth none`). */
    | { readonly kind: 'unauthorized'; readonly httpStatus?: number }
    | { readonly kind: 'noKey'; readonly host: string; readonly keyType: KeyType }
    /** Refused here: the endpoint that is named, or any active one, does not exist. */
    | { readonly kind: 'noEndpoint'; readonly name?: string }
    | { readonly kind: 'suspended'; readonly httpStatus?: number; readonly retryAfterMs?: number }
    | { readonly kind: 'timeout'; readonly afterMs: number }
    | { readonly kind: 'network'; readonly code?: string; readonly httpStatus?: number }
    | { readonly kind: 'tls'; readonly code?: string }
    /** The service answered with a JSON-RPC error object; `data` as it came. */
    | { readonly kind: 'rpc'; readonly code: number; readonly httpStatus?: number; readonly data?: JsonValue }
    | { readonly kind: 'cancelled' }
    /** A confirmation (`@note`, a real endpoint) was refused or could not be asked. */
    | { readonly kind: 'confirmation' }
    /** A transaction was written to the wire and the answer was lost: it may have landed. */
    | { readonly kind: 'ambiguous'; readonly signature?: string }
    /** The blockhash of a sent transaction ran out before it was confirmed. */
    | { readonly kind: 'expired'; readonly signature: string }
    /** The answer is not what the protocol allows: no JSON, wrong id, too large, a redirect. */
    | { readonly kind: 'protocol'; readonly httpStatus?: number }
    /** Refused here, before anything was sent. */
    | { readonly kind: 'invalidRequest' }
    /** A fault of the workbench itself. */
    | { readonly kind: 'internal' }
  );

export type ServiceErrorKind = ServiceError['kind'];

/** Refused here, before anything was sent. */
export const invalidRequest = (message: string, hint?: string): ErrorText & { readonly kind: 'invalidRequest' } => ({
  kind: 'invalidRequest',
  message,
  ...(hint !== undefined && { hint }),
});

/** An answer at a border: errors are values there, exceptions stay inside. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ServiceError };

/** Of JSON from a service that is nested too deep to be read; `what` begins the sentence. */
export const tooDeep = (what: string): ServiceError => ({
  kind: 'protocol',
  message: `${what} is nested deeper than ${MAX_DEPTH} levels and was not read.`,
  hint: 'Check the URL: no Solana service nests its answers like this.',
});

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const failed = <T>(error: ServiceError): Result<T> => ({ ok: false, error });

// Errors for HTTP/2 streams that end without a gRPC status, for both clients.
import { constants } from 'node:http2';
import type { ServiceError } from '../../core/service/errors';
import { failureOf } from '../failures';

const network =
  (what: string) =>
  (host: string): ServiceError => ({
    kind: 'network',
    message: `${host} ${what}.`,
    hint: 'Try again in a moment.',
  });

/** By error code (RFC 9113, section 7), for codes that say more than that the call is over. */
const RESETS: Readonly<Record<number, ((host: string) => ServiceError) | undefined>> = {
  [constants.NGHTTP2_REFUSED_STREAM]: network('takes no more calls on this connection'),
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: network('reports too many requests on this connection'),
  [constants.NGHTTP2_CANCEL]: network('cancelled the call'),
  [constants.NGHTTP2_INTERNAL_ERROR]: network('reported an internal error'),
};

/** The error of a reset; undefined for a code without a specific meaning. */
export const resetError = (rstCode: number, host: string): ServiceError | undefined => RESETS[rstCode]?.(host);

/** The connection ended too early. */
export const lostError = (host: string): ServiceError => failureOf({ code: 'ECONNRESET' }, host);

/** The peer answered, but not with HTTP/2. */
export const notHttp2Error = (host: string): ServiceError => failureOf({ code: 'ERR_HTTP2_ERROR' }, host);

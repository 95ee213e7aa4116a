// Interprets how a grpc-js call ended. The library reports its own errors as a status with text in `details`; the texts
// are those of the version in package.json (subchannel-call.ts, stream-decoder.ts, compression-filter.ts).
import { constants } from 'node:http2';
import type { ServiceError } from '../../core/service/errors';
import type { HeaderPairs } from '../target/headers';
import { tooLargeError, unreadableError } from './bounds';
import type { Ending } from './client';
import { lostError, resetError } from './resets';

/** A status as the library reports it; `headers` are those before and after the messages, without keys. */
export interface GrpcJsStatus {
  readonly code: number;
  readonly details: string;
  readonly headers: HeaderPairs;
  /** The headers before the messages arrived. */
  readonly hasHeaders: boolean;
}

/** `unreachable`: no connection was made; the text does not say why in a form that can be read. */
export type GrpcJsEnding = Ending | { readonly kind: 'unreachable' };

type Read = (match: RegExpExecArray, host: string) => ServiceError;

const UNREACHABLE = /^(?:No connection established|Name resolution failed|Channel closed before call started)/;
const HTTP_STATUS = /^Received HTTP status code (\d{3})$/;

const reset =
  (code: number): Read =>
  (_, host) =>
    resetError(code, host) ?? lostError(host);

const tooLarge: Read = (match, host) => tooLargeError(host, match[1]);

const unreadable: Read = (_, host) => unreadableError(host);

const LOCAL: readonly (readonly [RegExp, Read])[] = [
  [/^Received RST_STREAM with code (\d+)/, (match, host) => reset(Number(match[1]))(match, host)],
  [/^Stream refused by server$/, reset(constants.NGHTTP2_REFUSED_STREAM)],
  [/^Bandwidth exhausted or memory limit exceeded$/, reset(constants.NGHTTP2_ENHANCE_YOUR_CALM)],
  [/^Call cancelled$/, reset(constants.NGHTTP2_CANCEL)],
  [/^Connection dropped$/, (_, host) => lostError(host)],
  [/^Received message larger than max \((\d+) vs \d+\)$/, tooLarge],
  [/^Received message that decompresses to a size larger than /, tooLarge],
  [/^Received (?:compressed message but|message compressed with)|^Failed to decompress/, unreadable],
];

/** How the call ended. `message` and `headers` are handed on as they are. */
export function endingOf({ code, details, headers, hasHeaders }: GrpcJsStatus, host: string): GrpcJsEnding {
  if (UNREACHABLE.test(details)) return { kind: 'unreachable' };
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const status = HTTP_STATUS.exec(details)?.[1];
  if (status !== undefined) return { kind: 'http', httpStatus: Number(status), headers, text: '' };
  if (hasHeaders && !type.startsWith('application/grpc')) return { kind: 'http', httpStatus: 200, headers, text: '' };
  for (const [pattern, read] of LOCAL) {
    const match = pattern.exec(details);
    if (match !== null) return { kind: 'lost', error: read(match, host), isUntouched: false };
  }
  // A status that is not a number is UNKNOWN (gRPC over HTTP/2, "Responses").
  return { kind: 'status', httpStatus: 200, headers, code: Number.isInteger(code) ? code : 2, message: details };
}

// From a block to the exact request that leaves: everything filled in, nothing re-printed.
import { fillEnvelope, type CallEnvelope } from '../../solana/json/envelope';
import { opensStream, rowTransport } from './report';
import { settingsOf } from './source';
import type { Home } from '../document/variables/evaluate';
import { referencesIn, spliceJson, spliceToken } from '../document/splice';
import { JsonDepthError, JsonSyntaxError, MAX_DEPTH, parseJson } from '../../solana/json/json';
import { NoValue } from './evaluate';
import type { ResolveReference } from '../document/splice';
import type { PreparedRequest } from './model';
import type { Token } from '../document/model';

export interface PrepareOptions {
  readonly resolve: ResolveReference;
  readonly freshId: () => number;
  readonly defaultTimeoutMs: number;
}

export interface Prepared {
  readonly request: PreparedRequest;
  readonly isStream: boolean;
}

/** Fills in a block. Throws NoValue if a value is missing or the result is not JSON. */
export function prepareBlock(at: Home, { resolve, freshId, defaultTimeoutMs }: PrepareOptions): Prepared {
  const { block } = at;
  const { endpoint, key, isKeyless, timeoutMs } = settingsOf(at);
  const line = block.requestLine;
  const fill = (token: Token): string => spliceToken(token, block.references, resolve);
  // A key does not belong into a path; nothing else is known to go there.
  if (line?.query !== undefined) throw new NoValue('The path of a gRPC call takes no query: a key goes as metadata.');
  const body = bodyOf(at, resolve);
  const isGrpc = line?.transport === 'GRPC';
  const filled = readable(() => {
    if (!isGrpc) return fillEnvelope(body, freshId);
    parseJson(body);
    return { body, ids: [], method: `${line?.service?.text ?? ''}/${line?.method?.text ?? ''}`, isBatch: false };
  });
  const transport = rowTransport(block, filled.method);
  const request: PreparedRequest = {
    transport,
    ...filled,
    headers: block.headers.map(({ name, value }) => [name.text, fill(value)] as const),
    ...(line?.url === undefined ? {} : { url: fill(line.url) }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(key === undefined ? {} : { keyLabel: key }),
    ...(isKeyless && { isKeyless }),
    timeoutMs: timeoutMs ?? defaultTimeoutMs,
  };
  return { request, isStream: opensStream(transport, filled.method) };
}

function bodyOf(at: Home, resolve: ResolveReference): string {
  const { body, references } = at.block;
  if (body === undefined) return '{}';
  const { start, end } = body.span;
  return spliceJson({ text: body.text, offset: start, references: referencesIn(references, start, end) }, resolve);
}

function readable(read: () => CallEnvelope): CallEnvelope {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonDepthError)
      throw new NoValue(`Once its variables are filled in, the body is nested deeper than ${MAX_DEPTH} levels.`);
    if (error instanceof JsonSyntaxError)
      throw new NoValue('The body is not valid JSON once its variables are filled in.');
    throw error;
  }
}

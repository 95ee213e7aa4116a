// /local: what tests and the dashboard do with the service, for holders of the admin token alone. Answers camelCase JSON.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseJson, type JsonValue } from '../../core/solana/json/json';
import { nestsTooDeep } from '../guard/depth';
import { readFaults } from '../faults/read';
import { json, methodNotAllowed, restError, type HttpReply } from '../http/answer';
import { isJsonContent } from '../http/body';
import type { ServiceContext } from '../calls/context';
import { usageReply } from '../usage/routes';
import { createKey, endKey, keyView, patchKey, rotateKey } from './keys';
import { ForkError, type Cheats, type Fork } from '../node/open';
import { answerCheat, accountsOfCall } from './cheats';
import { forkStatus, prefetch } from './fork';
import type { Query } from '../guard/target';
import type { SourceChannel } from '../source/channel';

export interface AdminContext extends ServiceContext {
  readonly adminToken: string;
  readonly cheats: Cheats;
  /** The fetched accounts, and `source` that they come from; `undefined` if nothing is fetched. */
  readonly fork: Fork | undefined;
  readonly source: SourceChannel | undefined;
  /** Cuts every stream, as a network would; how many there were. */
  readonly dropStreams: () => number;
}

/** Bytes of a request's body: a program to load comes in one. */
const MAX_BODY = 24 * 1024 * 1024;

/** One request to /local, its body read: `segments` are the path's parts after it. */
interface AdminRequest {
  readonly segments: readonly string[];
  readonly query: Query;
  readonly body: JsonValue | undefined;
}

type Handler = (context: AdminContext, request: AdminRequest) => HttpReply | Promise<HttpReply>;

/** Methods by path; `*` is a key's id, found in `segments[1]`. */
const ROUTES: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  keys: {
    GET: (context) => json(200, { keys: context.keyring.list().map((key) => keyView(context.keyring, key)) }),
    POST: (context, { body }) => createKey(context.keyring, body),
  },
  'keys/*': {
    PATCH: (context, { segments, body }) => patchKey(context, segments[1] ?? '', body),
    DELETE: (context, { segments }) => endKey(context, segments[1] ?? ''),
  },
  'keys/*/rotate': { POST: (context, { segments }) => rotateKey(context.keyring, segments[1] ?? '') },
  'keys/*/usage': { GET: (context, { segments, query }) => usageReply(context, query, segments[1]) },
  usage: { GET: (context, { query }) => usageReply(context, query, undefined) },
  faults: {
    GET: (context) => json(200, { faults: context.faults.list().map((fault) => ({ ...fault })) }),
    PUT: (context, { body }) => putFaults(context, body),
  },
  'streams/drop': { POST: (context) => json(200, { dropped: context.dropStreams() }) },
  fork: { GET: ({ fork }) => forkStatus(fork), POST: (context, { body }) => prefetch(context, body) },
  rpc: { POST: (context, { body }) => answerCheats(context, body) },
};

export async function routeAdmin(
  context: AdminContext,
  request: IncomingMessage,
  path: string,
  query: Query,
): Promise<HttpReply | undefined> {
  if (!isAdmin(context.adminToken, request.headers.authorization)) {
    return restError(401, 'The admin token is required as Bearer', { 'www-authenticate': 'Bearer' });
  }
  const segments = path.split('/').slice(2);
  const pattern = segments.map((segment, index) => (index === 1 && segments[0] === 'keys' ? '*' : segment)).join('/');
  const methods = Object.hasOwn(ROUTES, pattern) ? ROUTES[pattern] : undefined;
  if (methods === undefined) return restError(404, 'There is nothing at this path');
  const method = request.method ?? '';
  const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (handler === undefined) return methodNotAllowed(Object.keys(methods).join(', '));
  const body = await context.bodies.read(request, MAX_BODY);
  if (body.kind === 'gone') return undefined;
  if (body.kind === 'refused') return restError(body.status, body.message);
  if (body.text === '') return handler(context, { segments, query, body: undefined });
  if (!isJsonContent(request)) return restError(415, 'Content-Type must be application/json');
  const parsed = readJson(body.text);
  if (parsed === undefined) return restError(400, 'The body is not JSON');
  return handler(context, { segments, query, body: parsed.value });
}

function isAdmin(adminToken: string, authorization: string | undefined): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${adminToken}`));
}

function readJson(text: string): { readonly value: JsonValue } | undefined {
  if (nestsTooDeep(text)) return undefined;
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}

/** On a fork, an account is there before it is changed. */
async function answerCheats({ fork, cheats }: AdminContext, body: JsonValue | undefined): Promise<HttpReply> {
  try {
    await fork?.touch(accountsOfCall(body));
  } catch (error) {
    if (error instanceof ForkError) return restError(502, error.message);
    throw error;
  }
  return answerCheat(cheats, body);
}

function putFaults(context: AdminContext, body: JsonValue | undefined): HttpReply {
  const faults = readFaults(body);
  if (typeof faults === 'string') return restError(400, faults);
  context.faults.replace(faults);
  return json(200, { count: faults.length });
}

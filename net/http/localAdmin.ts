// The local service's own interface under /local: keys, faults, cheat codes. Its admin token goes to loopback alone.
import { withoutTrailing } from '../../core/solana/common/ends';
import { failed, ok, type KeyType, type Result, type ServiceError } from '../../core/service/errors';
import { isLoopback } from '../../core/service/profiles/origin';
import { member, printJson, type JsonValue } from '../../core/solana/json/json';
import { Secret } from '../../core/service/keys/secret';
import { INLINE_BYTES } from './body';
import { systemClock } from '../clock';
import { createConnect } from '../connect/connect';
import type { ListedKey } from '../../core/service/usage';
import { readKeyRows } from './keyRows';
import { HttpClient } from './httpClient';
import { Redactor } from '../secrets/redactor';
import { shownHost } from '../target/target';

/** A key that was just made: its secret is sent only here. */
export interface CreatedKey {
  readonly keyId: string;
  readonly key: Secret;
}

export interface LocalAdmin {
  keys(signal: AbortSignal): Promise<Result<readonly ListedKey[]>>;
  create(type: KeyType, label: string | undefined, signal: AbortSignal): Promise<Result<CreatedKey>>;
  /** The old secret stops working at once; the id stays. */
  rotate(keyId: string, signal: AbortSignal): Promise<Result<CreatedKey>>;
  revoke(keyId: string, signal: AbortSignal): Promise<Result<void>>;
  /** A cheat code: `fund`, `timeTravel`, `traffic`, … Its result, or the service's error. */
  cheat(method: string, params: JsonValue, signal: AbortSignal): Promise<Result<JsonValue>>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 15_000;

/** `adminUrl` is the service's, ending in `/local`; anything but http on loopback is refused. */
export function createLocalAdmin(adminUrl: string, token: Secret): Result<LocalAdmin> {
  const base = URL.canParse(adminUrl) ? new URL(adminUrl) : undefined;
  if (base === undefined || base.protocol !== 'http:' || !isLoopback(base) || base.username !== '')
    return failed({
      kind: 'invalidRequest',
      message: 'The admin token of the local service is only used on this machine.',
      hint: 'Start the local service again.',
    });
  const service: LocalService = { client: new HttpClient(createConnect(), systemClock), base, token };
  const path = withoutTrailing(base.pathname, '/');
  const ask = (method: Verb, rest: string, body: JsonValue | undefined, signal: AbortSignal) =>
    question(service, { method, path: path + rest, ...(body === undefined ? {} : { body }) }, signal);
  const idPath = (keyId: string): string => `/keys/${encodeURIComponent(keyId)}`;

  return ok({
    keys: async (signal) =>
      mapped(await ask('GET', '/keys', undefined, signal), (value) => orUnreadable(readKeyRows(value))),
    create: async (type, label, signal) =>
      mapped(await ask('POST', '/keys', { type, ...(label === undefined ? {} : { label }) }, signal), issued),
    rotate: async (keyId, signal) => mapped(await ask('POST', `${idPath(keyId)}/rotate`, {}, signal), issued),
    revoke: async (keyId, signal) => mapped(await ask('DELETE', idPath(keyId), undefined, signal), () => ok(undefined)),
    cheat: async (method, params, signal) => {
      const answer = await ask('POST', '/rpc', { jsonrpc: '2.0', id: 1, method, params }, signal);
      return mapped(answer, (value) => ok(member(value, 'result') ?? null));
    },
    close: () => service.client.close(),
  });
}

type Verb = 'GET' | 'POST' | 'DELETE';

interface Asked {
  readonly method: Verb;
  readonly path: string;
  readonly body?: JsonValue;
}

interface LocalService {
  readonly client: HttpClient;
  readonly base: URL;
  readonly token: Secret;
}

async function question(
  { client, base, token }: LocalService,
  asked: Asked,
  signal: AbortSignal,
): Promise<Result<JsonValue>> {
  const isCall = asked.path.endsWith('/rpc');
  const { result } = await client.exchange(
    {
      origin: base.origin,
      host: shownHost(base),
      method: asked.method,
      path: asked.path,
      headers: [
        ['authorization', `Bearer ${token.reveal()}`],
        ...(asked.body === undefined ? [] : [['content-type', 'application/json'] as const]),
      ],
      ...(asked.body === undefined ? {} : { body: printJson(asked.body) }),
      ...(isCall ? { ids: ['1'] } : {}),
      isBatch: false,
      isSend: false,
      timeoutMs: TIMEOUT_MS,
      limits: { inlineBytes: INLINE_BYTES, maxBytes: INLINE_BYTES },
      // A newly created key must be returned; only the token is redacted.
      redactor: new Redactor([token]),
    },
    signal,
  );
  if (!result.ok) return result;
  if (result.value.error !== undefined) return failed(result.value.error);
  const { body } = result.value;
  if (body.kind === 'text' && body.text.trim() === '') return ok(null);
  const value = body.kind === 'text' ? body.value : undefined;
  return orUnreadable(value);
}

const UNREADABLE: ServiceError = {
  kind: 'protocol',
  message: 'The local service gave an answer that cannot be read.',
  hint: 'Restart the local service.',
};

const mapped = <T>(answer: Result<JsonValue>, read: (value: JsonValue) => Result<T>): Result<T> =>
  answer.ok ? read(answer.value) : answer;

const orUnreadable = <T>(value: T | undefined): Result<T> => (value === undefined ? failed(UNREADABLE) : ok(value));

function issued(value: JsonValue): Result<CreatedKey> {
  const keyId = member(value, 'keyId');
  const key = member(value, 'key');
  return typeof keyId === 'string' && typeof key === 'string' && key !== ''
    ? ok({ keyId, key: new Secret(key) })
    : failed(UNREADABLE);
}

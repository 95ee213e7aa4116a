// Who is asking: reads the keys a request presents and decides what they open (docs/local-service.md, "Keys").
// Never names a secret in an answer.
import type { Purse, Verdict } from './allowance';
import { KEY_TYPE_NAMES, type ApiKey, type KeyType, type Keyring } from './keyring';
import type { Query } from '../guard/target';

/** The payer of a call: a key, or anyone where no key is required. */
export interface Payer {
  readonly keyId: string;
  readonly type: KeyType;
  readonly allowance: Purse;
}

/** An answer of 401 or 403 before any work is done. */
export interface AccessRefusal {
  readonly status: 401 | 403;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /** The key that was refused, where one was recognised: its usage counts the refusal. */
  readonly key?: Payer;
}

export type Access<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: AccessRefusal };

/** The headers of an answer that refuses. */
export function refusalHeaders(refusal: AccessRefusal): Record<string, string> {
  return {
    ...(refusal.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(refusal.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) }),
  };
}

const refuse = (refusal: AccessRefusal): { readonly ok: false; readonly refusal: AccessRefusal } => ({
  ok: false,
  refusal,
});

/** The methods a SWQoS key opens on its own. */
const SEND = 'sendTransaction';

const BEARER = /^Bearer +(\S+)$/i;

/**
 * The keys of a request: `Authorization: Bearer KEY`, `?api_key=KEY`, or one in each. Every key presented must be a
 * living one: a wrong key refuses the request even where the other is good. A suspended key refuses it with 403.
 */
export function identify(
  keyring: Keyring,
  presented: { readonly authorization: string | undefined; readonly query: Query; readonly connection?: object },
  now: number,
): Access<readonly ApiKey[]> {
  const secrets = presented.query.getAll('api_key');
  if (presented.authorization !== undefined) {
    const bearer = BEARER.exec(presented.authorization)?.[1];
    if (bearer === undefined)
      return refuse({ status: 401, message: 'The Authorization header must be "Bearer <API key>"' });
    secrets.unshift(bearer);
  }
  if (secrets.length === 0) return refuse({ status: 401, message: 'An API key is required' });
  const keys: ApiKey[] = [];
  for (const secret of secrets) {
    const key = keyring.find(secret, presented.connection);
    if (key === undefined) return refuse({ status: 401, message: 'The API key is not valid' });
    keys.push(key);
  }
  for (const key of keys) {
    const { suspension } = key.allowance;
    if (suspension.remaining(now) > 0) return refuse(suspended(key, suspension.wholeSeconds(now)));
  }
  return { ok: true, value: keys };
}

/** Takes one request from a payer's plan; answers why it may not be taken. */
export function takeRequest(
  keyring: Keyring,
  { keyId, allowance }: Payer,
  now: number,
): Exclude<Verdict, { readonly kind: 'granted' }> | undefined {
  const cost = { requests: 1, sends: 0 };
  const verdict = allowance.ask(cost, now);
  if (verdict.kind !== 'granted') return verdict;
  allowance.spend(cost, now);
  keyring.used(keyId);
  return undefined;
}

export function suspended(key: Payer, retryAfterSeconds: number): AccessRefusal {
  const message = `The API key ${key.keyId} is temporarily suspended; it works again in ${retryAfterSeconds} s`;
  return { status: 403, message, retryAfterSeconds, key };
}

/** Which key pays for a call of JSON-RPC or PubSub. */
export interface RpcPayers {
  /** The key that is billed for `method`; `undefined` when the keys presented do not open it. */
  payerOf(method: string): Payer | undefined;
  /** The key that pays for what names no method. */
  readonly first: Payer;
}

/** JSON-RPC takes an RPC key, an RPC and a SWQoS key (sends are billed to the latter), or a SWQoS key for sends alone. */
export function rpcPayers(keys: readonly ApiKey[]): Access<RpcPayers> {
  const rpc = keys.find((key) => key.type === 'rpc');
  const swqos = keys.find((key) => key.type === 'swqos');
  const other = keys.find((key) => key !== rpc && key !== swqos && key.type === 'grpc');
  const first = rpc ?? swqos;
  if (other !== undefined || first === undefined) {
    return refuse(wrongKeyType(other ?? keys[0], 'rpc', 'JSON-RPC'));
  }
  return {
    ok: true,
    value: { first, payerOf: (method) => (method === SEND ? (swqos ?? rpc) : rpc) },
  };
}

/** The refusal of a key that does not open `what`; `needs` is the type that does. */
export function wrongKeyType(key: Payer | undefined, needs: KeyType, what: string): AccessRefusal {
  const named = key === undefined ? 'This key' : `Key type ${KEY_TYPE_NAMES[key.type].replace(' Key', '')}`;
  const article = needs === 'rpc' ? 'an' : 'a';
  const message = `${named} cannot be used for ${what}; ${article} ${KEY_TYPE_NAMES[needs]} is required`;
  return { status: 403, message, ...(key === undefined ? {} : { key }) };
}

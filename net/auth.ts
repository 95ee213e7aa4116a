// Asks for the keys of a target and puts them where its profile says. The only place where a key meets an HTTP request.
import { failed, ok, type Result, type ServiceError } from '../core/errors';
import type { AuthForm, KeyQuery } from '../core/profile';
import type { Secret } from '../core/secret';
import { orAborted } from './aborts';
import type { KeyLease, KeyPort, Target } from './api';
import { headerOf, type HeaderPairs } from './headers';
import type { KeyWatch } from './suspensions';
import { isLoopback, queryFor, shownHost } from './target';

/** A request line's path and the headers that carry keys; holds keys, so it never leaves net. */
export interface Dressed {
  readonly path: string;
  readonly headers: HeaderPairs;
}

/** A key with the way it travels. */
export interface Worn {
  readonly lease: KeyLease;
  readonly auth: AuthForm;
}

const NAMES = { rpc: 'RPC', grpc: 'gRPC', swqos: 'SWQoS' } as const;
/** What a header can carry and a URL can hold once encoded. */
const SENDABLE = /^[\x21-\x7e]{1,4096}$/;

const ENCRYPTED = new Set(['https:', 'wss:']);

/** Every key the target needs, or the refusal: `noKey`, which names the host, or `suspended`. Throws where `signal` is aborted. */
export async function keysFor(
  target: Target,
  keys: KeyPort,
  label: string | undefined,
  signal: AbortSignal,
  suspensions: Pick<KeyWatch, 'refusal'>,
): Promise<Result<readonly Worn[]>> {
  const wanted = [target, ...(target.beside === undefined ? [] : [target.beside])];
  const worn: Worn[] = [];
  for (const { auth, keyType } of wanted) {
    if (auth === 'none') continue;
    // A label chooses among the keys of the target's own type; the key beside it is the default one.
    const query = queryFor({ ...target, keyType }, keyType === target.keyType ? label : undefined);
    const answer = await orAborted(keys.key(query, signal), signal).catch(() => undefined);
    signal.throwIfAborted();
    if (answer === undefined) return failed(unread(target, keyType));
    if (answer.kind === 'none') return failed(noKey(target, keyType, query.label));
    worn.push({ lease: answer.lease, auth });
  }
  const suspended = suspensions.refusal(target, worn);
  return suspended === undefined ? ok(worn) : failed(suspended);
}

function noKey(target: Target, keyType: KeyQuery['type'], label: string | undefined): ServiceError {
  const host = shownHost(target.url);
  const named = label === undefined ? '' : ' of this label';
  return {
    kind: 'noKey',
    host,
    keyType,
    message: `No ${NAMES[keyType]} key${named} is stored for ${host}.`,
    hint: 'Add a key for this host; a key stored for another host is never sent to it.',
  };
}

function unread(target: Target, keyType: KeyQuery['type']): ServiceError {
  const host = shownHost(target.url);
  return {
    kind: 'noKey',
    host,
    keyType,
    message: `The ${NAMES[keyType]} key for ${host} could not be read.`,
    hint: 'Try again; if it stays so, store the key again.',
  };
}

/** The path and the headers with the keys in their places. */
export function dress(target: Target, worn: readonly Worn[]): Result<Dressed> {
  const host = shownHost(target.url);
  // The target was settled with this rule; it is kept here too, where the key is in hand.
  if (worn.length > 0 && !ENCRYPTED.has(target.url.protocol) && !isLoopback(target.url))
    return failed({
      kind: 'invalidRequest',
      message: `A key is never sent to ${host} over an unencrypted connection.`,
    });
  let path = target.url.pathname;
  let search = target.url.search;
  const headers: (readonly [string, string])[] = [];
  for (const { lease, auth } of worn) {
    const key = lease.secret.reveal();
    if (!SENDABLE.test(key))
      return failed({
        kind: 'invalidRequest',
        message: `The key stored for ${host} holds characters that cannot be sent.`,
        hint: 'Store it again, without spaces and line breaks.',
      });
    const header = headerOf(auth);
    if (header !== undefined) headers.push([header, auth === 'bearer' ? `Bearer ${key}` : key]);
    else if (auth === 'query') search += `${search === '' ? '?' : '&'}api_key=${encodeURIComponent(key)}`;
    else {
      // A function as replacement: a "$&" in a key would be read as a pattern.
      path = path.replace(/%7Bkey%7D/i, () => encodeURIComponent(key));
      search = search.replace(/\{key\}|%7Bkey%7D/i, () => encodeURIComponent(key));
    }
  }
  return ok({ path: path + search, headers });
}

export const secretsOf = (worn: readonly Worn[]): readonly Secret[] => worn.map(({ lease }) => lease.secret);

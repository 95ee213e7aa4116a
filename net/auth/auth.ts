// Requests the keys of a target and puts them where its profile says. The only place that adds a key to an HTTP request.
import { withoutTrailing } from '../../core/solana/common/ends';
import { failed, ok, type Result, type ServiceError } from '../../core/service/errors';
import { AUTH_FORMS, keyPlacement, type AuthForm } from '../../core/service/keys/authForm';
import { isLoopback, sameOrigin } from '../../core/service/profiles/origin';
import type { KeyQuery } from '../../core/service/profiles/profile';
import { matchAddress } from '../../core/service/providers/match';
import { withoutKeyPlace } from '../../core/service/providers/urlText';
import { Secret } from '../../core/service/keys/secret';
import { encodeBase64 } from '../../core/solana/encoding/base64';
import { orAborted } from '../aborts';
import type { AttachedKey, KeyLease, KeyPort, KeyWatch, SendTarget } from '../api';
import type { HeaderPairs } from '../target/headers';
import { queryFor, shownHost } from '../target/target';

/** A request line's path and the headers that carry keys; holds keys, so it never leaves net. */
export interface AuthorizedRequest {
  readonly path: string;
  readonly headers: HeaderPairs;
}

const NAMES = { rpc: 'RPC', grpc: 'gRPC', swqos: 'SWQoS' } as const;
/** Characters valid in a header, and in a URL once encoded. */
const SENDABLE = /^[\x21-\x7e]{1,4096}$/;

const ENCRYPTED = new Set(['https:', 'wss:']);

/** The source of keys, and which of them are suspended. */
export interface KeyAccess {
  readonly keys: KeyPort;
  readonly suspensions: Pick<KeyWatch, 'refusal'>;
}

/** Interprets an error with regard to the sent keys: a service that refuses a request without any needs one. */
export function explained(target: SendTarget, attached: readonly AttachedKey[], error: ServiceError): ServiceError {
  const isRefused = error.kind === 'keyRejected' || error.kind === 'wrongKeyType';
  if (!isRefused) return error;
  const host = shownHost(target.url);
  if (target.isKeyless === true) return keyless(host, error.httpStatus);
  if (target.isKeyOptional !== true || attached.length > 0) return ofProvider(target, error, host);
  const { keyType } = target;
  const message = `${host} refused the request without a key, and no ${NAMES[keyType]} key is stored for it.`;
  return { kind: 'noKey', host, keyType, message, hint: `Add a key for ${host}.` };
}

/** Refused as asked for: no key is missing, and none was rejected. */
function keyless(host: string, httpStatus: number | undefined): ServiceError {
  // Over gRPC the refusal may be in the trailers of an answer with 200.
  const said = httpStatus === undefined || httpStatus < 400 ? '' : ` (HTTP ${httpStatus})`;
  return {
    kind: 'unauthorized',
    ...(httpStatus !== undefined && { httpStatus }),
    message: `${host} refused the request, which was asked without a key${said}.`,
    hint: 'It says "# @auth none": take that out to send the stored key.',
  };
}

/** Only the hosted service has types of keys and says so with 403; elsewhere that is a key that is not known. */
function ofProvider(target: SendTarget, error: ServiceError, host: string): ServiceError {
  if (error.kind !== 'wrongKeyType' || error.httpStatus === undefined) return error;
  const provider = matchAddress(target.url.href, target.interface)?.provider.id;
  if (provider === undefined || provider === 'hosted') return error;
  const { httpStatus } = error;
  return {
    kind: 'keyRejected',
    httpStatus,
    message: `${host} refused the key (HTTP ${httpStatus}).`,
    hint: 'Check the key in the dashboard, and whether its plan and its list of allowed addresses admit this request.',
  };
}

/** Every key the target needs, or the refusal: `noKey`, which names the host, or `suspended`. Throws if aborted. */
export async function keysFor(
  { keys, suspensions }: KeyAccess,
  target: SendTarget,
  label: string | undefined,
  signal: AbortSignal,
): Promise<Result<readonly AttachedKey[]>> {
  const wanted = [target, ...(target.beside === undefined ? [] : [target.beside])];
  const attached: AttachedKey[] = [];
  for (const { auth, keyType } of wanted) {
    if (auth === 'none') continue;
    // A label chooses among the keys of the target's own type; the second key is always the default one.
    const query = queryFor(target, keyType, keyType === target.keyType ? label : undefined);
    const answer = await orAborted(keys.key(query, signal), signal).catch(() => undefined);
    signal.throwIfAborted();
    if (answer === undefined) return failed(unread(target, keyType));
    if (answer.kind === 'none') {
      if (target.isKeyOptional === true) continue;
      return failed(noKey(target, keyType, query.label));
    }
    const key = travels(target, answer.lease, auth);
    if (key === undefined) return failed(noPlace(target));
    attached.push(key);
  }
  const suspended = suspensions.refusal(target, attached);
  return suspended === undefined ? ok(attached) : failed(suspended);
}

/** How a key is sent to a target: as saved if the profile is not the user's. Undefined if it must not be sent there. */
function travels(target: SendTarget, lease: KeyLease, auth: AuthForm): AttachedKey | undefined {
  const way = target.profile.source === 'workspace' ? lease.way : undefined;
  if (way?.auth === 'path') {
    const placed = placedUrl(way.url ?? '', target.url);
    return placed === undefined ? undefined : { lease, auth: way.auth, placed };
  }
  return target.needsPlace === true ? undefined : { lease, auth: way?.auth ?? auth };
}

/** The saved URL with the target's other parameters; undefined if the target has another path. */
function placedUrl(template: string, target: URL): URL | undefined {
  const bare = withoutKeyPlace(template);
  if (!URL.canParse(bare) || !sameOrigin(bare, target.href)) return undefined;
  const path = (url: string): string => withoutTrailing(new URL(withoutKeyPlace(url)).pathname, '/');
  if (path(template) !== path(target.href)) return undefined;
  const placed = new URL(template);
  for (const [name, value] of new URL(withoutKeyPlace(target.href)).searchParams)
    if (!placed.searchParams.has(name))
      placed.search += `${placed.search === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
  return placed;
}

function noPlace(target: SendTarget): ServiceError {
  const host = shownHost(target.url);
  return {
    kind: 'invalidRequest',
    message: `The key stored for ${host} has no place at this address; nothing was sent.`,
    hint: 'A project does not say where {key} goes: add the endpoint to your own settings by its address, with its key.',
  };
}

function noKey(target: SendTarget, keyType: KeyQuery['type'], label: string | undefined): ServiceError {
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

function unread(target: SendTarget, keyType: KeyQuery['type']): ServiceError {
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
export function authorize(target: SendTarget, attached: readonly AttachedKey[]): Result<AuthorizedRequest> {
  const host = shownHost(target.url);
  // The target was settled by this rule; enforced again here, where the key is available.
  if (attached.length > 0 && !ENCRYPTED.has(target.url.protocol) && !isLoopback(target.url))
    return failed({
      kind: 'invalidRequest',
      message: `A key is never sent to ${host} over an unencrypted connection.`,
    });
  const saved = attached.find(({ placed }) => placed !== undefined)?.placed;
  const url = attached.length === 0 ? (target.keylessUrl ?? target.url) : (saved ?? target.url);
  let path = url.pathname;
  let search = url.search;
  const headers: (readonly [string, string])[] = [];
  for (const { lease, auth } of attached) {
    const key = lease.secret.reveal();
    if (!SENDABLE.test(key))
      return failed({
        kind: 'invalidRequest',
        message: `The key stored for ${host} holds characters that cannot be sent.`,
        hint: 'Store it again, without spaces and line breaks.',
      });
    const place = keyPlacement(auth);
    switch (place?.kind) {
      case 'header':
        if (place.scheme === 'Basic' && !key.includes(':')) return failed(notBasic(host));
        headers.push([place.name.toLowerCase(), credentials(place.scheme, key)]);
        break;
      case 'query':
        search += `${search === '' ? '?' : '&'}${place.name}=${encodeURIComponent(key)}`;
        break;
      case 'path':
        // A function as replacement: a "$&" in a key would be read as a pattern.
        path = path.replace(/%7Bkey%7D/i, () => encodeURIComponent(key));
        search = search.replace(/\{key\}|%7Bkey%7D/i, () => encodeURIComponent(key));
        break;
      default:
        // A form that was not checked: the key stays here.
        return failed(unknownForm(host));
    }
  }
  return ok({ path: path + search, headers });
}

function credentials(scheme: 'Bearer' | 'Basic' | undefined, key: string): string {
  if (scheme === undefined) return key;
  return `${scheme} ${scheme === 'Basic' ? encodeBase64(new TextEncoder().encode(key)) : key}`;
}

const notBasic = (host: string): ServiceError => ({
  kind: 'invalidRequest',
  message: `The profile sends the key for ${host} as "basic", and the stored key is not USER:PASSWORD.`,
  hint: 'Store it again as USER:PASSWORD, or change "auth" in the profile.',
});

const unknownForm = (host: string): ServiceError => ({
  kind: 'invalidRequest',
  message: `The profile does not say in a known form how the key for ${host} travels; nothing was sent.`,
  hint: `Known forms of "auth": ${AUTH_FORMS}.`,
});

/** Secrets to redact from an answer: the keys, and the password of each that is sent as USER:PASSWORD. */
export const attachedSecrets = (attached: readonly AttachedKey[]): readonly Secret[] =>
  attached.flatMap(({ lease, auth }) => {
    const { secret } = lease;
    if (auth !== 'basic') return [secret];
    const text = secret.reveal();
    return [secret, new Secret(text.slice(text.indexOf(':') + 1))];
  });

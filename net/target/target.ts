// Determines a request's target before any key is requested: URL, origin, form of the key, or a refusal that names the
// host. Pure: opens nothing and loads no transport, so front ends may import it at start.
import { failed, ok, type KeyType, type Result, type ServiceError } from '../../core/service/errors';
import { isLoopback, sameOrigin } from '../../core/service/profiles/origin';
import { AUTH_FORMS, isAuthForm, keyPlacement, type AuthForm } from '../../core/service/keys/authForm';
import { keyForms, statedForm, urlMember } from '../../core/service/providers/forms';
import { keysInUrl, type KeyInUrl } from '../../core/service/providers/keyPlaces';
import { hasKeyPlace, keylessAddress, withoutKeyPlace } from '../../core/service/providers/urlText';
import { bundleUrl, isBundleMethod, wayAt } from '../../core/service/providers/ways';
import type {
  EndpointProfile,
  Interface,
  KeyQuery,
  PlacedProfile,
  ProfileFault,
} from '../../core/service/profiles/profile';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { SendTarget } from '../api';
import { bringsCredential, refuseHeaders, type HeaderPairs } from './headers';

interface InterfaceFacts {
  readonly keyType: KeyType;
  readonly schemes: readonly string[];
}

const HTTP = ['https:', 'http:'];

/** Per kind of request: the type of its key and how its URL begins. */
const FACTS: Readonly<Record<Interface, InterfaceFacts>> = {
  rpc: { keyType: 'rpc', schemes: HTTP },
  swqos: { keyType: 'swqos', schemes: HTTP },
  ws: { keyType: 'rpc', schemes: ['wss:', 'ws:'] },
  grpc: { keyType: 'grpc', schemes: HTTP },
  rest: { keyType: 'rpc', schemes: HTTP },
};

const SLOT_OF = { POST: 'rpc', SWQOS: 'swqos', WS: 'ws', GRPC: 'grpc' } as const;

const PLAINTEXT = new Set(['http:', 'ws:']);

/** Where `path` puts the key, as `URL` writes it: percent-encoded in the path, as it is in the query. */
const PLACE = /%7Bkey%7D|\{key\}/gi;

/** Settles a request of a file. Every refusal is `invalidRequest` or `wrongKeyType`; nothing was sent. */
export function settle(
  placed: PlacedProfile | undefined,
  request: Pick<PreparedRequest, 'transport' | 'method' | 'url' | 'headers' | 'isKeyless'>,
): Result<SendTarget> {
  const slot = SLOT_OF[request.transport];
  const bundles = slot === 'swqos' && isBundleMethod(request.method) ? atBundles(placed, request.url) : undefined;
  const wrong =
    refuseHeaders(request.headers) ?? (bundles === undefined ? refuseMethod(slot, request.method) : undefined);
  if (wrong !== undefined) return failed(wrong);
  const { profile = placed, url = request.url } = bundles ?? {};
  const { headers, isKeyless } = request;
  return settleSlot(profile, slot, { url, headers, ...(isKeyless && { isKeyless }) });
}

/** The address for bundles: a sender's separate one, from the request's URL or the profile. */
function atBundles(
  placed: PlacedProfile | undefined,
  own: string | undefined,
): { readonly profile?: PlacedProfile; readonly url?: string } | undefined {
  const named = placed?.profile.swqosUrl;
  const swqosUrl = named === undefined ? undefined : bundleUrl(named);
  const url = own === undefined ? undefined : bundleUrl(own);
  if ((own === undefined ? swqosUrl : url) === undefined) return undefined;
  return {
    ...(placed !== undefined && {
      profile: { ...placed, profile: { ...placed.profile, ...(swqosUrl !== undefined && { swqosUrl }) } },
    }),
    ...(url !== undefined && { url }),
  };
}

/**
 * The profile that says how a key travels to a request's own URL: the named one if it has that origin, else the first
 * other profile that has, the user's before the workspace's; undefined if none has. Without a URL, the named one; for a
 * question about what was sent, the one that has the sender, else the named one.
 */
export function profileFor(
  named: PlacedProfile | undefined,
  { transport, url: own, sentTo }: Pick<PreparedRequest, 'transport' | 'url' | 'sentTo'>,
  known: readonly PlacedProfile[],
): PlacedProfile | undefined {
  const url = own ?? sentTo;
  if (url === undefined) return named;
  const slot = own === undefined ? 'swqos' : SLOT_OF[transport];
  const has = ({ profile }: PlacedProfile): boolean => sameOrigin(profile[urlMember(slot, profile)] ?? '', url);
  if (named !== undefined && has(named)) return named;
  const owners = known.filter(has);
  const owner = owners.find(({ source }) => source !== 'workspace') ?? owners[0];
  return own === undefined ? (owner ?? named) : owner;
}

/** Settles a question to an interface that no file asks: usage, a test of a key. */
export function settleInterface(placed: PlacedProfile, slot: Interface): Result<SendTarget> {
  return settleSlot(placed, slot, { url: undefined, headers: [] });
}

/** The query for a key of the target. */
export function queryFor(
  { profile, origin, interface: face }: SendTarget,
  keyType: KeyQuery['type'],
  label: string | undefined,
): KeyQuery {
  const query = { type: keyType, profile: profile.profile.name, origin, interface: face };
  return label === undefined ? query : { ...query, label };
}

/** The URL of a target, with `{key}` in the key's place. */
export const urlIn = (target: Result<SendTarget>): string | undefined =>
  target.ok ? target.value.url.href : undefined;

/** A host as shown to people: without user, path and query, and never longer than a line. */
export function shownHost(url: URL): string {
  return url.host.length > 100 ? `${url.host.slice(0, 99)}…` : url.host;
}

/** A request's own URL and headers. */
interface OwnWay {
  readonly url: string | undefined;
  readonly headers: HeaderPairs;
  readonly isKeyless?: true;
}

function settleSlot(
  given: PlacedProfile | undefined,
  slot: Interface,
  { url: ownUrl, headers, isKeyless: isAsked }: OwnWay,
): Result<SendTarget> {
  const asksKeyless = isAsked === true;
  const facts = FACTS[slot];
  const member = urlMember(slot, given?.profile);
  if (given?.fault !== undefined && ownUrl === undefined)
    return failed(faulty(given.profile, given.profile[member], given.fault));
  const address = ownUrl ?? given?.profile[member];
  if (address === undefined) return failed(nowhere(given, member));
  const text = asksKeyless ? keylessAddress(address) : address;
  if (text === undefined) return failed(needsKey(address));
  const written = parsed(text);
  const wrong =
    written === undefined ? invalid('The URL of this request cannot be read.', FULL_URL) : refuseUrl(written, facts);
  if (written === undefined || wrong !== undefined) return failed(wrong ?? invalid('There is no URL.', FULL_URL));
  written.hash = '';

  // A host that no profile names is trusted as little as the workspace, and its keys are kept under its own name.
  const named = given?.profile[member];
  const isOwner = given !== undefined && (ownUrl === undefined || sameOrigin(named ?? '', ownUrl));
  const placed: PlacedProfile = isOwner ? given : { profile: { name: written.host }, source: 'workspace' };
  const unsent = slot === 'swqos' ? refuseSender(placed, text) : undefined;
  if (unsent !== undefined) return failed(unsent);
  const forms = keyForms(placed, slot, written.href);
  const unknown = [forms.auth, forms.beside].find((form) => form !== undefined && !isAuthForm(form));
  if (unknown !== undefined)
    return failed(invalid('"auth" in the profile is not a known form.', `Known forms: ${AUTH_FORMS}.`));
  const url = parsed(forms.url) ?? written;

  const credential = [forms.auth, forms.beside ?? 'none'].some((form) => bringsCredential(headers, form));
  // The file may not move the place of a key within a URL, and over plaintext it never brings one about.
  const isElsewhere =
    ownUrl !== undefined && isOwner && statedForm(placed, slot) !== undefined && url.href !== parsed(named ?? '')?.href;
  const isKeyless =
    asksKeyless || credential || (ownUrl !== undefined && PLAINTEXT.has(url.protocol) && !isLoopback(url));
  const usable = (form: AuthForm): AuthForm => (isKeyless || (isElsewhere && form === 'path') ? 'none' : form);
  const auth = usable(forms.auth);
  const beside = forms.beside === undefined || usable(forms.beside) === 'none' ? undefined : forms.beside;
  // A placeholder from the table is removed again if no key is sent.
  let target = auth !== 'path' && beside !== 'path' && !hasKeyPlace(text) ? written : url;
  const needsPlace = placed.source === 'workspace' && auth !== 'path' && auth !== 'none' && hasKeyPlace(target.href);
  if (needsPlace) target = new URL(withoutKeyPlace(target.href));
  const misplaced =
    refusePlace(target, [auth, beside ?? 'none']) ??
    refuseParameter(target, [auth, beside ?? 'none']) ??
    refusePlaintext({ placed, named, facts }, target, auth, credential);
  if (misplaced !== undefined) return failed(misplaced);
  return ok({
    profile: placed,
    interface: slot === 'swqos' && member === 'rpcUrl' ? 'rpc' : slot,
    url: target,
    origin: `${target.protocol}//${target.host}`,
    auth,
    keyType: facts.keyType,
    ...(needsPlace && { needsPlace }),
    ...(target !== written && !hasKeyPlace(text) && { keylessUrl: written }),
    ...(ownUrl !== undefined && !asksKeyless && !credential && !hasKeyPlace(ownUrl) && { isKeyOptional: true }),
    ...(asksKeyless && !credential && { isKeyless: true }),
    ...(beside === undefined ? {} : { beside: { auth: beside, keyType: 'rpc' } }),
  });
}

/** A provider that lands transactions at another address, or nowhere with priority. */
function refuseSender(placed: PlacedProfile, url: string): ServiceError | undefined {
  const { profile } = placed;
  if (profile.swqosUrl !== undefined || statedForm(placed, 'swqos') !== undefined) return undefined;
  if (wayAt('rpc', url)?.auth !== 'path') return undefined;
  return invalid(
    `${shownHost(new URL(url))} has no priority landing at this address.`,
    'Send the transaction with POST, or name a sender as "swqosUrl" in the profile.',
  );
}

/** A profile with an error is not used at all. */
function faulty({ name }: EndpointProfile, url: string | undefined, { message, hint }: ProfileFault): ServiceError {
  const place = url === undefined || !URL.canParse(url) ? '' : ` (${shownHost(new URL(url))})`;
  return invalid(`The endpoint "${name}"${place} cannot be used: ${message}`, hint);
}

/** Without its key it is not an address. */
function needsKey(url: string): ServiceError {
  const written = parsed(url);
  const subject = written === undefined ? 'The URL of this request' : `The URL for ${shownHost(written)}`;
  return invalid(
    `${subject} has its key in the path and cannot be asked without it.`,
    'Take "# @auth none" out of the request.',
  );
}

const FULL_URL = 'Write a complete URL, such as https://HOST/sol.';
const invalid = (message: string, hint: string): ServiceError => ({ kind: 'invalidRequest', message, hint });

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function nowhere(placed: PlacedProfile | undefined, member: string): ServiceError {
  if (placed === undefined)
    return {
      kind: 'noEndpoint',
      message: 'No endpoint is active.',
      hint: 'Choose an existing endpoint, or write a URL on the request line.',
    };
  const option = `--${member.replace('Url', '-url')}`;
  return invalid(
    `This endpoint has no ${member}.`,
    `Add "${member}" to the profile; on a command line, give ${option}.`,
  );
}

function refuseMethod(slot: Interface, method: string): ServiceError | undefined {
  if (slot !== 'swqos' || method === 'sendTransaction') return undefined;
  return {
    kind: 'wrongKeyType',
    needs: 'rpc',
    message: 'A SWQoS key is for sendTransaction alone.',
    hint: 'Send this request with POST, which uses the RPC key.',
  };
}

function refuseUrl(url: URL, facts: InterfaceFacts): ServiceError | undefined {
  if (!facts.schemes.includes(url.protocol) || url.host === '') {
    const schemes = facts.schemes.map((scheme) => `${scheme}//`).join(' or ');
    return invalid(`The URL of this request must begin with ${schemes}.`, FULL_URL);
  }
  const host = shownHost(url);
  const [key] = keysInUrl(url.href);
  return key === undefined ? undefined : invalid(...HELD_KEYS[key.kind](host));
}

/** Why a URL that contains a key is refused, and what to do, by the key's place. */
const HELD_KEYS: Readonly<Record<KeyInUrl['kind'], (host: string) => readonly [string, string]>> = {
  user: (host) => [`The URL for ${host} holds a user name or password.`, 'Take it out and store the key instead.'],
  query: (host) => [
    `The URL for ${host} holds a key in its query; nothing was sent.`,
    'Take the key out of the URL and store it for this endpoint.',
  ],
  path: (host) => [
    `The URL for ${host} holds a key in its path; nothing was sent.`,
    'Write {key} in its place and store the key for this endpoint.',
  ],
};

/** The URL contains `{key}` exactly once if the form is `path`, otherwise never. */
function refusePlace(url: URL, forms: readonly AuthForm[]): ServiceError | undefined {
  const wanted = forms.filter((form) => form === 'path').length;
  const found = `${url.pathname}${url.search}`.match(PLACE)?.length ?? 0;
  if (found === wanted) return undefined;
  if (wanted === 0)
    return invalid(`The URL for ${shownHost(url)} says {key}, but the profile does not put the key there.`, PATH_HINT);
  return invalid(`The URL for ${shownHost(url)} must say {key} exactly once.`, PATH_HINT);
}

/** Refuses a URL that already has the key's parameter: both would be sent. */
function refuseParameter(url: URL, forms: readonly AuthForm[]): ServiceError | undefined {
  for (const form of forms) {
    const place = keyPlacement(form);
    if (place?.kind === 'query' && url.searchParams.has(place.name))
      return invalid(
        `The URL for ${shownHost(url)} already has the parameter ${place.name}, in which the key goes.`,
        'Take it out of the URL, or change "auth" in the profile.',
      );
  }
  return undefined;
}

const PATH_HINT = 'Set "auth" to "path" in your own profile, with {key} once in its URL, or take {key} out.';

/** Plaintext never carries a key off this machine, and leaves it at all only if the user's own profile says so. */
function refusePlaintext(
  { placed, named, facts }: { placed: PlacedProfile; named: string | undefined; facts: InterfaceFacts },
  url: URL,
  auth: AuthForm,
  credential: boolean,
): ServiceError | undefined {
  if (!PLAINTEXT.has(url.protocol) || isLoopback(url)) return undefined;
  const host = shownHost(url);
  const secure = `Use ${facts.schemes[0] ?? 'https:'}//${host}.`;
  if (auth !== 'none' || credential)
    return invalid(`A key is never sent to ${host} over an unencrypted connection.`, secure);
  if (placed.source !== 'workspace' && named !== undefined && sameOrigin(named, url.href)) return undefined;
  return invalid(
    `${host} would be reached over an unencrypted connection.`,
    `${secure} Or name this URL in a profile in your user settings.`,
  );
}

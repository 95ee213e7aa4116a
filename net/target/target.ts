// Settles where a request goes, before any key is asked for: URL, origin, form of the key, or a refusal that names the
// host. Pure: opens nothing and loads no transport, so that shells may import it at start.
import { failed, ok, type KeyType, type Result, type ServiceError } from '../../core/errors';
import { namesKey } from '../../core/keyNames';
import { isLoopback, sameOrigin } from '../../core/origin';
import { AUTH_FORMS, isAuthForm, placementOf, sharePlace, type AuthForm } from '../../core/authForm';
import type { EndpointProfile, Interface, KeyQuery, PlacedProfile, ProfileFault } from '../../core/profile';
import type { PreparedRequest } from '../../core/run/model';
import type { Target } from '../api';
import { bringsCredential, refuseHeaders, type HeaderPairs } from './headers';

type Slot = Interface | 'swqos';

interface SlotFacts {
  readonly interface: Interface;
  readonly keyType: KeyType;
  readonly url: 'rpcUrl' | 'wsUrl' | 'grpcUrl' | 'restUrl';
  readonly schemes: readonly string[];
  /** The form a profile gets that says nothing. */
  readonly auth: AuthForm;
}

const HTTP = ['https:', 'http:'];

/** Per kind of request: the interface it uses and how its key travels by default. */
const SLOTS: Readonly<Record<Slot, SlotFacts>> = {
  rpc: { interface: 'rpc', keyType: 'rpc', url: 'rpcUrl', schemes: HTTP, auth: 'bearer' },
  swqos: { interface: 'rpc', keyType: 'swqos', url: 'rpcUrl', schemes: HTTP, auth: 'query' },
  ws: { interface: 'ws', keyType: 'rpc', url: 'wsUrl', schemes: ['wss:', 'ws:'], auth: 'bearer' },
  grpc: { interface: 'grpc', keyType: 'grpc', url: 'grpcUrl', schemes: HTTP, auth: 'bearer' },
  rest: { interface: 'rest', keyType: 'rpc', url: 'restUrl', schemes: HTTP, auth: 'bearer' },
};

const SLOT_OF = { POST: 'rpc', SWQOS: 'swqos', WS: 'ws', GRPC: 'grpc' } as const;

const PLAINTEXT = new Set(['http:', 'ws:']);

/** Where `path` puts the key, as `URL` writes it: percent-encoded in the path, as it is in the query. */
const PLACE = /%7Bkey%7D|\{key\}/gi;

/** Settles a request of a file. Every refusal is `invalidRequest` or `wrongKeyType`; nothing was sent. */
export function settle(
  placed: PlacedProfile | undefined,
  request: Pick<PreparedRequest, 'transport' | 'method' | 'url' | 'headers'>,
): Result<Target> {
  const slot = SLOT_OF[request.transport];
  const wrong = refuseHeaders(request.headers) ?? refuseMethod(slot, request.method);
  return wrong === undefined ? settleSlot(placed, slot, request.url, request.headers) : failed(wrong);
}

/**
 * The profile that says how a key travels to a request's own URL: the named one if it has that origin, else the first
 * other one that has, the user's before the workspace's; undefined if none has. Without a URL, the named one.
 */
export function profileFor(
  named: PlacedProfile | undefined,
  { transport, url }: Pick<PreparedRequest, 'transport' | 'url'>,
  known: readonly PlacedProfile[],
): PlacedProfile | undefined {
  if (url === undefined) return named;
  const { url: member } = SLOTS[SLOT_OF[transport]];
  const has = ({ profile }: PlacedProfile): boolean => sameOrigin(profile[member] ?? '', url);
  if (named !== undefined && has(named)) return named;
  const owners = known.filter(has);
  return owners.find(({ source }) => source !== 'workspace') ?? owners[0];
}

/** Settles a question to an interface that no file asks: usage, a test of a key. */
export function settleInterface(placed: PlacedProfile, slot: Slot): Result<Target> {
  return settleSlot(placed, slot, undefined, []);
}

/** What is asked of the holder of the keys, for the target's own key. */
export function queryFor({ keyType, profile, origin, interface: face }: Target, label: string | undefined): KeyQuery {
  const query = { type: keyType, profile: profile.profile.name, origin, interface: face };
  return label === undefined ? query : { ...query, label };
}

/** A host as shown to people: without user, path and query, and never longer than a line. */
export function shownHost(url: URL): string {
  return url.host.length > 100 ? `${url.host.slice(0, 99)}…` : url.host;
}

function settleSlot(
  given: PlacedProfile | undefined,
  slot: Slot,
  ownUrl: string | undefined,
  headers: HeaderPairs,
): Result<Target> {
  const facts = SLOTS[slot];
  if (given?.fault !== undefined && ownUrl === undefined)
    return failed(faulty(given.profile, given.profile[facts.url], given.fault));
  const text = ownUrl ?? given?.profile[facts.url];
  if (text === undefined) return failed(nowhere(given, facts));
  const url = parsed(text);
  const wrong =
    url === undefined ? invalid('The URL of this request cannot be read.', FULL_URL) : refuseUrl(url, facts);
  if (url === undefined || wrong !== undefined) return failed(wrong ?? invalid('There is no URL.', FULL_URL));
  url.hash = '';

  // A host that no profile names is trusted as little as the workspace, and its keys are kept under its own name.
  const named = given?.profile[facts.url];
  const isOwner = given !== undefined && (ownUrl === undefined || sameOrigin(named ?? '', ownUrl));
  const placed: PlacedProfile = isOwner ? given : { profile: { name: url.host }, source: 'workspace' };
  const forms = formsOf(placed, slot);
  const unknown = [forms.auth, forms.beside].find((form) => form !== undefined && !isAuthForm(form));
  if (unknown !== undefined)
    return failed(invalid('"auth" in the profile is not a known form.', `Known forms: ${AUTH_FORMS}.`));

  const credential = [forms.auth, forms.beside ?? 'none'].some((form) => bringsCredential(headers, form));
  // The file may not move the place of a key within a URL, and over plaintext it never brings one about.
  const isElsewhere = ownUrl !== undefined && named !== undefined && url.href !== parsed(named)?.href;
  const isKeyless = credential || (ownUrl !== undefined && PLAINTEXT.has(url.protocol) && !isLoopback(url));
  const usable = (form: AuthForm): AuthForm => (isKeyless || (isElsewhere && form === 'path') ? 'none' : form);
  const auth = usable(forms.auth);
  const beside = forms.beside === undefined || usable(forms.beside) === 'none' ? undefined : forms.beside;
  const misplaced =
    refusePlace(url, [auth, beside ?? 'none']) ??
    refuseParameter(url, [auth, beside ?? 'none']) ??
    refusePlaintext(placed, facts, url, auth, credential);
  if (misplaced !== undefined) return failed(misplaced);
  return ok({
    profile: placed,
    interface: facts.interface,
    url,
    origin: `${url.protocol}//${url.host}`,
    auth,
    keyType: facts.keyType,
    ...(ownUrl !== undefined && !credential && { isKeyOptional: true }),
    ...(beside === undefined ? {} : { beside: { auth: beside, keyType: 'rpc' } }),
  });
}

/** How the keys travel. A workspace may say that no key goes; how a stored one goes is the user's to say. */
function formsOf(placed: PlacedProfile, slot: Slot): { readonly auth: AuthForm; readonly beside?: AuthForm } {
  const stated = (name: Slot): AuthForm | undefined => {
    const form = placed.profile.auth?.[name];
    return placed.source === 'workspace' && form !== 'none' ? undefined : form;
  };
  if (slot !== 'swqos') return { auth: stated(slot) ?? SLOTS[slot].auth };
  const rpc = stated('rpc') ?? SLOTS.rpc.auth;
  if (rpc === 'none' && stated('swqos') === undefined) return { auth: 'none' };
  // The two keys cannot share one place: where the RPC key is in the query, the SWQoS key goes as Bearer by default.
  const auth = stated('swqos') ?? (sharePlace(rpc, SLOTS.swqos.auth) ? 'bearer' : SLOTS.swqos.auth);
  // Said to be the same on purpose, or no key at all: the SWQoS key then goes alone (contract, "Authentication" 5).
  return sharePlace(auth, rpc) || auth === 'none' || rpc === 'none' ? { auth } : { auth, beside: rpc };
}

/** A profile that could not be read as it is written is used for nothing. */
function faulty({ name }: EndpointProfile, url: string | undefined, { message, hint }: ProfileFault): ServiceError {
  const place = url === undefined || !URL.canParse(url) ? '' : ` (${shownHost(new URL(url))})`;
  return invalid(`The endpoint "${name}"${place} cannot be used: ${message}`, hint);
}

const FULL_URL = 'Write a complete URL, such as https://HOST/sol.';
const invalid = (message: string, hint: string): ServiceError => ({ kind: 'invalidRequest', message, hint });

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function nowhere(placed: PlacedProfile | undefined, facts: SlotFacts): ServiceError {
  if (placed === undefined)
    return {
      kind: 'noEndpoint',
      message: 'No endpoint is active.',
      hint: 'Choose one that exists, or write a URL on the request line.',
    };
  return invalid(`This endpoint has no ${facts.url}.`, `Add "${facts.url}" to the profile.`);
}

function refuseMethod(slot: Slot, method: string): ServiceError | undefined {
  if (slot !== 'swqos' || method === 'sendTransaction') return undefined;
  return {
    kind: 'wrongKeyType',
    needs: 'rpc',
    message: 'A SWQoS key is for sendTransaction alone.',
    hint: 'Send this request with POST, which uses the RPC key.',
  };
}

function refuseUrl(url: URL, facts: SlotFacts): ServiceError | undefined {
  if (!facts.schemes.includes(url.protocol) || url.host === '') {
    const schemes = facts.schemes.map((scheme) => `${scheme}//`).join(' or ');
    return invalid(`The URL of this request must begin with ${schemes}.`, FULL_URL);
  }
  const host = shownHost(url);
  if (url.username !== '' || url.password !== '')
    return invalid(`The URL for ${host} holds a user name or password.`, 'Take it out and store the key instead.');
  for (const [name, value] of url.searchParams) {
    if (namesKey(name, 'query') && value !== '' && !isPlace(value))
      return invalid(
        `The URL for ${host} holds a key in its query; nothing was sent.`,
        'Take the key out of the URL and store it for this endpoint.',
      );
  }
  return undefined;
}

const isPlace = (value: string): boolean => /^\{key\}$/i.test(value);

/** `{key}` stands exactly once in the URL where the form is `path`, and nowhere else. */
function refusePlace(url: URL, forms: readonly AuthForm[]): ServiceError | undefined {
  const wanted = forms.filter((form) => form === 'path').length;
  const found = `${url.pathname}${url.search}`.match(PLACE)?.length ?? 0;
  if (found === wanted) return undefined;
  if (wanted === 0)
    return invalid(`The URL for ${shownHost(url)} says {key}, but the profile does not put the key there.`, PATH_HINT);
  return invalid(`The URL for ${shownHost(url)} must say {key} exactly once.`, PATH_HINT);
}

/** A parameter of the URL in the place of the key would be sent beside it. */
function refuseParameter(url: URL, forms: readonly AuthForm[]): ServiceError | undefined {
  for (const form of forms) {
    const place = placementOf(form);
    if (place?.kind === 'query' && url.searchParams.has(place.name))
      return invalid(
        `The URL for ${shownHost(url)} already has the parameter ${place.name}, in which the key goes.`,
        'Take it out of the URL, or change "auth" in the profile.',
      );
  }
  return undefined;
}

const PATH_HINT = 'Set "auth" to "path" in your own profile, with {key} once in its URL, or take {key} out.';

/** Plaintext carries no key off this machine, and goes to another one only where the user's own profile says so. */
function refusePlaintext(
  placed: PlacedProfile,
  facts: SlotFacts,
  url: URL,
  auth: AuthForm,
  credential: boolean,
): ServiceError | undefined {
  if (!PLAINTEXT.has(url.protocol) || isLoopback(url)) return undefined;
  const host = shownHost(url);
  const secure = `Use ${facts.schemes[0] ?? 'https:'}//${host}.`;
  if (auth !== 'none' || credential)
    return invalid(`A key is never sent to ${host} over an unencrypted connection.`, secure);
  const named = placed.profile[facts.url];
  if (placed.source !== 'workspace' && named !== undefined && sameOrigin(named, url.href)) return undefined;
  return invalid(
    `${host} would be reached over an unencrypted connection.`,
    `${secure} Or name this URL in a profile of your own settings.`,
  );
}

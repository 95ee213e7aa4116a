// Reads endpoint profiles from settings, solana-rpc.json and the user-level configuration: one reader for editor and
// terminal. Members are checked one by one; a mistake is a fault with a next step, never a silent default. Pure.
import { AUTH_FORMS, isAuthForm, type AuthForm } from '../keys/authForm';
import { isPlanName, PLANS } from './planLimits';
import { originOf } from './origin';
import { GRPC_COMPRESSIONS, type EndpointProfile, type PlacedProfile, type ProfileFault } from './profile';
import {
  isDeeper,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  MAX_DEPTH,
  member,
  printJson,
  type JsonObject,
  type JsonValue,
} from '../../solana/json/json';

export const PROFILE_URLS = ['rpcUrl', 'wsUrl', 'grpcUrl', 'restUrl', 'swqosUrl', 'dashboardUrl'] as const;
export const AUTH_SLOTS = ['rpc', 'ws', 'grpc', 'rest', 'swqos'] as const;

/** A profile with its first mistake, if it has one: then it has only its sound members, and nothing is sent to it. */
export interface ReadProfile {
  readonly profile: EndpointProfile;
  readonly fault?: ProfileFault;
}

/** Thrown and caught here: a mistake in one part of a profile. */
class Faulty extends Error {
  constructor(readonly fault: ProfileFault) {
    super(fault.message);
  }
}

/**
 * The profiles of a list. `value` is parsed with `parseJson`, or comes from `exactly`. An entry without a name gets its
 * position as one, so that its fault can be shown.
 */
export function readProfiles(value: JsonValue | undefined): readonly ReadProfile[] {
  if (value === undefined) return [];
  if (!isJsonArray(value))
    return [
      faulty('endpoints', { message: '"endpoints" is not a list.', hint: 'Write [{ "name": …, "rpcUrl": … }].' }),
    ];
  const taken = new Set<string>();
  return value.map((entry, index) => {
    const read = readProfile(entry, `endpoint ${index + 1}`);
    const { name } = read.profile;
    const own = taken.has(name) ? unusedName(name, taken) : name;
    taken.add(own);
    if (own === name) return read;
    return faulty(own, { message: 'An endpoint before it has the same name.', hint: 'Rename one of them.' });
  });
}

const faulty = (name: string, fault: ProfileFault): ReadProfile => ({ profile: { name }, fault });

function readProfile(entry: JsonValue, position: string): ReadProfile {
  const given = member(entry, 'name');
  const name = typeof given === 'string' ? given.trim() : '';
  if (!isJsonObject(entry))
    return faulty(position, { message: 'It is not an object.', hint: 'Write { "name": …, "rpcUrl": … }.' });
  if (name === '') return faulty(position, { message: 'It has no "name".', hint: 'Give it a name.' });
  let profile: EndpointProfile = { name };
  let fault: ProfileFault | undefined;
  for (const read of [urlsOf, planOf, packsOf, compressionOf, variablesIn, authOf]) {
    try {
      profile = { ...profile, ...read(entry) };
    } catch (error) {
      if (!(error instanceof Faulty)) throw error;
      fault ??= error.fault;
    }
  }
  return { profile, ...(fault !== undefined && { fault }) };
}

function urlsOf(entry: JsonObject): Partial<EndpointProfile> {
  const urls = PROFILE_URLS.flatMap((key) => {
    const url = member(entry, key);
    if (url === undefined || url === '') return [];
    if (typeof url !== 'string' || originOf(url) === undefined)
      throw new Faulty({ message: `${key} is not a complete URL.`, hint: 'Write it with its scheme: https://HOST/…' });
    return [[key, url] as const];
  });
  return Object.fromEntries(urls);
}

function planOf(entry: JsonObject): Partial<EndpointProfile> {
  const plan = member(entry, 'plan');
  if (plan === undefined) return {};
  if (typeof plan === 'string' && isPlanName(plan)) return { plan };
  throw new Faulty({ message: 'plan is unknown.', hint: `Known plans: ${Object.keys(PLANS).join(', ')}.` });
}

function packsOf(entry: JsonObject): Partial<EndpointProfile> {
  const packs = member(entry, 'packs');
  if (packs === undefined) return {};
  if (isJsonArray(packs) && packs.every((pack) => typeof pack === 'string')) return { packs };
  throw new Faulty({ message: 'packs is not a list of method packs.', hint: 'Write their names: ["das", "helius"].' });
}

function compressionOf(entry: JsonObject): Partial<EndpointProfile> {
  const given = member(entry, 'grpcCompression');
  if (given === undefined) return {};
  const grpcCompression = GRPC_COMPRESSIONS.find((one) => one === given);
  if (grpcCompression !== undefined) return { grpcCompression };
  throw new Faulty({ message: 'grpcCompression is unknown.', hint: `Write ${GRPC_COMPRESSIONS.join(', ')}.` });
}

function variablesIn(entry: JsonObject): Partial<EndpointProfile> {
  const variables = member(entry, 'variables');
  if (variables === undefined) return {};
  if (!isJsonObject(variables))
    throw new Faulty({ message: 'variables is not an object.', hint: 'Write { "NAME": VALUE }.' });
  if (isDeeper(variables, MAX_DEPTH))
    throw new Faulty({
      message: `variables is nested deeper than ${MAX_DEPTH} levels.`,
      hint: 'Write less nested values.',
    });
  const rounded = Object.entries(variables).find(([, value]) => isRounded(value));
  if (rounded !== undefined)
    throw new Faulty({
      message: `The variable ${rounded[0]} has a number with more digits than the editor keeps in settings.`,
      hint: 'Write it as a string, or as a number in solana-rpc.json or in the request file: every digit counts there.',
      isRounded: true,
    });
  return { variables: printJson(variables) };
}

function authOf(entry: JsonObject): Partial<EndpointProfile> {
  const stated = member(entry, 'auth');
  if (stated === undefined) return {};
  const hint = `Write none or one of the others per interface (${AUTH_SLOTS.join(', ')}): ${AUTH_FORMS}.`;
  if (!isJsonObject(stated)) throw new Faulty({ message: 'auth is not an object.', hint });
  const auth: Partial<Record<(typeof AUTH_SLOTS)[number], AuthForm>> = {};
  for (const [key, form] of Object.entries(stated)) {
    const slot = AUTH_SLOTS.find((one) => one === key);
    if (slot === undefined) throw new Faulty({ message: 'auth names an interface that does not exist.', hint });
    if (typeof form !== 'string' || !isAuthForm(form))
      throw new Faulty({ message: `auth.${slot} is not a known form.`, hint: `Known forms: ${AUTH_FORMS}.` });
    auth[slot] = form;
  }
  return { auth };
}

/** A number of the settings that was more than a double keeps; made by `exactly` alone. */
class RoundedNumber extends JsonNumber {}

function isRounded(value: JsonValue): boolean {
  if (value instanceof JsonNumber) return value instanceof RoundedNumber;
  if (isJsonArray(value)) return value.some(isRounded);
  return isJsonObject(value) && Object.values(value).some(isRounded);
}

/** A double that up to this many significant digits were read into prints with the same digits. */
const EXACT_DIGITS = 15;

/**
 * A value of the editor's settings, where numbers are doubles already. A number that may have lost digits is marked,
 * and `readProfiles` reports it as a fault.
 */
export function exactly(value: unknown): JsonValue {
  if (typeof value === 'number') return exactNumber(value);
  if (Array.isArray(value)) return value.map(exactly);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, exactly(item)]));
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

function exactNumber(value: number): JsonValue {
  if (Number.isSafeInteger(value)) return value;
  const text = String(value);
  const digits = (text.split('e', 1)[0] ?? '').replace(/\D/g, '').replace(/^0+/, '');
  const isExact = Number.isFinite(value) && !Number.isInteger(value) && digits.length <= EXACT_DIGITS;
  return isExact ? new JsonNumber(text) : new RoundedNumber(text);
}

/**
 * All profiles as one list. A name belongs to the first source that has it: the user, the local service, then the
 * workspace, whose profile of that name becomes `name (workspace)`.
 */
export function mergeProfiles(
  user: readonly ReadProfile[],
  local: EndpointProfile | undefined,
  workspace: readonly ReadProfile[],
): readonly PlacedProfile[] {
  const taken = new Set<string>();
  const place = ({ profile, fault }: ReadProfile, source: PlacedProfile['source']): PlacedProfile => {
    const name = taken.has(profile.name) ? unusedName(profile.name, taken, source) : profile.name;
    taken.add(name);
    return { profile: { ...profile, name }, source, ...(fault !== undefined && { fault }) };
  };
  return [
    ...user.map((one) => place(one, 'user')),
    ...(local === undefined ? [] : [place({ profile: local }, 'local')]),
    ...workspace.map((one) => place(one, 'workspace')),
  ];
}

/** `name (note)`, or with a count where that is taken, too. */
function unusedName(name: string, taken: ReadonlySet<string>, note = ''): string {
  for (let count = 1; ; count++) {
    const words = [note, ...(count > 1 || note === '' ? [String(count + Number(note === ''))] : [])];
    const candidate = `${name} (${words.filter((word) => word !== '').join(' ')})`;
    if (!taken.has(candidate)) return candidate;
  }
}

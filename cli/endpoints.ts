// Endpoint profiles of the terminal: the command line, your own configuration, the project's solana-rpc.json. Decides
// which profile is active and to which origins a key may go; only the first two have a say in that.
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isPlanName } from '../core/limits';
import { isJsonArray, isJsonObject, member, parseJson } from '../core/values/json';
import { originOf } from '../core/origin';
import { isLoopback } from '../net/target';
import { UsageError } from './exit';
import { originsOf } from './keys';
import { escapeLine } from './terminal';
import type { AuthForm, EndpointProfile, PlacedProfile, ProfileSource } from '../core/profile';
import type { JsonValue } from '../core/values/json';
import type { Keys } from './keys';
import type { Given } from './options';

const URLS = ['rpcUrl', 'wsUrl', 'grpcUrl', 'restUrl'] as const;
const SLOTS = ['rpc', 'ws', 'grpc', 'rest', 'swqos'] as const;
const URL_OF_SLOT = { rpc: 'rpcUrl', ws: 'wsUrl', grpc: 'grpcUrl', rest: 'restUrl', swqos: 'rpcUrl' } as const;
const KEY_OF_SLOT = { rpc: 'rpc', ws: 'rpc', grpc: 'grpc', rest: 'rpc', swqos: 'swqos' } as const;
const AUTH_FORM = /^(?:none|bearer|query|path|header:[A-Za-z0-9-]+)$/;

export interface Configuration {
  readonly endpoints: readonly EndpointProfile[];
  readonly endpoint?: string;
  /** Further origins that keys may go to; of the user-level file only. */
  readonly origins: readonly string[];
  /** Keypair files by endpoint; of the user-level file only. */
  readonly wallets: ReadonlyMap<string, string>;
  /** OpenRPC documents, as paths from the file's folder. */
  readonly schemas: readonly string[];
}

const NOTHING: Configuration = { endpoints: [], origins: [], wallets: new Map(), schemas: [] };

export interface Endpoints {
  /** Undefined where nothing was named: requests with a URL of their own still go out. */
  readonly active: PlacedProfile | undefined;
  /** The profile of that name; undefined asks for the active one. */
  find(name: string | undefined): PlacedProfile | undefined;
  /** Origins that keys may go to. */
  readonly keyOrigins: ReadonlySet<string>;
  readonly wallets: ReadonlyMap<string, string>;
  /** OpenRPC documents that the project names. */
  readonly schemas: readonly string[];
}

/** `…/solana-rpc/config.json` below XDG_CONFIG_HOME, else below ~/.config. */
export function userConfigPath(environment: NodeJS.ProcessEnv): string {
  const base = environment['XDG_CONFIG_HOME'] ?? '';
  return path.join(path.isAbsolute(base) ? base : path.join(os.homedir(), '.config'), 'solana-rpc', 'config.json');
}

/** Reads both files and the options. Throws UsageError where one cannot be understood or a name leads nowhere. */
export async function resolveEndpoints(
  given: Given,
  environment: NodeJS.ProcessEnv,
  workspace: string,
  keys: Keys,
): Promise<Endpoints> {
  const user = await readConfiguration(userConfigPath(environment));
  const project = await readConfiguration(path.join(workspace, 'solana-rpc.json'));
  const placed = new Map<string, PlacedProfile>();
  const place = (profile: EndpointProfile, source: ProfileSource): void => {
    const name = source === 'workspace' && placed.has(profile.name) ? `${profile.name} (workspace)` : profile.name;
    placed.set(name, withoutMissingKeys({ profile: { ...profile, name }, source }, keys));
  };
  for (const profile of user.endpoints) place(profile, 'user');
  for (const profile of project.endpoints) place(profile, 'workspace');

  const urls = givenUrls(given);
  const keyOrigins = new Set([
    ...Object.values(urls).flatMap((url) => originOf(url) ?? []),
    ...originsOf(environment['SOLANA_RPC_ORIGIN']),
    ...user.origins,
    ...user.endpoints.flatMap((profile) => URLS.flatMap((key) => originOf(profile[key] ?? '') ?? [])),
  ]);
  const active = activeProfile(given, urls, placed, project.endpoint ?? user.endpoint, keys);
  return {
    active,
    find: (name) => (name === undefined || name === active?.profile.name ? active : placed.get(name)),
    keyOrigins,
    wallets: user.wallets,
    schemas: project.schemas,
  };
}

type Urls = Readonly<Partial<Record<(typeof URLS)[number], string>>>;

function givenUrls(given: Given): Urls {
  const options = { rpcUrl: 'rpc-url', wsUrl: 'ws-url', grpcUrl: 'grpc-url', restUrl: 'rest-url' } as const;
  const urls: Partial<Record<(typeof URLS)[number], string>> = {};
  for (const key of URLS) {
    const text = given.text(options[key]);
    if (text === undefined) continue;
    if (originOf(text) === undefined) throw new UsageError(`--${options[key]} takes a complete URL with its scheme.`);
    urls[key] = text;
  }
  return urls;
}

function activeProfile(
  given: Given,
  urls: Urls,
  placed: ReadonlyMap<string, PlacedProfile>,
  configured: string | undefined,
  keys: Keys,
): PlacedProfile | undefined {
  const asked = given.text('endpoint');
  const hasUrls = Object.keys(urls).length > 0;
  if (asked === undefined && hasUrls) {
    const [first = ''] = Object.values(urls);
    const name = new URL(first).host;
    return withoutMissingKeys({ profile: { name, ...urls }, source: 'user' }, keys);
  }
  const name = asked ?? configured;
  const only = placed.size === 1 ? [...placed.values()][0] : undefined;
  const chosen = name === undefined ? only : placed.get(name);
  if (asked !== undefined && chosen === undefined) {
    const known = [...placed.keys()].map((key) => escapeLine(key)).join(', ');
    throw new UsageError(`There is no endpoint "${escapeLine(asked)}". Known: ${known === '' ? 'none' : known}.`);
  }
  return chosen === undefined || !hasUrls ? chosen : { ...chosen, profile: { ...chosen.profile, ...urls } };
}

/**
 * A profile of your own is used without a key where you gave none at all and it does not say how one travels, one on this
 * machine where you gave none of that type: a plain node needs none. Any other profile without its key is refused by name
 * of its host.
 */
function withoutMissingKeys(placed: PlacedProfile, keys: Keys): PlacedProfile {
  const { profile, source } = placed;
  const auth: Partial<Record<(typeof SLOTS)[number], AuthForm>> = { ...profile.auth };
  for (const slot of SLOTS) {
    const url = profile[URL_OF_SLOT[slot]];
    if (keys.has(KEY_OF_SLOT[slot]) || auth[slot] !== undefined || url === undefined || !URL.canParse(url)) continue;
    // Where keys of other types were given this is no plain node: the one that is missing is named before anything is sent.
    const isPlain = source === 'user' && keys.size === 0;
    if (slot !== 'swqos' && (isPlain || isLoopback(new URL(url)))) auth[slot] = 'none';
  }
  return { profile: { ...profile, auth }, source };
}

/** The variables of a profile, with their digits. */
export function variablesOf(placed: PlacedProfile | undefined): ReadonlyMap<string, JsonValue> {
  const variables = placed?.profile.variables as JsonValue | undefined;
  return new Map(isJsonObject(variables) ? Object.entries(variables) : []);
}

/** The OpenRPC documents that a project's `solana-rpc.json` names. Throws UsageError. */
export async function projectSchemas(workspace: string): Promise<readonly string[]> {
  return (await readConfiguration(path.join(workspace, 'solana-rpc.json'))).schemas;
}

/** A file that is not there is an empty configuration. Throws UsageError for one that cannot be understood. */
async function readConfiguration(file: string): Promise<Configuration> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NOTHING;
    throw new UsageError(`${escapeLine(file)} cannot be read.`);
  }
  const wrong = (what: string): UsageError => new UsageError(`${escapeLine(file)}: ${what}`);
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    throw wrong('this is no JSON.');
  }
  const endpoints = member(value, 'endpoints') ?? [];
  const endpoint = member(value, 'endpoint');
  const origins = member(value, 'origins') ?? [];
  const wallets = member(value, 'wallets') ?? {};
  const schemas = member(value, 'schemas') ?? [];
  if (!isJsonArray(endpoints)) throw wrong('"endpoints" is a list of profiles.');
  if (!isJsonArray(origins)) throw wrong('"origins" is a list of origins.');
  if (!isJsonArray(schemas) || !schemas.every((item) => typeof item === 'string'))
    throw wrong('"schemas" is a list of OpenRPC documents.');
  if (!isJsonObject(wallets)) throw wrong('"wallets" names a keypair file for each endpoint.');
  return {
    endpoints: endpoints.map((item) => profileOf(item) ?? fail(wrong('an endpoint needs a name and complete URLs.'))),
    ...(typeof endpoint === 'string' ? { endpoint } : {}),
    schemas,
    origins: origins.flatMap((item) => (typeof item === 'string' ? (originOf(item) ?? []) : [])),
    wallets: new Map(Object.entries(wallets).flatMap(([key, item]) => (typeof item === 'string' ? [[key, item]] : []))),
  };
}

function fail(error: Error): never {
  throw error;
}

function profileOf(value: JsonValue): EndpointProfile | undefined {
  const name = member(value, 'name');
  if (typeof name !== 'string' || name === '') return undefined;
  const urls: Partial<Record<(typeof URLS)[number], string>> = {};
  for (const key of URLS) {
    const url = member(value, key);
    if (url === undefined) continue;
    if (typeof url !== 'string' || originOf(url) === undefined) return undefined;
    urls[key] = url;
  }
  const plan = member(value, 'plan');
  const variables = member(value, 'variables');
  const stated = member(value, 'auth');
  const auth: Partial<Record<(typeof SLOTS)[number], AuthForm>> = {};
  for (const slot of SLOTS) {
    const form = member(stated, slot);
    if (typeof form === 'string' && AUTH_FORM.test(form)) auth[slot] = form as AuthForm;
  }
  return {
    name,
    ...urls,
    ...(typeof plan === 'string' && isPlanName(plan) ? { plan } : {}),
    ...(isJsonObject(variables) ? { variables } : {}),
    auth,
  };
}

// Endpoint profiles of the terminal: the command line, your own configuration, the project's solana-rpc.json. Decides
// which profile is active and to which origins a key may go; only the first two have a say in that.
import os from 'node:os';
import path from 'node:path';
import { FILE_BYTES } from '../../core/service/fileKinds';
import { isLoopback, originOf } from '../../core/service/profiles/origin';
import { EMPTY_FILE, readProfileFile, type ProfileFile } from '../../core/service/profiles/profileFile';
import { AUTH_SLOTS, mergeProfiles } from '../../core/service/profiles/profileReader';
import { fileRefused, readRegularText } from '../../process/files';
import { statedForm, urlMember } from '../../core/service/providers/forms';
import { hasKeyPlace } from '../../core/service/providers/urlText';
import { UsageError } from '../exit';
import { commandLinePlace, type CommandLinePlace } from './commandLine';
import { listedOrigins, keyWaysByOrigin } from './keys';
import { shownArgument } from './keysInArgv';
import { escapeLine } from '../terminal';
import type { AuthForm } from '../../core/service/keys/authForm';
import type { JsonValue } from '../../core/solana/json/json';
import {
  URL_OF,
  variablesIn,
  type EndpointProfile,
  type Environment,
  type KeyWay,
  type PlacedProfile,
  type ProfileFault,
} from '../../core/service/profiles/profile';
import type { KeysByType } from './keys';
import { walletFiles } from './wallets';
import { DESTINATION, type Given } from '../options';

const KEY_OF_SLOT = { rpc: 'rpc', ws: 'rpc', grpc: 'grpc', rest: 'rpc', swqos: 'swqos' } as const;

export interface Endpoints {
  /** Undefined if no endpoint was named: requests with a URL on their line are still sent. */
  readonly active: PlacedProfile | undefined;
  /** The profile of that name; undefined asks for the active one. */
  find(name: string | undefined): PlacedProfile | undefined;
  /** Every profile of both files. */
  readonly known: readonly PlacedProfile[];
  /** Origins that keys may go to. */
  readonly keyOrigins: ReadonlySet<string>;
  /** Where a key goes in a project's URL, by origin, as the environment says. */
  readonly keyWays: ReadonlyMap<string, KeyWay>;
  /** Keypair files that the user named, by name. */
  readonly wallets: ReadonlyMap<string, string>;
  /** OpenRPC documents that the project names. */
  readonly schemas: readonly string[];
  /** Method packs that the project names. */
  readonly packs: readonly string[];
  /** The variables of `--env`; undefined without one. */
  readonly environment: ReadonlyMap<string, JsonValue> | undefined;
}

/** `…/solana-rpc/config.json` below XDG_CONFIG_HOME, else below ~/.config. */
export function userConfigPath(environment: NodeJS.ProcessEnv): string {
  const base = environment['XDG_CONFIG_HOME'] ?? '';
  return path.join(path.isAbsolute(base) ? base : path.join(os.homedir(), '.config'), 'solana-rpc', 'config.json');
}

const urlsOf = (profile: Partial<EndpointProfile>): readonly string[] =>
  Object.values(URL_OF).flatMap((member) => profile[member] ?? []);

/** Reads both files and the options. Throws UsageError where one cannot be understood or a name leads nowhere. */
export async function resolveEndpoints(
  given: Given,
  environment: NodeJS.ProcessEnv,
  workspace: string,
  keys: KeysByType,
): Promise<Endpoints> {
  const user = await readConfiguration(userConfigPath(environment));
  const project = await readConfiguration(path.join(workspace, 'solana-rpc.json'));
  const chosen = environmentOf(given, project);
  const placed = new Map<string, PlacedProfile>();
  for (const one of mergeProfiles(user.endpoints, undefined, project.endpoints))
    placed.set(one.profile.name, withoutMissingKeys(one, keys));

  const line = commandLinePlace(given);
  const { profile: own } = line;
  const keyOrigins = new Set([
    ...urlsOf(own).flatMap((url) => originOf(url) ?? []),
    ...listedOrigins(environment['SOLANA_RPC_ORIGIN']),
    ...user.origins,
    ...user.endpoints.flatMap(({ profile }) => urlsOf(profile).flatMap((url) => originOf(url) ?? [])),
  ]);
  const asked = given.text('endpoint');
  const active =
    asked === undefined && line.name !== undefined
      ? withoutMissingKeys({ profile: withUrlsFor({ name: line.name, ...own }, own.auth), source: 'user' }, keys)
      : namedProfile(asked, chosen?.endpoint ?? project.endpoint ?? user.endpoint, line, placed);
  return {
    active,
    find: (name) => (name === undefined || name === active?.profile.name ? active : placed.get(name)),
    known: [...placed.values()],
    keyOrigins,
    keyWays: keyWaysByOrigin(environment['SOLANA_RPC_ORIGIN']),
    wallets: walletFiles(given, user.wallets),
    schemas: project.schemas,
    packs: project.packs,
    environment: chosen === undefined ? undefined : variablesIn(chosen.variables),
  };
}

/** The environment that `--env` names. Throws UsageError. */
function environmentOf(given: Given, { environments }: ProfileFile): Environment | undefined {
  const name = given.text('env');
  if (name === undefined) return undefined;
  const found = environments.find((one) => one.name === name);
  if (found !== undefined) return found;
  const known = environments.map((one) => one.name);
  throw unknownName('environment', name, known);
}

export function unknownName(what: 'endpoint' | 'environment', name: string, known: readonly string[]): UsageError {
  const names = known.map((one) => escapeLine(one)).join(', ') || 'none';
  return new UsageError(`There is no ${what} "${escapeLine(shownArgument(name))}". Known: ${names}.`);
}

/** The variables of `--env`, for a command that sends nothing. Throws UsageError. */
export async function givenEnvironment(
  given: Given,
  workspace: string,
): Promise<ReadonlyMap<string, JsonValue> | undefined> {
  if (given.text('env') === undefined) return undefined;
  const found = environmentOf(given, await readConfiguration(path.join(workspace, 'solana-rpc.json')));
  return variablesIn(found?.variables);
}

/**
 * The profile that `--endpoint` asks for, else the configured one, else the only one, with what the command line changes in
 * it. Throws UsageError.
 */
function namedProfile(
  asked: string | undefined,
  configured: string | undefined,
  { profile: own, name: ownName }: CommandLinePlace,
  placed: ReadonlyMap<string, PlacedProfile>,
): PlacedProfile | undefined {
  const hasUrls = ownName !== undefined;
  const name = asked ?? configured;
  const only = placed.size === 1 ? [...placed.values()][0] : undefined;
  const chosen = name === undefined ? only : placed.get(name);
  if (asked !== undefined && chosen === undefined) throw unknownName('endpoint', asked, [...placed.keys()]);
  if (chosen === undefined || (!hasUrls && own.auth === undefined)) {
    if (own.auth !== undefined) throw new UsageError('--auth needs an address: give --rpc-url, or --endpoint NAME.');
    return chosen;
  }
  if (own.auth !== undefined && chosen.source === 'workspace')
    throw new UsageError(
      '--auth is for your own addresses: give the URL on the command line, or put the endpoint into your own configuration.',
    );
  const auth = { ...chosen.profile.auth };
  // Another address has its own place for the key.
  for (const slot of AUTH_SLOTS)
    if (own[URL_OF[slot]] !== undefined && hasKeyPlace(own[URL_OF[slot]] ?? '')) delete auth[slot];
  const merged = { ...chosen.profile, ...own, auth: { ...auth, ...own.auth } };
  return { ...chosen, profile: withUrlsFor(merged, own.auth) };
}

/** Refuses a form for an interface that has no address. Throws UsageError. */
function withUrlsFor(profile: EndpointProfile, forms: EndpointProfile['auth']): EndpointProfile {
  for (const slot of AUTH_SLOTS)
    if (forms?.[slot] !== undefined && profile[urlMember(slot, profile)] === undefined)
      throw new UsageError(`--auth ${slot}=… has no address: give --${slot}-url as well.`);
  return profile;
}

/**
 * A user's profile is used without a key if no keys at all were given and it does not say how its key travels; an endpoint on
 * this machine, if no key of that type was given: a plain node needs no key. Any other profile without its key is refused by
 * the name of its host.
 */
function withoutMissingKeys(placed: PlacedProfile, keys: KeysByType): PlacedProfile {
  const { profile, source } = placed;
  const auth: Partial<Record<(typeof AUTH_SLOTS)[number], AuthForm>> = { ...profile.auth };
  for (const slot of AUTH_SLOTS) {
    const url = profile[urlMember(slot, profile)];
    if (keys.has(KEY_OF_SLOT[slot]) || url === undefined || !URL.canParse(url)) continue;
    if (statedForm({ profile, source: 'user' }, slot) !== undefined) continue;
    // If keys of other types were given, this is not a plain node: the missing one is reported before anything is sent.
    const isPlain = source === 'user' && keys.size === 0;
    if (slot !== 'swqos' && (isPlain || isLoopback(new URL(url)))) auth[slot] = 'none';
  }
  return { profile: { ...profile, auth }, source };
}

/** The endpoint of a name; without one the active endpoint. */
export type FindEndpoint = (name?: string) => EndpointProfile | undefined;

/** The endpoints as the command line says, for a command that sends nothing; undefined where it says nothing of them. */
export async function givenEndpoints(given: Given, environment: NodeJS.ProcessEnv): Promise<FindEndpoint | undefined> {
  if (!DESTINATION.some((option) => given.text(option) !== undefined)) return undefined;
  const endpoints = await resolveEndpoints(given, environment, process.cwd(), new Map());
  return (name) => endpoints.find(name)?.profile;
}

export interface ProjectMethods extends Pick<ProfileFile, 'schemas' | 'packs'> {
  /** The project's endpoint of a name; without one the endpoint that it names as its own. */
  readonly endpointNamed: FindEndpoint;
}

/** The OpenRPC documents and the method packs that a project's `solana-rpc.json` names, and its endpoints. Throws UsageError. */
export async function projectMethods(workspace: string): Promise<ProjectMethods> {
  const { schemas, packs, endpoint, endpoints } = await readConfiguration(path.join(workspace, 'solana-rpc.json'));
  return {
    schemas,
    packs,
    endpointNamed: (name = endpoint) => endpoints.find(({ profile }) => profile.name === name)?.profile,
  };
}

/** A missing file is an empty configuration. Throws UsageError if it cannot be parsed. */
async function readConfiguration(file: string): Promise<ProfileFile> {
  let text: string;
  try {
    text = await readRegularText(file, FILE_BYTES.configuration);
  } catch (error) {
    const { code, message } = fileRefused(error, 'read');
    if (code === 'ENOENT') return EMPTY_FILE;
    throw new UsageError(`${escapeLine(file)} ${message}.`);
  }
  const wrong = ({ message, hint }: ProfileFault): UsageError =>
    new UsageError(escapeLine(`${file}: ${message} ${hint}`, 1_000));
  const read = readProfileFile(text);
  if (read.kind === 'faulty') throw wrong(read.fault);
  for (const { profile, fault } of read.file.endpoints)
    if (fault !== undefined) throw wrong({ ...fault, message: `the endpoint "${profile.name}": ${fault.message}` });
  return read.file;
}

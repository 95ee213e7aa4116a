// Reads solana-rpc.json and the terminal's user-level configuration, which have the same form. Numbers keep their digits. Pure.
import { originOf } from './origin';
import type { Environment, ProfileFault } from './profile';
import { readProfiles, type ReadProfile } from './profileReader';
import { isJsonArray, isJsonObject, jsonOf, member, printJson, type JsonValue } from '../../solana/json/json';

export interface ProfileFile {
  readonly endpoints: readonly ReadProfile[];
  readonly endpoint?: string;
  /** Further origins that keys may go to; only the user-level file has a say in that. */
  readonly origins: readonly string[];
  /** Keypair files by endpoint; of the user-level file only. */
  readonly wallets: ReadonlyMap<string, string>;
  /** OpenRPC documents, as paths from the file's folder. */
  readonly schemas: readonly string[];
  /** Method packs that the project uses, by name. */
  readonly packs: readonly string[];
  /** Of a project. */
  readonly environments: readonly Environment[];
}

export const EMPTY_FILE: ProfileFile = {
  endpoints: [],
  origins: [],
  wallets: new Map(),
  schemas: [],
  packs: [],
  environments: [],
};

/** A file as a whole, or why it cannot be used. Faults of single profiles are with them. */
export type ReadFile =
  | { readonly kind: 'file'; readonly file: ProfileFile }
  | { readonly kind: 'faulty'; readonly fault: ProfileFault };

export function readProfileFile(text: string): ReadFile {
  const value = jsonOf(text.replace(/^\ufeff/, ''));
  if (value === undefined) return wrong('this is not JSON.', 'Correct it; comments and trailing commas are not JSON.');
  if (!isJsonObject(value)) return wrong('this is not an object.', 'Write { "endpoints": […], "endpoint": "NAME" }.');
  const endpoint = member(value, 'endpoint');
  const origins = member(value, 'origins') ?? [];
  const wallets = member(value, 'wallets') ?? {};
  const schemas = member(value, 'schemas') ?? [];
  const packs = member(value, 'packs') ?? [];
  const environments = environmentsIn(member(value, 'environments') ?? {});
  if (environments === undefined)
    return wrong(
      '"environments" does not name an object for each environment.',
      'Write { "dev": { "endpoint": "NAME", "variables": { … } } }.',
    );
  if (endpoint !== undefined && typeof endpoint !== 'string')
    return wrong('"endpoint" is not a name.', 'Write the name of an endpoint.');
  if (!isTexts(origins)) return wrong('"origins" is not a list of origins.', 'Write ["https://HOST"].');
  if (!isTexts(schemas)) return wrong('"schemas" is not a list of OpenRPC documents.', 'Write their paths.');
  if (!isTexts(packs)) return wrong('"packs" is not a list of method packs.', 'Write their names: ["das", "helius"].');
  if (!isJsonObject(wallets) || !isTexts(Object.values(wallets)))
    return wrong('"wallets" does not name a keypair file for each endpoint.', 'Write { "NAME": "FILE" }.');
  const paths = Object.entries(wallets).flatMap(([key, path]) =>
    typeof path === 'string' ? [[key, path] as const] : [],
  );
  const file = {
    endpoints: readProfiles(member(value, 'endpoints')),
    ...(endpoint !== undefined && { endpoint }),
    schemas,
    packs,
    environments,
    origins: origins.flatMap((item) => originOf(item) ?? []),
    wallets: new Map(paths),
  };
  return { kind: 'file', file };
}

/** Undefined where one of them cannot be read. */
function environmentsIn(value: JsonValue): readonly Environment[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const read = Object.entries(value).map(([name, one]): Environment | undefined => {
    const endpoint = member(one, 'endpoint');
    const variables = member(one, 'variables') ?? {};
    if (!isJsonObject(one) || !isJsonObject(variables)) return undefined;
    if (endpoint !== undefined && typeof endpoint !== 'string') return undefined;
    return { name, variables: printJson(variables), ...(endpoint !== undefined && { endpoint }) };
  });
  return read.every((one) => one !== undefined) ? read : undefined;
}

const wrong = (message: string, hint: string): ReadFile => ({ kind: 'faulty', fault: { message, hint } });

function isTexts(value: JsonValue): value is readonly string[] {
  return isJsonArray(value) && value.every((item) => typeof item === 'string');
}

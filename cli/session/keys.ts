// Keys of the terminal: from the environment or standard input, and the origins they may go to. Nothing of a project
// decides about either.
import { originOf } from '../../core/service/profiles/origin';
import type { KeyWay } from '../../core/service/profiles/profile';
import { hasKeyPlace } from '../../core/service/providers/urlText';
import { takesRpcKey } from '../../core/service/providers/ways';
import { Secret } from '../../core/service/keys/secret';
import { UsageError } from '../exit';
import { readAll } from './given';
import type { KeyType } from '../../core/service/errors';
import type { KeyPort } from '../../net/api';

const VARIABLES: Readonly<Record<KeyType, string>> = {
  rpc: 'SOLANA_RPC_KEY',
  grpc: 'SOLANA_GRPC_KEY',
  swqos: 'SOLANA_SWQOS_KEY',
};
const TYPES: readonly KeyType[] = ['rpc', 'grpc', 'swqos'];
/** Longer standard input is not a list of keys. */
const MAX_STDIN = 16_384;

export type KeysByType = ReadonlyMap<KeyType, Secret>;

/** Keys of the environment; those of standard input outrank them. Throws UsageError. */
export async function readGivenKeys(
  environment: NodeJS.ProcessEnv,
  stdin: AsyncIterable<Buffer> | undefined,
): Promise<KeysByType> {
  const keys = new Map<KeyType, Secret>();
  for (const type of TYPES) {
    const text = environment[VARIABLES[type]]?.trim() ?? '';
    if (text !== '') keys.set(type, new Secret(text));
  }
  if (stdin === undefined) return keys;
  const text = await readAll(stdin, MAX_STDIN, 'Standard input is too long for keys.');
  return new Map([...keys, ...parseKeys(text)]);
}

/** Whether the user gave a key at all. */
export const givesKeys = (environment: NodeJS.ProcessEnv, isOnStdin: boolean): boolean =>
  isOnStdin || TYPES.some((type) => (environment[VARIABLES[type]]?.trim() ?? '') !== '');

/** One line: the RPC key. Or lines `rpc=KEY`, `grpc=KEY`, `swqos=KEY`. The sentence of a refusal repeats nothing. */
export function parseKeys(text: string): KeysByType {
  const keys = new Map<KeyType, Secret>();
  const lines = text.split('\n').map((line) => line.trim());
  for (const line of lines) {
    if (line === '') continue;
    const named = /^(rpc|grpc|swqos)=(.+)$/.exec(line);
    const type = TYPES.find((candidate) => candidate === named?.[1]) ?? 'rpc';
    if (keys.has(type)) throw new UsageError('Standard input holds two keys of the same type.');
    keys.set(type, new Secret(named?.[2] ?? line));
  }
  if (keys.size === 0) throw new UsageError('Standard input holds no key.');
  return keys;
}

/** The origins in SOLANA_RPC_ORIGIN: separated by commas or blanks. Throws UsageError. */
export function listedOrigins(text: string | undefined): readonly string[] {
  const words = (text ?? '').split(/[\s,]+/).filter((word) => word !== '');
  return words.map((word) => {
    const origin = originOf(word);
    if (origin === undefined) throw new UsageError('SOLANA_RPC_ORIGIN is not an origin.');
    return origin;
  });
}

/** Entries of SOLANA_RPC_ORIGIN that say `{key}`: the key's place in a project's URL of that origin. By origin. */
export function keyWaysByOrigin(text: string | undefined): ReadonlyMap<string, KeyWay> {
  const words = (text ?? '').split(/[\s,]+/).filter((word) => hasKeyPlace(word));
  return new Map(words.map((url) => [originOf(url) ?? '', { auth: 'path', url }]));
}

/** Gives a key to exactly the origins that were allowed, and to no other. */
export function keyPort(
  keys: KeysByType,
  allowed: ReadonlySet<string>,
  ways: ReadonlyMap<string, KeyWay> = new Map(),
): KeyPort {
  return {
    // A label chooses among stored keys; a terminal has one of each type, so `@key` changes nothing here.
    async key({ type, origin }) {
      const isShared = type === 'grpc' && !keys.has('grpc') && takesRpcKey(origin);
      const secret = keys.get(isShared ? 'rpc' : type);
      if (secret === undefined || !allowed.has(origin)) return { kind: 'none' };
      const way = ways.get(origin);
      return { kind: 'lease', lease: { secret, label: VARIABLES[type], ...(way !== undefined && { way }) } };
    },
  };
}

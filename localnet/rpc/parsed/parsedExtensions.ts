// Token-2022's extensions of mints and accounts as `jsonParsed` shows them.
import { EXTENSIONS_START, TOKEN_EXTENSIONS, type TokenExtension } from '../../../core/solana/layouts/tokenExtensions';
import type { WireJson } from '../../api';
import type { Info } from './parsedCursor';
import { attempt, Fields } from './parsedFields';
import { parsedRows } from './parsedLayout';

/** The names of the types in an instruction that lists them, by number. */
export const EXTENSION_TYPES: readonly string[] = TOKEN_EXTENSIONS.map(({ name, listedAs = name }) => listedAs);

/** {extensions: [...]}, or nothing for an account without any. */
export function parseExtensions(data: Uint8Array): { readonly extensions?: WireJson } {
  if (data.length <= EXTENSIONS_START) return {};
  const fields = new Fields(data.subarray(EXTENSIONS_START));
  const extensions: WireJson[] = [];
  while (fields.rest >= 4) {
    const [type, length] = [fields.u16(), fields.u16()];
    if (type === 0 || length > fields.rest) break;
    extensions.push(parseExtension(type, fields.bytes(length)));
  }
  return extensions.length === 0 ? {} : { extensions };
}

function parseExtension(type: number, value: Uint8Array): WireJson {
  const { name, rows } = TOKEN_EXTENSIONS[type] ?? UNKNOWN;
  if (rows === undefined) return { extension: name };
  const state = attempt(() => (name === DEFAULT_STATE ? defaultState : parsedRows)(new Fields(value), rows));
  return state === undefined ? { extension: UNKNOWN.name } : { extension: name, state };
}

const UNKNOWN: TokenExtension = { name: 'unparseableExtension' };
const DEFAULT_STATE = 'defaultAccountState';

/** A state that nobody knows is shown as the first one. */
const defaultState = (fields: Fields): Info => ({
  accountState: ['uninitialized', 'initialized', 'frozen'][fields.u8()] ?? 'uninitialized',
});

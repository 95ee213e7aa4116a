// Keeps keys out of the arguments of tools: what a model passes on is in its conversation, and in the logs around it.
import { looksLikeKey, namesKey } from '../../service/keys/keyNames';
import { isPublicKey, isSignature } from '../../solana/chain/keys';

export const KEY_REFUSAL =
  'An argument holds what looks like a key. A key is never an argument: the user gives it to the server or the editor, and endpoints say where it goes.';

/** Longer texts are transactions and data. UTF-16 units. */
const LONGEST_KEY = 128;
/** Members whose value is data of an account or a filter. */
const DATA = new Set(['bytes', 'data']);
const ENCODINGS = new Set(['base58', 'base64', 'base64+zstd']);
/** Deeper values are refused elsewhere: no method takes them. */
const MAX_DEPTH = 64;

/**
 * Whether a JSON value holds a key: by the name of a member, or by how a text looks. Addresses, signatures and encoded
 * data are not keys. `isWallet` recognises the secret key of a wallet, which looks like a signature.
 */
export function holdsKey(value: unknown, isWallet: (value: unknown) => boolean = () => false, depth = 0): boolean {
  if (depth > MAX_DEPTH) return true;
  if (typeof value === 'string') return isWallet(value) || isKeyText(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    if (isWallet(value)) return true;
    const [data, encoding] = value as readonly unknown[];
    const isData = value.length === 2 && typeof data === 'string' && ENCODINGS.has(String(encoding));
    return isData ? isWallet(data) : value.some((item) => holdsKey(item, isWallet, depth + 1));
  }
  return Object.entries(value).some(([name, inside]) => {
    if (isKeyText(name)) return true;
    if (typeof inside === 'string' && inside !== '' && namesKey(name, 'variable')) return true;
    return DATA.has(name) && typeof inside === 'string' ? isWallet(inside) : holdsKey(inside, isWallet, depth + 1);
  });
}

function isKeyText(text: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return urlHoldsKey(text);
  if (/^bearer\s+\S/i.test(text)) return true;
  if (!looksLikeKey(text) || isPublicKey(text) || isSignature(text)) return false;
  return text.length <= LONGEST_KEY || text.includes('.');
}

/** A part of the URL that is neither an address nor a word. */
const urlHoldsKey = (url: string): boolean =>
  /^[^/]*\/\/[^/?#]*@/.test(url) ||
  url
    .split(/[/?#&=;]+/)
    .slice(2)
    .some((part) => looksLikeKey(part) && !isPublicKey(part) && !isSignature(part));

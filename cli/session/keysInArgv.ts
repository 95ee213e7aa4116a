// Refuses command lines that hold a key: arguments are visible to every process of the machine and stay in shell history.
// No message repeats any part of such an argument.
import { existsSync } from 'node:fs';
import { isKeyVariable, looksLikeKey, namesKey } from '../../core/service/keys/keyNames';
import { unescaped } from '../../core/service/providers/urlText';
import { isPublicKey, isSignature } from '../../core/solana/chain/keys';
import { UsageError } from '../exit';

const REFUSAL =
  'A key does not belong on the command line: other processes and the shell history can read it. ' +
  'Set SOLANA_RPC_KEY, SOLANA_GRPC_KEY or SOLANA_SWQOS_KEY, or use --key-stdin. ' +
  'In a URL, write {key} where the key goes.';

const WALLET_REFUSAL =
  'A secret key does not belong on the command line: other processes and the shell history can read it. ' +
  'Save it as solana-keygen does, and name the file: --wallet NAME=FILE.';

const keyRefusal = (): UsageError => new UsageError(REFUSAL);

/** Throws UsageError for an argument that names or contains a key, for any command. */
export function refuseKeys(args: readonly string[]): void {
  for (const [index, arg] of args.entries()) {
    const [, option, own] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    // `--auth` says how a key travels, and takes none.
    const isForm = option === 'auth' && !looksLikeKey(own ?? args[index + 1] ?? '');
    if (option !== undefined && namesKey(option, 'argument') && !isForm) throw keyRefusal();
    const text = option === undefined ? arg : (own ?? '');
    const isVariable = option === 'var' || args[index - 1] === '--var';
    if (holdsKey(text, isVariable)) throw keyRefusal();
    const isWallet = option === 'wallet' || args[index - 1] === '--wallet';
    if (isWallet && isSecretKey(text.slice(text.indexOf('=') + 1))) throw new UsageError(WALLET_REFUSAL);
  }
}

function holdsKey(text: string, isVariable: boolean): boolean {
  const [, name = '', value = ''] = /^([A-Za-z_][\w.-]*)=(.*)$/s.exec(text) ?? [];
  if (name !== '' && (isKeyVariable(name) || namesKey(name, isVariable ? 'variable' : 'argument'))) return true;
  // A name that may also mean a mint or an account: the value decides.
  if (name !== '' && namesKey(name, 'argument') && !isPublicKey(value) && looksLikeKey(value)) return true;
  return urlHoldsKey(name !== '' && isVariable ? value : text);
}

/** 64 bytes in base58, which a signature has, too; numbers in brackets; hex. */
const isSecretKey = (text: string): boolean => isSignature(text) || /^(?:\[[\d\s,]*\]?|[0-9a-f]{64,128})$/i.test(text);

const isPlace = (text: string): boolean => /^\{key\}$|^%7Bkey%7D$|^\{\{/i.test(text);

/** User name, path, query and fragment of a URL, with its scheme or without. */
function urlHoldsKey(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^[\w.-]+\.[a-z]{2,}(?::\d+)?\//i.test(text)) return false;
  const rest = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const [place = '', ...asked] = rest.split(/[?#;]/);
  const [host = '', ...segments] = place.split('/');
  if (host.includes('@')) return true;
  if (segments.some((segment) => looksLikeKey(unescaped(segment)))) return true;
  return asked.join('&').split('&').some(parameterHoldsKey);
}

function parameterHoldsKey(parameter: string): boolean {
  const at = parameter.indexOf('=');
  const value = unescaped(parameter.slice(at + 1));
  if (value === '' || isPlace(value)) return false;
  return (at >= 0 && namesKey(unescaped(parameter.slice(0, at)), 'argument')) || looksLikeKey(value);
}

/** Throws UsageError for a word that looks like a key and is not a file, address or signature: `run KEY`. */
export function refuseKeyWords(words: readonly string[]): void {
  for (const word of words)
    if (looksLikeKey(word) && !isPublicKey(word) && !isSignature(word) && !existsSync(word)) throw keyRefusal();
}

/** An argument in a message: what may be a key is not repeated. */
export const shownArgument = (text: string): string => (looksLikeKey(text) ? '…' : text);

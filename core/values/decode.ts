// What an account's data means: finds the layout by owner, address and size, and reads it. Never throws; data that is
// not what it should be is `undefined`, and guessLayout (guess.ts) says what its bytes look like.
import { decodeLookupTable } from './accounts/lookupTable';
import { decodeNonce } from './accounts/nonce';
import { decodeSplToken } from './accounts/token';
import type { AccountBytes, Decoded, Programs } from './decoded';

/** Reads the accounts of one owner program. */
export type AccountReader = (account: AccountBytes, known: Programs) => Decoded | undefined;

const READERS = new Map<string, AccountReader>([
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', decodeSplToken],
  ['11111111111111111111111111111111', decodeNonce],
  ['AddressLookupTab1e1111111111111111111111111', decodeLookupTable],
]);

/** The account in words and fields; `undefined` where neither its owner's layouts nor an IDL fit its data. */
export function decodeAccount(account: AccountBytes, known: Programs): Decoded | undefined {
  return READERS.get(account.owner)?.(account, known);
}

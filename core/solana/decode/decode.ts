// Decodes an account's data: finds the layout by owner, address and size, and reads it. Never throws; malformed data is
// `undefined`, and guessLayout (guess.ts) can guess its layout.
import { decodeConfig } from './accounts/config';
import { decodeFixedProgram, decodeLoaderV4, decodeNativeProgram, decodeUpgradeable } from './accounts/loader';
import { decodeLookupTable } from './accounts/lookupTable';
import { decodeMetadata } from './accounts/metadata';
import { decodeNonce } from './accounts/nonce';
import { decodeProgramMetadata } from './accounts/programMetadata';
import { decodeStake } from './accounts/stake';
import { decodeFeature, decodeSysvar } from './accounts/sysvars';
import { decodeSplToken, decodeToken2022 } from './accounts/token';
import { decodeVote } from './accounts/vote';
import { METADATA_PROGRAM } from './idl/programMetadata';
import { decodeWithIdl } from './idl/registry';
import type { AccountBytes, Decoded, Programs } from './decoded';

/** Reads the accounts of one owner program. */
type AccountReader = (account: AccountBytes, known: Programs) => Decoded | undefined;

const READERS = new Map<string, AccountReader>([
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', decodeSplToken],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', decodeToken2022],
  ['11111111111111111111111111111111', decodeNonce],
  ['AddressLookupTab1e1111111111111111111111111', decodeLookupTable],
  ['Stake11111111111111111111111111111111111111', decodeStake],
  ['Vote111111111111111111111111111111111111111', decodeVote],
  ['BPFLoaderUpgradeab1e11111111111111111111111', decodeUpgradeable],
  ['LoaderV411111111111111111111111111111111111', decodeLoaderV4],
  ['BPFLoader2111111111111111111111111111111111', decodeFixedProgram],
  ['BPFLoader1111111111111111111111111111111111', decodeFixedProgram],
  ['NativeLoader1111111111111111111111111111111', decodeNativeProgram],
  ['Config1111111111111111111111111111111111111', decodeConfig],
  ['Sysvar1111111111111111111111111111111111111', decodeSysvar],
  ['Feature111111111111111111111111111111111111', decodeFeature],
  ['metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s', decodeMetadata],
  [METADATA_PROGRAM, decodeProgramMetadata],
]);

/** The programs whose accounts are decoded without an IDL, base58. */
export const DECODED_OWNERS: readonly string[] = [...READERS.keys()];

/** The account in words and fields; `undefined` where neither its owner's layouts nor an IDL fit its data. */
export function decodeAccount(account: AccountBytes, known: Programs): Decoded | undefined {
  return READERS.get(account.owner)?.(account, known) ?? decodeWithIdl(account.owner, account.data, known);
}

// The parts of a serialised transaction.
import { encodeBase58 } from '../../encoding/base58';
import { isWritable } from '../../wire/transaction';
import type { Message, Transaction } from '../../wire/transactionTypes';
import type { PartAccount, PartInstruction, TransactionParts } from './parts';

/** The addresses lookup tables gave, base58; only who ran the transaction knows them. */
export interface LoadedAddresses {
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
}

const NOT_LOADED: LoadedAddresses = { writable: [], readonly: [] };

export function partsFromWire(
  { message, signatures }: Transaction,
  loaded: LoadedAddresses = NOT_LOADED,
): Omit<TransactionParts, 'meta'> {
  return {
    version: message.version,
    ...(message.config === undefined ? {} : { config: message.config }),
    signatures: signatures.filter((bytes) => bytes.some((byte) => byte !== 0)).map(encodeBase58),
    blockhash: encodeBase58(message.blockhash),
    accounts: accountsOf(message, loaded),
    instructions: message.instructions.map(({ program, accounts, data }): PartInstruction => ({
      kind: 'raw',
      program,
      accounts: [...accounts],
      data,
      height: 1,
    })),
  };
}

function accountsOf(message: Message, loaded: LoadedAddresses): readonly PartAccount[] {
  const fixed = message.accountKeys.map((key, index): PartAccount => ({
    address: encodeBase58(key),
    isSigner: index < message.requiredSignatures,
    isWritable: isWritable(message, index),
  }));
  return [
    ...fixed,
    ...fromTables(message, 'writable', loaded.writable),
    ...fromTables(message, 'readonly', loaded.readonly),
  ];
}

/** Tables add in their order, and each of them in the order of its indexes. */
function fromTables(
  message: Message,
  side: 'writable' | 'readonly',
  loaded: readonly string[],
): readonly PartAccount[] {
  const tables = message.lookups.flatMap((lookup) => Array.from(lookup[side], () => encodeBase58(lookup.table)));
  return tables.map((table, at) => ({ address: loaded[at], isSigner: false, isWritable: side === 'writable', table }));
}

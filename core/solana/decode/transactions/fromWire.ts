// The parts of a serialised transaction.
import { known } from '../../common/known';
import { encodeBase58 } from '../../encoding/base58';
import type { Instruction, Message, Transaction } from '../../wire/transactionTypes';
import {
  partAccounts,
  type LoadedAddresses,
  type PartAccount,
  type PartInstruction,
  type TransactionParts,
} from './parts';

const NOT_LOADED: LoadedAddresses = { writable: [], readonly: [] };

export function partsFromWire(
  { message, signatures }: Pick<Transaction, 'message' | 'signatures'>,
  loaded: LoadedAddresses = NOT_LOADED,
): Omit<TransactionParts, 'meta'> {
  return {
    version: message.version,
    ...(message.config === undefined ? {} : { config: message.config }),
    signatures: signatures.filter((bytes) => bytes.some((byte) => byte !== 0)).map(encodeBase58),
    blockhash: encodeBase58(message.blockhash),
    accounts: accountsOf(message, loaded),
    instructions: message.instructions.map((instruction) => rawInstruction(instruction, 1)),
  };
}

/** `height`: as in PartInstruction. */
export const rawInstruction = ({ program, accounts, data }: Instruction, height: number | undefined): PartInstruction =>
  known({ kind: 'raw', program, accounts: [...accounts], data, height });

function accountsOf(message: Message, loaded: LoadedAddresses): readonly PartAccount[] {
  const { accountKeys, requiredSignatures: signers, readonlySigned, readonlyUnsigned, lookups } = message;
  const tablesOf = (side: 'writable' | 'readonly'): readonly string[] =>
    lookups.flatMap((lookup) => Array.from(lookup[side], () => encodeBase58(lookup.table)));
  const tables = { writable: tablesOf('writable'), readonly: tablesOf('readonly') };
  return partAccounts(
    { keys: accountKeys.map(encodeBase58), signers, readonlySigned, readonlyUnsigned, tables },
    loaded,
  );
}

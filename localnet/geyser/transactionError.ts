// A transaction error as bincode, the form gRPC carries: the variant's number as a little-endian u32, then its payload.
import { instructionErrorNames, transactionErrorNames } from '../ledger/errorTable';
import type { InstructionError, TransactionError } from '../ledger/types';

/** The bytes of `TransactionError.err`. Throws for a name that the wire does not have: a bug here. */
export function encodeTransactionError(error: TransactionError): Uint8Array {
  if (typeof error === 'string') return u32(indexIn(transactionErrorNames, error));
  const [[name, payload] = ['', 0]] = Object.entries(error);
  const variant = u32(indexIn(transactionErrorNames, name));
  if (typeof payload === 'number') return Buffer.concat([variant, Buffer.of(payload)]);
  if ('account_index' in payload) return Buffer.concat([variant, Buffer.of(payload.account_index)]);
  const [index, inner] = payload;
  return Buffer.concat([variant, Buffer.of(index), encodeInstructionError(inner)]);
}

function encodeInstructionError(error: InstructionError): Uint8Array {
  if (typeof error === 'string') return u32(indexIn(instructionErrorNames, error));
  if ('Custom' in error) return Buffer.concat([u32(indexIn(instructionErrorNames, 'Custom')), u32(error.Custom)]);
  return u32(indexIn(instructionErrorNames, 'BorshIoError'));
}

function indexIn(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  if (index === -1) throw new Error(`There is no transaction error ${name}`);
  return index;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

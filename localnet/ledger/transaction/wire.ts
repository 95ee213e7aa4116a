// Reads a transaction off the wire, strictly, before the engine sees one byte: the engine aborts the whole process on
// malformed input. A transaction that passes here is well formed; whether it is valid on the ledger is for the engine to say.
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { StrictReader, WireError } from './wireReader';
import type { CompiledInstruction, DecodedMessage, StrictTransaction, LookupTableUse } from './wireTypes';
import { readerOfV1, readMessageV1, V1, V1_BLOCKHASH_OFFSET } from './wireV1';

/** The most bytes a legacy or version 0 transaction may have on the wire: one network packet. */
export const MAX_LEGACY_BYTES = 1232;
/** The most bytes a version 1 transaction may have on the wire. */
export const MAX_V1_BYTES = 4096;

/** The most bytes that a transaction beginning with this byte may have: version 1 begins with its message. */
export const mostBytes = (first: number | undefined): number => (first === V1 ? MAX_V1_BYTES : MAX_LEGACY_BYTES);

/** Decodes a whole transaction. Throws WireError. */
export function decodeStrictly(bytes: Uint8Array): StrictTransaction {
  checkLength(bytes);
  if (bytes[0] === V1) return readTransactionV1(bytes);
  if ((bytes[0] ?? 0) > V1) throw new WireError(`version ${(bytes[0] ?? 0) & 0x7f} is not supported`);
  const reader = new StrictReader(bytes);
  const count = reader.compact('signature count');
  const signatures: Uint8Array[] = [];
  for (let i = 0; i < count; i++) signatures.push(reader.bytes(64, 'signature'));
  const messageOffset = reader.offset;
  const message = readMessage(reader);
  reader.end();
  if (count !== message.numRequiredSignatures)
    throw new WireError(`${count} signatures, but the header asks for ${message.numRequiredSignatures}`);
  return { signatures, message, messageOffset, messageEnd: bytes.length };
}

/** The first signature, which names the transaction: base58. */
export const signatureOf = ({ signatures }: StrictTransaction): string =>
  encodeBase58(signatures[0] ?? new Uint8Array());

/** The signatures of version 1 come after the message, one for each signer, without a count. */
function readTransactionV1(bytes: Uint8Array): StrictTransaction {
  const reader = readerOfV1(bytes);
  const message = readMessageV1(reader);
  const messageEnd = reader.offset;
  const signatures: Uint8Array[] = [];
  for (let i = 0; i < message.numRequiredSignatures; i++) signatures.push(reader.bytes(64, 'signature'));
  reader.end();
  return { signatures, message, messageOffset: 0, messageEnd };
}

function checkLength(bytes: Uint8Array): void {
  const most = mostBytes(bytes[0]);
  if (bytes.length > most) throw new WireError(`more than ${most} bytes`);
}

/** The wire bytes with another blockhash in the message; the signatures no longer fit. */
export function onBlockhash(wire: Uint8Array, transaction: StrictTransaction, blockhash: string): Uint8Array {
  const { message, messageOffset } = transaction;
  if (message.version === 1) {
    const changed = wire.slice();
    changed.set(decodeBase58(blockhash) ?? [], V1_BLOCKHASH_OFFSET);
    return changed;
  }
  const header = message.version === 'legacy' ? 3 : 4;
  const countBytes = message.staticKeys.length < 0x80 ? 1 : 2;
  const copy = wire.slice();
  copy.set(decodeBase58(blockhash) ?? [], messageOffset + header + countBytes + message.staticKeys.length * 32);
  return copy;
}

/** Decodes a message without signatures, as getFeeForMessage takes it. Throws WireError. */
export function decodeMessageStrictly(bytes: Uint8Array): DecodedMessage {
  checkLength(bytes);
  const isV1 = bytes[0] === V1;
  const reader = isV1 ? readerOfV1(bytes) : new StrictReader(bytes);
  const message = isV1 ? readMessageV1(reader) : readMessage(reader);
  reader.end();
  return message;
}

function readMessage(reader: StrictReader): DecodedMessage {
  let first = reader.byte('message');
  let version: 'legacy' | 0 = 'legacy';
  if (first >= 0x80) {
    if (first !== 0x80) throw new WireError(`message version ${first & 0x7f} is not supported`);
    version = 0;
    first = reader.byte('header');
  }
  const numRequiredSignatures = first;
  const numReadonlySigned = reader.byte('header');
  const numReadonlyUnsigned = reader.byte('header');
  const keyCount = reader.compact('account key count');
  const staticKeys: string[] = [];
  for (let i = 0; i < keyCount; i++) staticKeys.push(encodeBase58(reader.bytes(32, 'account key')));
  checkHeader(numRequiredSignatures, numReadonlySigned, numReadonlyUnsigned, keyCount);
  if (new Set(staticKeys).size !== keyCount) throw new WireError('an account key occurs twice');
  const blockhash = encodeBase58(reader.bytes(32, 'blockhash'));

  const instructionCount = reader.compact('instruction count');
  const instructions: CompiledInstruction[] = [];
  for (let i = 0; i < instructionCount; i++) {
    const programIdIndex = reader.byte('program index');
    const accounts = reader.bytes(reader.compact('account index count'), 'account indexes');
    const data = reader.bytes(reader.compact('data length'), 'instruction data');
    instructions.push({ programIdIndex, accounts, data });
  }

  const lookups = version === 0 ? readLookups(reader) : [];
  const loaded = lookups.reduce((sum, use) => sum + use.writableIndexes.length + use.readonlyIndexes.length, 0);
  checkIndexes(instructions, keyCount, keyCount + loaded);
  return {
    version,
    numRequiredSignatures,
    numReadonlySigned,
    numReadonlyUnsigned,
    staticKeys,
    blockhash,
    instructions,
    lookups,
  };
}

function readLookups(reader: StrictReader): LookupTableUse[] {
  const count = reader.compact('lookup table count');
  const lookups: LookupTableUse[] = [];
  for (let i = 0; i < count; i++) {
    const table = encodeBase58(reader.bytes(32, 'lookup table'));
    const writableIndexes = reader.bytes(reader.compact('writable index count'), 'writable indexes');
    const readonlyIndexes = reader.bytes(reader.compact('readonly index count'), 'readonly indexes');
    if (writableIndexes.length + readonlyIndexes.length === 0)
      throw new WireError('a lookup table from which nothing is loaded');
    lookups.push({ table, writableIndexes, readonlyIndexes });
  }
  return lookups;
}

function checkHeader(signatures: number, readonlySigned: number, readonlyUnsigned: number, keys: number): void {
  if (signatures === 0) throw new WireError('no fee payer: the header asks for no signature');
  if (readonlySigned >= signatures) throw new WireError('no fee payer: every signer is readonly');
  if (signatures + readonlyUnsigned > keys) throw new WireError('the header counts more accounts than there are keys');
}

function checkIndexes(instructions: readonly CompiledInstruction[], staticKeys: number, allKeys: number): void {
  if (allKeys > 256) throw new WireError('more than 256 accounts');
  for (const { programIdIndex, accounts } of instructions) {
    if (programIdIndex === 0) throw new WireError('the fee payer cannot be a program');
    if (programIdIndex >= staticKeys) throw new WireError('a program index outside the message');
    if (accounts.some((index) => index >= allKeys)) throw new WireError('an account index outside the message');
  }
}

/** True when the message lets the account at this index of static keys and loaded addresses be written. */
export function isWritable(message: DecodedMessage, index: number): boolean {
  const { numRequiredSignatures: signers, staticKeys } = message;
  if (index >= staticKeys.length) {
    const loadedWritable = message.lookups.reduce((sum, use) => sum + use.writableIndexes.length, 0);
    return index - staticKeys.length < loadedWritable;
  }
  return index < signers
    ? index < signers - message.numReadonlySigned
    : index < staticKeys.length - message.numReadonlyUnsigned;
}

// Reads a transaction off the wire, strictly, before the engine sees one byte: the engine aborts the whole process on
// malformed input. Whatever passes here is well formed; whether it makes sense on the ledger is the engine's to say.
import { decodeBase58, encodeBase58 } from '../../core/values/base58';
import type { CompiledInstruction } from './types';

/** The most bytes a transaction may have on the wire: one network packet. */
export const MAX_TRANSACTION_BYTES = 1232;

export interface LookupTableUse {
  readonly table: string;
  readonly writableIndexes: Uint8Array;
  readonly readonlyIndexes: Uint8Array;
}

export interface DecodedMessage {
  readonly version: 'legacy' | 0;
  readonly numRequiredSignatures: number;
  readonly numReadonlySigned: number;
  readonly numReadonlyUnsigned: number;
  /** The keys inside the message, base58; looked-up keys follow them in every index. */
  readonly staticKeys: readonly string[];
  readonly blockhash: string;
  readonly instructions: readonly CompiledInstruction[];
  /** Empty for a legacy message. */
  readonly lookups: readonly LookupTableUse[];
}

export interface DecodedTransaction {
  /** Raw signatures of 64 bytes; the first one names the transaction. */
  readonly signatures: readonly Uint8Array[];
  readonly message: DecodedMessage;
  /** Where the message starts in the wire bytes. */
  readonly messageOffset: number;
}

/** Why bytes are no transaction, in a few words. */
export class WireError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WireError';
  }
}

/** Decodes a whole transaction. Throws WireError. */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  if (bytes.length > MAX_TRANSACTION_BYTES) throw new WireError(`more than ${MAX_TRANSACTION_BYTES} bytes`);
  const reader = new Reader(bytes);
  const count = reader.compact('signature count');
  const signatures: Uint8Array[] = [];
  for (let i = 0; i < count; i++) signatures.push(reader.bytes(64, 'signature'));
  const messageOffset = reader.offset;
  const message = readMessage(reader);
  reader.end();
  if (count !== message.numRequiredSignatures)
    throw new WireError(`${count} signatures, but the header asks for ${message.numRequiredSignatures}`);
  return { signatures, message, messageOffset };
}

/** The wire bytes with another blockhash in the message; the signatures no longer fit. */
export function onBlockhash(wire: Uint8Array, transaction: DecodedTransaction, blockhash: string): Uint8Array {
  const { message, messageOffset } = transaction;
  const header = message.version === 'legacy' ? 3 : 4;
  const countBytes = message.staticKeys.length < 0x80 ? 1 : 2;
  const copy = wire.slice();
  copy.set(decodeBase58(blockhash) ?? [], messageOffset + header + countBytes + message.staticKeys.length * 32);
  return copy;
}

/** Decodes a message without signatures, as getFeeForMessage takes it. Throws WireError. */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  if (bytes.length > MAX_TRANSACTION_BYTES) throw new WireError(`more than ${MAX_TRANSACTION_BYTES} bytes`);
  const reader = new Reader(bytes);
  const message = readMessage(reader);
  reader.end();
  return message;
}

function readMessage(reader: Reader): DecodedMessage {
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
  if (new Set(staticKeys).size !== keyCount) throw new WireError('an account key stands twice');
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

function readLookups(reader: Reader): LookupTableUse[] {
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

class Reader {
  offset = 0;

  constructor(private readonly data: Uint8Array) {}

  byte(what: string): number {
    const value = this.data[this.offset];
    if (value === undefined) throw new WireError(`the bytes end inside the ${what}`);
    this.offset++;
    return value;
  }

  bytes(length: number, what: string): Uint8Array {
    const end = this.offset + length;
    if (end > this.data.length) throw new WireError(`the bytes end inside the ${what}`);
    const value = this.data.subarray(this.offset, end);
    this.offset = end;
    return value;
  }

  /** A length of one to three bytes, seven bits each, in its shortest form only. */
  compact(what: string): number {
    let value = 0;
    for (let i = 0; i < 3; i++) {
      const byte = this.byte(what);
      value |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) {
        if (i > 0 && byte === 0) throw new WireError(`the ${what} is not in its shortest form`);
        if (value > 0xffff) throw new WireError(`the ${what} is above 65535`);
        return value;
      }
    }
    throw new WireError(`the ${what} is longer than three bytes`);
  }

  end(): void {
    const rest = this.data.length - this.offset;
    if (rest > 0) throw new WireError(`${rest} bytes after the end`);
  }
}

// Serialised transactions, legacy and version 0, as they travel to sendTransaction. Never throws; views, not copies.
import { ByteReader } from './bytes';
import { SIGNATURE_BYTES } from './keys';

export interface Instruction {
  /** Index of the program in the account list. */
  readonly program: number;
  /** Indexes into the account list: static keys first, then what the lookup tables add. */
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

/** A lookup table a version 0 message reads addresses from. */
export interface TableLookup {
  /** The table's address, 32 bytes. */
  readonly table: Uint8Array;
  /** Indexes into the table. */
  readonly writable: Uint8Array;
  readonly readonly: Uint8Array;
}

export interface Message {
  readonly version: 'legacy' | 0;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  /** 32 bytes each; the first pays the fee, the first `requiredSignatures` sign. */
  readonly accountKeys: readonly Uint8Array[];
  /** 32 bytes: a recent blockhash, or a nonce. */
  readonly blockhash: Uint8Array;
  readonly instructions: readonly Instruction[];
  readonly lookups: readonly TableLookup[];
}

export interface Transaction {
  /** 64 bytes each, all zero where a signer has not signed yet. */
  readonly signatures: readonly Uint8Array[];
  readonly message: Message;
  /** What the signers sign. */
  readonly messageBytes: Uint8Array;
  /** Bytes of the whole, trailing bytes excluded. */
  readonly size: number;
}

export type Decoded<T> = { readonly ok: true; readonly value: T } | Malformed;

/** `reason`: one sentence without a full stop, for people. */
export interface Malformed {
  readonly ok: false;
  readonly reason: string;
}

const malformed = (reason: string): Malformed => ({ ok: false, reason });

/** Decodes wire bytes. Bytes after the end are ignored, as nodes ignore them. */
export function decodeTransaction(bytes: Uint8Array): Decoded<Transaction> {
  const reader = new ByteReader(bytes);
  const count = reader.compactU16();
  // Checked before reading, so that a count out of random bytes does not cost an allocation each.
  if (count * SIGNATURE_BYTES > reader.left) return malformed(`the bytes end within ${count} signatures`);
  const signatures: Uint8Array[] = [];
  for (let i = 0; i < count; i++) signatures.push(reader.take(SIGNATURE_BYTES));
  const start = reader.at;
  const message = readMessage(reader);
  if (!message.ok) return message;
  if (count > message.value.requiredSignatures) {
    return malformed(`it holds ${count} signatures where its message asks for ${message.value.requiredSignatures}`);
  }
  return {
    ok: true,
    value: {
      signatures,
      message: message.value,
      messageBytes: bytes.subarray(start, reader.at),
      size: reader.at,
    },
  };
}

/** Decodes a message without signatures, as getFeeForMessage takes it. */
export function decodeMessage(bytes: Uint8Array): Decoded<Message> {
  return readMessage(new ByteReader(bytes));
}

function readMessage(reader: ByteReader): Decoded<Message> {
  const first = reader.u8();
  const versioned = first >= 0x80;
  if (versioned && first !== 0x80) return malformed(`version ${first & 0x7f} is not known`);
  const requiredSignatures = versioned ? reader.u8() : first;
  const readonlySigned = reader.u8();
  const readonlyUnsigned = reader.u8();
  const accountKeys = readList(reader, 32, () => reader.take(32));
  const blockhash = reader.take(32);
  const instructions = readList(reader, 3, (): Instruction => {
    const program = reader.u8();
    return { program, accounts: reader.take(reader.compactU16()), data: reader.take(reader.compactU16()) };
  });
  const lookups = versioned
    ? readList(reader, 34, (): TableLookup => {
        const table = reader.take(32);
        return { table, writable: reader.take(reader.compactU16()), readonly: reader.take(reader.compactU16()) };
      })
    : [];
  if (reader.endedAt !== undefined) return malformed(`the message breaks off at byte ${reader.endedAt}`);
  const message: Message = {
    version: versioned ? 0 : 'legacy',
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    accountKeys,
    blockhash,
    instructions,
    lookups,
  };
  const fault = faultOf(message);
  return fault === undefined ? { ok: true, value: message } : malformed(fault);
}

/** Reads a counted list; stops at once when its count cannot fit in what is left. */
function readList<T>(reader: ByteReader, leastBytes: number, item: () => T): T[] {
  const count = reader.compactU16();
  const items: T[] = [];
  if (count * leastBytes > reader.left) reader.take(count * leastBytes);
  for (let i = 0; i < count && !reader.failed; i++) items.push(item());
  return items;
}

/** What a node would refuse although every byte is there. */
function faultOf(message: Message): string | undefined {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys, lookups } = message;
  if (requiredSignatures === 0) return 'no account signs it';
  if (readonlySigned >= requiredSignatures) return 'its fee payer is not writable';
  if (requiredSignatures + readonlyUnsigned > accountKeys.length) return 'its header names more accounts than it has';
  let accounts = accountKeys.length;
  for (const lookup of lookups) accounts += lookup.writable.length + lookup.readonly.length;
  if (accounts > 256) return 'it names more than 256 accounts';
  for (const instruction of message.instructions) {
    if (instruction.program === 0) return 'its fee payer is called as a program';
    if (instruction.program >= accountKeys.length) return 'an instruction names a program that is not in its list';
    for (const index of instruction.accounts) {
      if (index >= accounts) return 'an instruction names an account that is not in its list';
    }
  }
  return undefined;
}

/** Which of the required signatures are missing or all zero, as indexes of signers. */
export function missingSignatures(transaction: Transaction): number[] {
  const missing: number[] = [];
  for (let signer = 0; signer < transaction.message.requiredSignatures; signer++) {
    const signature = transaction.signatures[signer];
    if (signature === undefined || signature.every((byte) => byte === 0)) missing.push(signer);
  }
  return missing;
}

/** Whether an account of the message's static list may be written to. */
export function isWritable(message: Message, index: number): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys } = message;
  return index < requiredSignatures
    ? index < requiredSignatures - readonlySigned
    : index < accountKeys.length - readonlyUnsigned;
}

// Reads serialised transactions of every version as they travel to sendTransaction. Never throws; views, not copies.
import { ByteReader } from '../encoding/bytes';
import { SIGNATURE_BYTES } from '../chain/keys';
import { indexFault, readMessageV1, V1 } from './messageV1';
import {
  malformed,
  type WireResult,
  type Instruction,
  type Message,
  type TableLookup,
  type Transaction,
} from './transactionTypes';

/**
 * Decodes wire bytes. Bytes after the end of a legacy or version 0 transaction are ignored, as nodes ignore them; in
 * version 1 they make it malformed.
 */
export function decodeTransaction(bytes: Uint8Array): WireResult<Transaction> {
  const read = readTransaction(bytes);
  const bare = read.ok ? undefined : bareMessage(bytes);
  if (bare === undefined) return read;
  const name = bare.version === 'legacy' ? 'legacy' : `version ${bare.version}`;
  return malformed(`it is a ${name} message without its signatures`);
}

/** A message without signatures; undefined unless the bytes are one from the first to the last. */
export function bareMessage(bytes: Uint8Array): Message | undefined {
  const reader = new ByteReader(bytes);
  const message = bytes[0] === V1 ? readMessageV1(reader) : readMessage(reader);
  return message.ok && reader.left === 0 ? message.value : undefined;
}

/** The transaction of a bare message, with zeros for its signatures. */
export function unsignedTransaction(bytes: Uint8Array): Uint8Array | undefined {
  const message = bareMessage(bytes);
  if (message === undefined) return undefined;
  const { version, requiredSignatures } = message;
  const isFirst = version === 1;
  const size = requiredSignatures * SIGNATURE_BYTES;
  const whole = new Uint8Array(bytes.length + size + (isFirst ? 0 : 1));
  whole.set(bytes, isFirst ? 0 : size + 1);
  // The counts of both other versions fit one byte: 127 signatures are more than a packet holds.
  if (!isFirst) whole[0] = requiredSignatures;
  return whole;
}

function readTransaction(bytes: Uint8Array): WireResult<Transaction> {
  // Below 0x80 the first byte counts signatures; a version 1 transaction begins with its message.
  if (bytes[0] === V1) return decodeTransactionV1(bytes);
  if (bytes[0] === V1 - 1) return malformed('it begins with a version 0 message, and its signatures must come first');
  if ((bytes[0] ?? 0) > V1) return malformed(`version ${(bytes[0] ?? 0) & 0x7f} is not known`);
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

/** The signatures of version 1 come last, one for each signer, without a count. */
function decodeTransactionV1(bytes: Uint8Array): WireResult<Transaction> {
  const reader = new ByteReader(bytes);
  const message = readMessageV1(reader);
  if (!message.ok) return message;
  const end = reader.at;
  const count = message.value.requiredSignatures;
  if (count * SIGNATURE_BYTES > reader.left) return malformed(`the bytes end within ${count} signatures`);
  const signatures = Array.from({ length: count }, () => reader.take(SIGNATURE_BYTES));
  if (reader.left > 0) return malformed(`${reader.left} bytes follow its end`);
  return {
    ok: true,
    value: { signatures, message: message.value, messageBytes: bytes.subarray(0, end), size: reader.at },
  };
}

/** Decodes a message without signatures, as getFeeForMessage takes it. */
export function decodeMessage(bytes: Uint8Array): WireResult<Message> {
  const reader = new ByteReader(bytes);
  if (bytes[0] !== V1) return readMessage(reader);
  const message = readMessageV1(reader);
  return message.ok && reader.left > 0 ? malformed(`${reader.left} bytes follow its end`) : message;
}

function readMessage(reader: ByteReader): WireResult<Message> {
  const first = reader.u8();
  const versioned = first >= 0x80;
  // A version 1 message is read elsewhere, and never follows a signature count.
  if (first === V1) return malformed('a version 1 message follows signatures, and they must follow it');
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

/** Reads a counted list; stops at once if its count cannot fit in the remaining bytes. */
function readList<T>(reader: ByteReader, leastBytes: number, item: () => T): T[] {
  const count = reader.compactU16();
  const items: T[] = [];
  if (count * leastBytes > reader.left) reader.take(count * leastBytes);
  for (let i = 0; i < count && !reader.failed; i++) items.push(item());
  return items;
}

/** Faults that a node would refuse although no byte is missing. */
function faultOf(message: Message): string | undefined {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys, lookups } = message;
  if (requiredSignatures === 0) return 'no account signs it';
  if (readonlySigned >= requiredSignatures) return 'its fee payer is not writable';
  if (requiredSignatures + readonlyUnsigned > accountKeys.length) return 'its header names more accounts than it has';
  let accounts = accountKeys.length;
  for (const lookup of lookups) accounts += lookup.writable.length + lookup.readonly.length;
  if (accounts > 256) return 'it names more than 256 accounts';
  return indexFault(message.instructions, accountKeys.length, accounts);
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

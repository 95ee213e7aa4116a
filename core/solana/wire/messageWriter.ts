// Lays out messages of every version: accounts in the runtime's order, instructions by their places, lookup tables, and
// the configuration of version 1 (SIMD-0385). Checks counts and sizes; knows no program.
import { encodeBase58 } from '../encoding/base58';
import { ByteWriter } from '../encoding/byteWriter';
import { keyBytes, KEY_BYTES, SIGNATURE_BYTES } from '../chain/keys';
import { V1, V1_LIMITS, V1_MASK } from './messageV1';
import { maxTransactionBytes, type Message, type TransactionConfig } from './transactionTypes';

/** An account in the list of an instruction. */
export interface AccountMeta {
  /** Base58. */
  readonly address: string;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export interface UncompiledInstruction {
  /** Base58. */
  readonly program: string;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

/** A lookup table and its contents, base58. */
export interface LookupTable {
  readonly address: string;
  readonly addresses: readonly string[];
}

export interface MessageParts {
  readonly version: Message['version'];
  /** Base58; pays the fee and signs. */
  readonly feePayer: string;
  /** Base58. */
  readonly blockhash: string;
  readonly instructions: readonly UncompiledInstruction[];
  /** Version 0 only. */
  readonly tables?: readonly LookupTable[];
  /** Version 1 only. */
  readonly config?: TransactionConfig;
}

/** `reason`: one sentence without a full stop. */
export type WrittenMessage =
  | {
      readonly ok: true;
      readonly message: Uint8Array;
      /** Base58, in the order of their signatures; the first is the fee payer. */
      readonly signers: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

const refused = (reason: string): WrittenMessage => ({ ok: false, reason });

/** The bytes that the signers sign. */
export function writeMessage(parts: MessageParts): WrittenMessage {
  const { version, feePayer, instructions, tables = [] } = parts;
  const named = [feePayer, parts.blockhash, ...instructions.flatMap(addressesOf)];
  const wrong = named.find((address) => keyBytes(address) === undefined);
  if (wrong !== undefined) return refused(`"${wrong.slice(0, 50)}" is not 32 bytes in base58`);
  if (instructions.some(({ program }) => program === feePayer)) return refused('the fee payer is called as a program');
  const accounts = orderedAccounts(feePayer, instructions);
  const programs = new Set(instructions.map(({ program }) => program));
  const { kept, lookups, looked } = version === 0 ? lookUp(accounts, programs, tables) : nothingLookedUp(accounts);
  const places = new Map([...kept.map(({ address }) => address), ...looked].map((address, index) => [address, index]));
  const signers = kept.filter(({ isSigner }) => isSigner);
  const head = {
    signers: signers.length,
    readonlySigned: signers.filter(({ isWritable }) => !isWritable).length,
    readonlyUnsigned: kept.filter(({ isSigner, isWritable }) => !isSigner && !isWritable).length,
  };
  const fault = countFault(version, places.size, { signers: signers.length, instructions: instructions.length });
  if (fault !== undefined) return refused(fault);
  const written = { parts, head, keys: kept.map(({ address }) => address), places, lookups };
  const message = version === 1 ? messageV1(written) : messageBefore(written);
  const size = message.length + signers.length * SIGNATURE_BYTES + (version === 1 ? 0 : 1);
  const most = maxTransactionBytes(version);
  if (size > most) return refused(`it has ${size} bytes, and nodes take at most ${most}`);
  return { ok: true, message, signers: signers.map(({ address }) => address) };
}

const addressesOf = ({ program, accounts }: UncompiledInstruction): readonly string[] => [
  program,
  ...accounts.map(({ address }) => address),
];

/** Every account once: signers first, and in both parts those that are written to first. The fee payer leads. */
function orderedAccounts(feePayer: string, instructions: readonly UncompiledInstruction[]): readonly AccountMeta[] {
  const byAddress = new Map<string, AccountMeta>();
  const add = ({ address, isSigner, isWritable }: AccountMeta): void => {
    const known = byAddress.get(address);
    byAddress.set(address, {
      address,
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    });
  };
  add({ address: feePayer, isSigner: true, isWritable: true });
  for (const { accounts } of instructions) for (const account of accounts) add(account);
  for (const { program } of instructions) {
    // The runtime takes no write lock on an account that is called as a program.
    byAddress.set(program, {
      address: program,
      isSigner: byAddress.get(program)?.isSigner ?? false,
      isWritable: false,
    });
  }
  const rank = ({ isSigner, isWritable }: AccountMeta): number => (isSigner ? 0 : 2) + (isWritable ? 0 : 1);
  return [...byAddress.values()].sort((a, b) => rank(a) - rank(b));
}

interface Lookup {
  readonly table: string;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
}

interface Placed {
  /** Accounts of the message's own list. */
  readonly kept: readonly AccountMeta[];
  readonly lookups: readonly Lookup[];
  /** Addresses that the tables add, in the order of their indexes. */
  readonly looked: readonly string[];
}

const nothingLookedUp = (kept: readonly AccountMeta[]): Placed => ({ kept, lookups: [], looked: [] });

/** Moves accounts in lookup tables out of the list, except signers and programs. */
function lookUp(
  accounts: readonly AccountMeta[],
  programs: ReadonlySet<string>,
  tables: readonly LookupTable[],
): Placed {
  const places = new Map<string, readonly [table: string, index: number]>();
  for (const { address: table, addresses } of tables)
    for (const [index, address] of addresses.entries())
      if (index < 256 && !places.has(address)) places.set(address, [table, index]);
  const found = (one: AccountMeta): boolean => !one.isSigner && !programs.has(one.address) && places.has(one.address);
  const moved = accounts.filter(found);
  const indexes = (table: string, isWritable: boolean): number[] =>
    moved.flatMap((one) => {
      const [of, index] = places.get(one.address) ?? [];
      return of === table && index !== undefined && one.isWritable === isWritable ? [index] : [];
    });
  const lookups = tables
    .map(({ address: table }): Lookup => ({ table, writable: indexes(table, true), readonly: indexes(table, false) }))
    .filter(({ writable, readonly }) => writable.length + readonly.length > 0);
  const held = new Map(tables.map(({ address, addresses }) => [address, addresses]));
  const namesIn = (part: 'writable' | 'readonly'): string[] =>
    lookups.flatMap((one) => one[part].map((index) => held.get(one.table)?.[index] ?? ''));
  return {
    kept: accounts.filter((one) => !found(one)),
    lookups,
    looked: [...namesIn('writable'), ...namesIn('readonly')],
  };
}

function countFault(
  version: Message['version'],
  accounts: number,
  counts: { readonly signers: number; readonly instructions: number },
): string | undefined {
  const most = version === 1 ? V1_LIMITS : { addresses: 256, signatures: 127, instructions: 65_535 };
  if (accounts > most.addresses) return `it names ${accounts} accounts, and ${most.addresses} is the limit`;
  if (counts.signers > most.signatures)
    return `${counts.signers} accounts sign it, and ${most.signatures} is the limit`;
  if (counts.instructions > most.instructions)
    return `it has ${counts.instructions} instructions, and ${most.instructions} is the limit`;
  return undefined;
}

interface Laid {
  readonly parts: MessageParts;
  readonly head: { readonly signers: number; readonly readonlySigned: number; readonly readonlyUnsigned: number };
  readonly keys: readonly string[];
  readonly places: ReadonlyMap<string, number>;
  readonly lookups: readonly Lookup[];
}

/** Legacy and version 0. */
function messageBefore({ parts, head, keys, places, lookups }: Laid): Uint8Array {
  const out = new ByteWriter();
  if (parts.version === 0) out.u8(0x80);
  out.u8(head.signers).u8(head.readonlySigned).u8(head.readonlyUnsigned);
  out.compactU16(keys.length);
  for (const key of keys) out.bytes(key32(key));
  out.bytes(key32(parts.blockhash));
  out.compactU16(parts.instructions.length);
  for (const { program, accounts, data } of parts.instructions) {
    out.u8(places.get(program) ?? 0).compactU16(accounts.length);
    for (const { address } of accounts) out.u8(places.get(address) ?? 0);
    out.compactU16(data.length).bytes(data);
  }
  if (parts.version !== 0) return out.done();
  out.compactU16(lookups.length);
  for (const { table, writable, readonly } of lookups) {
    out.bytes(key32(table));
    for (const indexes of [writable, readonly]) out.compactU16(indexes.length).bytes(Uint8Array.from(indexes));
  }
  return out.done();
}

function messageV1({ parts, head, keys, places }: Laid): Uint8Array {
  const { instructions, config = {} } = parts;
  const { priorityFee, computeUnitLimit, loadedAccountsDataSizeLimit, heapSize } = config;
  const mask =
    (priorityFee === undefined ? 0 : V1_MASK.fee) |
    (computeUnitLimit === undefined ? 0 : V1_MASK.computeUnits) |
    (loadedAccountsDataSizeLimit === undefined ? 0 : V1_MASK.loadedData) |
    (heapSize === undefined ? 0 : V1_MASK.heap);
  const out = new ByteWriter();
  out.u8(V1).u8(head.signers).u8(head.readonlySigned).u8(head.readonlyUnsigned).u32(mask);
  out.bytes(key32(parts.blockhash)).u8(instructions.length).u8(keys.length);
  for (const key of keys) out.bytes(key32(key));
  if (priorityFee !== undefined) out.u64(priorityFee);
  for (const value of [computeUnitLimit, loadedAccountsDataSizeLimit, heapSize])
    if (value !== undefined) out.u32(value);
  for (const { program, accounts, data } of instructions)
    out
      .u8(places.get(program) ?? 0)
      .u8(accounts.length)
      .u16(data.length);
  for (const { accounts, data } of instructions) {
    for (const { address } of accounts) out.u8(places.get(address) ?? 0);
    out.bytes(data);
  }
  return out.done();
}

const key32 = (address: string): Uint8Array => keyBytes(address) ?? new Uint8Array(KEY_BYTES);

/** A transaction of these signatures, in the order of the signers; 64 zero bytes where one has not signed. */
export function writeTransaction(
  version: Message['version'],
  message: Uint8Array,
  signatures: readonly Uint8Array[],
): Uint8Array {
  if (signatures.some(({ length }) => length !== SIGNATURE_BYTES)) throw new RangeError('a signature has 64 bytes');
  const out = new ByteWriter();
  if (version === 1) {
    out.bytes(message);
    for (const signature of signatures) out.bytes(signature);
    return out.done();
  }
  out.compactU16(signatures.length);
  for (const signature of signatures) out.bytes(signature);
  return out.bytes(message).done();
}

/** 32 zero bytes, in the place of a blockhash that nobody needs, or not yet. */
export const NO_BLOCKHASH = encodeBase58(new Uint8Array(KEY_BYTES));

/** A message of `writeMessage` with another blockhash, base58. */
export function withBlockhash(message: Uint8Array, blockhash: string): Uint8Array {
  const made = message.slice();
  made.set(key32(blockhash), blockhashAt(message));
  return made;
}

/** After the header and, before version 1, the addresses: a message that fits has so few that their number is one byte. */
function blockhashAt(message: Uint8Array): number {
  const [first = 0] = message;
  if (first === V1) return 8;
  const count = first < 0x80 ? 3 : 4;
  return count + 1 + (message[count] ?? 0) * KEY_BYTES;
}

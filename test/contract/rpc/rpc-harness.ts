// Shared by the contract tests of the local ledger: a ledger without a clock, plain calls on its engine,
// and transactions signed by its wallet. No HTTP: the transports have separate tests.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { encodeBase58, decodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../core/solana/json/json';
import { WireText, type RpcError, type WireJson } from '../../../localnet/api';
import { keypairFromSeed, type Keypair } from '../../../localnet/ledger/wallets/keys';
import { openLedger, type Ledger, type LedgerOptions } from '../../../localnet/node/open';

export const SYSTEM = '11111111111111111111111111111111';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ATA = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

/** A loose view of an answer: members by name, each again loose. */
export interface Loose {
  readonly [key: string]: Loose & WireJson;
  readonly [index: number]: Loose & WireJson;
}

export interface Instruction {
  readonly program: string;
  readonly accounts: readonly {
    readonly address: string;
    readonly signer?: boolean;
    readonly writable?: boolean;
  }[];
  readonly data: Uint8Array;
}

export class Bench {
  private constructor(
    readonly ledger: Ledger,
    readonly wallet: Keypair,
  ) {}

  /** A paused ledger: slots move only by `slots()`. With TowerBFT a block is final after four. */
  static async open(options: LedgerOptions = {}): Promise<Bench> {
    const ledger = await openLedger({ paused: true, finalityLag: 4, ...options });
    return new Bench(ledger, keypairFromSeed(ledger.wallet.secretKey.subarray(0, 32)));
  }

  close(): void {
    this.ledger.close();
  }

  /** The result of a call that must succeed. */
  async call(method: string, ...params: JsonValue[]): Promise<Loose & WireJson> {
    const outcome = await this.ledger.rpc.call(method, params, { staked: false });
    assert.ok(outcome.ok, `${method}: ${outcome.ok ? '' : JSON.stringify(outcome.error, digits)}`);
    return outcome.result as Loose & WireJson;
  }

  /** The error of a call that must fail. */
  async fails(method: string, ...params: JsonValue[]): Promise<RpcError> {
    const outcome = await this.ledger.rpc.call(method, params, { staked: false });
    assert.ok(!outcome.ok, `${method} was expected to fail`);
    return outcome.error;
  }

  slots(count: number): void {
    this.ledger.cheats.nextSlot(count);
  }

  /** Ends slots until everything so far is final. */
  finalize(): void {
    this.slots(5);
  }

  async blockhash(commitment = 'processed'): Promise<string> {
    const { value } = await this.call('getLatestBlockhash', { commitment });
    return textOf(value?.['blockhash']);
  }

  /** Signs and encodes; the fee payer is the first signer. */
  async signed(instructions: readonly Instruction[], signers: readonly Keypair[] = [this.wallet]): Promise<string> {
    return this.signedOn(await this.blockhash(), instructions, signers);
  }

  /** As `signed`, on a given blockhash. */
  signedOn(blockhash: string, instructions: readonly Instruction[], signers: readonly Keypair[]): string {
    return toBase64(signTransaction(compile(instructions, signers, blockhash), signers));
  }

  /** As `signed`, as a version 0 transaction. */
  async versioned(
    instructions: readonly Instruction[],
    tables: readonly Table[],
    signers: readonly Keypair[] = [this.wallet],
  ): Promise<string> {
    return toBase64(signTransaction(compile(instructions, signers, await this.blockhash(), tables), signers));
  }

  /** Sends without preflight traps: processed state, base64. Answers the signature. */
  async send(instructions: readonly Instruction[], signers: readonly Keypair[] = [this.wallet]): Promise<string> {
    const wire = await this.signed(instructions, signers);
    return textOf(await this.call('sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'processed' }));
  }

  async transfer(to: string, lamports = 1_000_000n, note?: string): Promise<string> {
    const list = [transfer(this.wallet.address, to, lamports)];
    return this.send(note === undefined ? list : [...list, memo(note)]);
  }
}

/** A member that must be a text. */
export function textOf(value: unknown): string {
  if (value instanceof WireText) return [...value.pieces()].join('');
  assert.equal(typeof value, 'string');
  return value as string;
}

/** An integer of an answer, exact. */
export function bigOf(value: unknown): bigint {
  assert.ok(typeof value === 'bigint' || typeof value === 'number');
  return BigInt(value);
}

/** JSON with bigints as their digits, for messages. */
export function digits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

export function freshKey(name?: string): Keypair {
  return keypairFromSeed(name === undefined ? randomBytes(32) : createHash('sha256').update(name).digest());
}

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
export const bytesOf = (address: string): Uint8Array => decodeBase58(address) ?? new Uint8Array();

export function transfer(from: string, to: string, lamports: bigint): Instruction {
  return {
    program: SYSTEM,
    accounts: [
      { address: from, signer: true, writable: true },
      { address: to, writable: true },
    ],
    data: Buffer.concat([u32(2), u64(lamports)]),
  };
}

export function memo(text: string): Instruction {
  return { program: MEMO, accounts: [], data: Buffer.from(text) };
}

interface NewAccount {
  readonly lamports: bigint;
  /** Bytes. */
  readonly space: number;
  readonly owner: string;
}

export function createAccount(from: string, account: string, { lamports, space, owner }: NewAccount): Instruction {
  return {
    program: SYSTEM,
    accounts: [
      { address: from, signer: true, writable: true },
      { address: account, signer: true, writable: true },
    ],
    data: Buffer.concat([u32(0), u64(lamports), u64(BigInt(space)), bytesOf(owner)]),
  };
}

export function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
}

export function u64(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(value);
  return buffer;
}

/** Lengths as the wire has them. */
export function compact(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7];
}

export interface Table {
  readonly address: string;
  readonly addresses: readonly string[];
}

/** A message: legacy, or version 0 when lookup tables are given (an empty list too). */
export function compile(
  instructions: readonly Instruction[],
  signers: readonly Keypair[],
  blockhash: string,
  tables?: readonly Table[],
): Uint8Array {
  const roles = new Map<string, { signer: boolean; writable: boolean; program: boolean }>();
  const note = (address: string, role: { signer?: boolean; writable?: boolean; program?: boolean }): void => {
    const old = roles.get(address) ?? { signer: false, writable: false, program: false };
    roles.set(address, {
      signer: old.signer || role.signer === true,
      writable: old.writable || role.writable === true,
      program: old.program || role.program === true,
    });
  };
  signers.forEach(({ address }, index) => note(address, { signer: true, writable: index === 0 }));
  for (const { accounts } of instructions) for (const { address, ...role } of accounts) note(address, role);
  for (const { program } of instructions) note(program, { program: true });

  const lookups = (tables ?? []).map((table) => {
    const used = table.addresses.flatMap((address, index) => {
      const role = roles.get(address);
      if (role === undefined || role.signer || role.program) return [];
      roles.delete(address);
      return [{ address, index, writable: role.writable }];
    });
    return { table, writable: used.filter((u) => u.writable), readonly: used.filter((u) => !u.writable) };
  });

  const payer = signers[0]?.address;
  const rank = ([address, role]: [string, { signer: boolean; writable: boolean }]): number =>
    address === payer ? -1 : (role.signer ? 0 : 2) + (role.writable ? 0 : 1);
  const entries = [...roles].sort((a, b) => rank(a) - rank(b));
  const count = (test: (role: { signer: boolean; writable: boolean }) => boolean): number =>
    entries.filter(([, role]) => test(role)).length;
  const order = [
    ...entries.map(([address]) => address),
    ...lookups.flatMap((l) => l.writable.map((u) => u.address)),
    ...lookups.flatMap((l) => l.readonly.map((u) => u.address)),
  ];
  const indexOf = (address: string): number => order.indexOf(address);
  return Buffer.concat([
    Uint8Array.from(tables === undefined ? [] : [0x80]),
    Uint8Array.of(
      count((r) => r.signer),
      count((r) => r.signer && !r.writable),
      count((r) => !r.signer && !r.writable),
      ...compact(entries.length),
    ),
    ...entries.map(([address]) => bytesOf(address)),
    bytesOf(blockhash),
    Uint8Array.from(compact(instructions.length)),
    ...instructions.flatMap(({ program, accounts, data }) => [
      Uint8Array.of(indexOf(program), ...compact(accounts.length), ...accounts.map((a) => indexOf(a.address))),
      Uint8Array.from(compact(data.length)),
      data,
    ]),
    ...(tables === undefined ? [] : [Uint8Array.from(compact(lookups.length))]),
    ...lookups.flatMap(({ table, writable, readonly }) => [
      bytesOf(table.address),
      Uint8Array.of(...compact(writable.length), ...writable.map((u) => u.index)),
      Uint8Array.of(...compact(readonly.length), ...readonly.map((u) => u.index)),
    ]),
  ]);
}

export function signTransaction(message: Uint8Array, signers: readonly Keypair[]): Uint8Array {
  return Buffer.concat([Uint8Array.from(compact(signers.length)), ...signers.map((s) => s.sign(message)), message]);
}

export function signatureIn(wireBase64: string): string {
  return encodeBase58(Buffer.from(wireBase64, 'base64').subarray(1, 65));
}

// The client of an Anchor-style project, generated from the program's IDL. Discriminators are derived,
// arguments and accounts are written and read as the IDL says. It knows a URL and nothing else of the node behind it.
import { PublicKey, SendTransactionError, TransactionInstruction, type Connection } from '@solana/web3.js';
import { discriminator } from './open-counter';

export interface Idl {
  readonly address: string;
  readonly instructions: readonly {
    readonly name: string;
    readonly accounts: readonly { readonly name: string; readonly writable?: boolean; readonly signer?: boolean }[];
    readonly args: readonly Field[];
  }[];
  readonly types: readonly { readonly name: string; readonly type: { readonly fields: readonly Field[] } }[];
  readonly errors: readonly { readonly code: number; readonly name: string }[];
}

interface Field {
  readonly name: string;
  readonly type: 'u64' | 'pubkey';
}

export type Value = bigint | PublicKey;

const CODECS = {
  u64: {
    bytes: 8,
    write: (value: Value): Buffer => Buffer.from(BigUint64Array.of(value as bigint).buffer),
    read: (data: Buffer, at: number): Value => data.readBigUInt64LE(at),
  },
  pubkey: {
    bytes: 32,
    write: (value: Value): Buffer => (value as PublicKey).toBuffer(),
    read: (data: Buffer, at: number): Value => new PublicKey(data.subarray(at, at + 32)),
  },
} as const;

export class Program {
  readonly programId: PublicKey;

  constructor(
    private readonly idl: Idl,
    private readonly connection: Connection,
  ) {
    this.programId = new PublicKey(idl.address);
  }

  instruction(
    name: string,
    accounts: Readonly<Record<string, PublicKey>>,
    args: Readonly<Record<string, Value>> = {},
  ): TransactionInstruction {
    const found = this.idl.instructions.find((one) => one.name === name);
    if (found === undefined) throw new Error(`The IDL has no instruction ${name}`);
    return new TransactionInstruction({
      programId: this.programId,
      keys: found.accounts.map(({ name: account, writable, signer }) => ({
        pubkey: accounts[account] ?? PublicKey.default,
        isWritable: writable === true,
        isSigner: signer === true,
      })),
      data: Buffer.concat([
        discriminator(`global:${name}`),
        ...found.args.map(({ name: field, type }) => CODECS[type].write(args[field] ?? 0n)),
      ]),
    });
  }

  /** The account's fields by name. */
  async fetch(type: string, address: PublicKey): Promise<Readonly<Record<string, Value>>> {
    const account = await this.connection.getAccountInfo(address);
    const fields = this.idl.types.find(({ name }) => name === type)?.type.fields ?? [];
    if (account === null || !account.data.subarray(0, 8).equals(discriminator(`account:${type}`)))
      throw new Error(`${address.toBase58()} is not a ${type}`);
    let at = 8;
    return Object.fromEntries(
      fields.map(({ name, type: kind }) => {
        const value = CODECS[kind].read(account.data, at);
        at += CODECS[kind].bytes;
        return [name, value];
      }),
    );
  }

  /** The program's name for what a transaction failed with. */
  errorOf(error: unknown): string | undefined {
    const code =
      error instanceof SendTransactionError ? /custom program error: (0x[0-9a-f]+)/.exec(error.message) : null;
    return this.idl.errors.find((one) => one.code === Number(code?.[1]))?.name;
  }
}

// Shared by the tests of version 1 on the local service: transfers of its wallet made by the public client, sent, simulated
// and landed.
import assert from 'node:assert/strict';
import { createKeyPairSignerFromBytes, type Instruction, type KeyPairSigner } from '@solana/kit';
import type { JsonValue } from '../../../core/solana/json/json';
import { kitV1, newSigner, transferInstruction, type KitConfig } from '../../support/data/v1Transactions';
import type { LedgerOptions } from '../../../localnet/node/open';
import { Bench, textOf, type Loose } from '../rpc/rpc-harness';

/** Enough for transfers: 150 compute units for each native instruction. */
export const FULL: KitConfig = {
  priorityFeeLamports: 5001n,
  computeUnitLimit: 1000,
  loadedAccountsDataSizeLimit: 131_072,
};

export const text = (wire: Uint8Array): string => Buffer.from(wire).toString('base64');

/** An answer with integers as plain numbers. */
export const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? Number(item) : item)));

export interface Wanted {
  readonly config?: KitConfig;
  readonly instructions?: readonly Instruction[];
  readonly blockhash?: string;
}

export class V1Bench {
  #lamports = 1000n;

  private constructor(
    readonly bench: Bench,
    readonly payer: KeyPairSigner,
    /** Gets the transfers; exists. */
    readonly to: string,
  ) {}

  static async open(options: LedgerOptions = {}): Promise<V1Bench> {
    const bench = await Bench.open(options);
    const payer = await createKeyPairSignerFromBytes(bench.ledger.wallet.secretKey);
    const to = (await newSigner()).address;
    await bench.call('requestAirdrop', to, 1_000_000_000);
    bench.slots(2);
    return new V1Bench(bench, payer, to);
  }

  /** A transfer that no other equals. */
  transfer(to = this.to, least = 0n): Instruction {
    return transferInstruction(this.payer, to, least + ++this.#lamports);
  }

  async made({ config = FULL, instructions = [this.transfer()], blockhash }: Wanted = {}): Promise<Uint8Array> {
    const { payer, bench } = this;
    return kitV1({ payer, blockhash: blockhash ?? (await bench.blockhash('confirmed')), instructions, config });
  }

  /** Sends without preflight and lets six slots pass; the record, or null where the transaction is in no block. */
  async landed(wire: Uint8Array): Promise<Loose | null> {
    const options = { encoding: 'base64', skipPreflight: true };
    const signature = textOf(await this.bench.call('sendTransaction', text(wire), options));
    this.bench.slots(6);
    const shown = { commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
    return await this.bench.call('getTransaction', signature, shown);
  }

  async simulated(wire: Uint8Array, config: Record<string, JsonValue> = {}): Promise<Loose> {
    const options = { encoding: 'base64', commitment: 'confirmed', ...config };
    const { value } = await this.bench.call('simulateTransaction', text(wire), options);
    assert.ok(value);
    return value;
  }
}

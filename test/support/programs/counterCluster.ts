// A local service in place of a cluster: it has the counter program, a counter of an owner, and transactions that raise it,
// by the owner or by a stranger, which fails.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { member } from '../../../core/solana/json/json';
import { COUNTER_BYTES, counterProgram, discriminator, openCounterProgram } from '../../contract/open/open-counter';
import {
  bytesOf,
  compile,
  freshKey,
  signTransaction,
  toBase64,
  u64,
  type Instruction,
  type Table,
} from '../../contract/rpc/rpc-harness';
import { startTestLedger, type Localnet } from '../process/localnet';

type Keypair = ReturnType<typeof freshKey>;

export interface CounterCluster {
  readonly local: Localnet;
  /** Base58. */
  readonly program: string;
  readonly counter: string;
  readonly owner: Keypair;
  readonly stranger: Keypair;
  /** Raises the counter by 2. */
  increment(by: Keypair): Instruction;
  blockhash(): Promise<string>;
  /** The signature of a transaction that landed, failed or not. Version 0 where tables are given, an empty list too. */
  landed(payer: Keypair, instructions: readonly Instruction[], tables?: readonly Table[]): Promise<string>;
  /** The signature of what is given in base64. */
  sent(wire: string): Promise<string>;
}

/** The account of a counter. `owner`: who may raise it, base58. */
export function counterData(owner: string, count: bigint): Buffer {
  const data = Buffer.alloc(COUNTER_BYTES);
  discriminator('account:Counter').copy(data, 0);
  data.writeBigUInt64LE(count, 8);
  data.set(bytesOf(owner), 16);
  return data;
}

/** `folder` gets `counter.so`, and `open.so`: the program with which everybody may raise the counter. */
export async function counterCluster(folder: string, program = freshKey().address): Promise<CounterCluster> {
  const [counter, owner, stranger] = [freshKey(), freshKey(), freshKey()];
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'counter.so'), counterProgram());
  writeFileSync(path.join(folder, 'open.so'), openCounterProgram());
  const local = await startTestLedger([
    ...['--plan', 'Ultra', '--warp-slot', '5000'],
    ...['--bpf-program', program, path.join(folder, 'counter.so')],
  ]);
  const data = counterData(owner.address, 40n);
  await local.cheat('setAccount', {
    ...{ address: counter.address, lamports: 5_000_000, data: data.toString('base64') },
    owner: program,
  });
  for (const { address } of [owner, stranger]) await local.cheat('fund', { address, lamports: 1_000_000_000 });
  const blockhash = async (): Promise<string> => {
    const latest = member((await local.rpc('getLatestBlockhash')).json, 'result');
    const hash = member(member(latest, 'value'), 'blockhash');
    assert.ok(typeof hash === 'string');
    return hash;
  };
  const sent = async (wire: string): Promise<string> => {
    const answer = await local.rpc('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }]);
    const signature = member(answer.json, 'result');
    assert.ok(typeof signature === 'string', answer.text);
    return signature;
  };
  return {
    ...{ local, program, counter: counter.address, owner, stranger, blockhash, sent },
    increment: ({ address }) => ({
      program,
      accounts: [
        { address: counter.address, writable: true },
        { address, signer: true },
      ],
      data: Buffer.concat([discriminator('global:increment'), u64(2n)]),
    }),
    landed: async (payer, instructions, tables) =>
      sent(toBase64(signTransaction(compile(instructions, [payer], await blockhash(), tables), [payer]))),
  };
}

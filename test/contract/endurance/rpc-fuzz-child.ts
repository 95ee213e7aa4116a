// Runs in a separate process: throws mutated transactions, keys and signatures at the ledger's calls and reports over
// IPC, or to stdout without a parent: `rpc-fuzz-child.ts SEED ROUNDS v1` sends version 1 transactions alone. The engine aborts its process on malformed bytes, so that a parent which hears "done" knows none came through.
import { randomBytes } from 'node:crypto';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../core/solana/json/json';
import { keypairFromSeed } from '../../../localnet/ledger/wallets/keys';
import { mutatedV1, v1Wire } from './fuzz-v1';
import { Bench, createAccount, freshKey, memo, toBase64, transfer } from '../rpc/rpc-harness';

export interface FuzzReport {
  readonly calls: number;
  readonly accepted: number;
  /** Error codes and how often each came. */
  readonly codes: Readonly<Record<string, number>>;
  /** Methods that failed with an exception nobody foresaw; must stay empty. */
  readonly internal: readonly string[];
  /** The wallet's lamports after everything, to show that the ledger still answers. */
  readonly balance: string;
}

/** A small generator with a seed: a failure can be run again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const next = random(Number(process.argv[2] ?? 1));
const ROUNDS = Number(process.argv[3] ?? 400);
const IS_V1_ALONE = process.argv[4] === 'v1';
/** Rounds after which the blockhash is asked for again, the open slot ends and the wallet gets more. */
const FRESH_EVERY = 500;

/** One to three changes: a byte set, flipped, removed, inserted; a cut; a tail. */
function mutate(bytes: Uint8Array): Uint8Array {
  let out = Buffer.from(bytes);
  for (let i = next(3); i >= 0; i--) {
    const at = next(Math.max(1, out.length));
    switch (next(7)) {
      case 0:
        out[at] = next(256);
        break;
      case 1:
        out[at] = (out[at] ?? 0) ^ (1 << next(8));
        break;
      case 2:
        out = Buffer.concat([out.subarray(0, at), out.subarray(at + 1)]);
        break;
      case 3:
        out = Buffer.concat([out.subarray(0, at), Buffer.of(next(256)), out.subarray(at)]);
        break;
      case 4:
        out = out.subarray(0, at);
        break;
      case 5:
        out = Buffer.concat([out, randomBytes(1 + next(8))]);
        break;
      default:
        // Offsets of the counts, versions and headers.
        out[[0, 1, 2, 3, 4, 5, 7, 40, 41, 65, 66, 67, 68, 69][next(14)] ?? 0] =
          [0, 1, 2, 0x7f, 0x80, 0x81, 0x89, 0xff][next(8)] ?? 0;
    }
  }
  return out;
}

async function main(): Promise<void> {
  const bench = await Bench.open();
  const account = freshKey();
  const { wallet } = bench;
  const wires = [
    await bench.signed([transfer(wallet.address, freshKey().address, 1_000_000n)]),
    await bench.signed([memo('fuzz'), transfer(wallet.address, freshKey().address, 1_000_000n)]),
    await bench.signed(
      [createAccount(wallet.address, account.address, { lamports: 2_000_000n, space: 32, owner: freshKey().address })],
      [wallet, account],
    ),
    await bench.versioned([memo('fuzz 0')], []),
  ].map((wire) => Buffer.from(wire, 'base64'));

  const codes: Record<string, number> = {};
  const internal: string[] = [];
  let [calls, accepted] = [0, 0];
  const call = async (method: string, params: JsonValue[]): Promise<void> => {
    calls++;
    const outcome = await bench.ledger.rpc.call(method, params, { staked: false });
    if (outcome.ok) accepted++;
    else if (outcome.error.message.startsWith('Internal error')) internal.push(method);
    else codes[outcome.error.code] = (codes[outcome.error.code] ?? 0) + 1;
  };
  const keys = keypairFromSeed(bench.ledger.wallet.secretKey.subarray(0, 32));
  let blockhash = '';
  for (let i = 0; i < ROUNDS; i++) {
    if (i % FRESH_EVERY === 0) {
      if (i > 0) bench.slots(1);
      // Mutated fees and amounts may take all that the wallet has.
      bench.ledger.cheats.fund(wallet.address, 10n ** 12n);
      const latest = await bench.call('getLatestBlockhash', { commitment: 'processed' });
      blockhash = latest['value']?.['blockhash'] as unknown as string;
    }
    const v1 = v1Wire(next, keys, blockhash);
    const isV1 = IS_V1_ALONE || next(3) === 0;
    const wire = isV1 ? mutatedV1(next, v1, keys, mutate) : mutate(wires[next(wires.length)] ?? Buffer.alloc(0));
    const text = toBase64(wire);
    await call('sendTransaction', [text, { encoding: 'base64', skipPreflight: true }]);
    await call('sendTransaction', [text, { encoding: 'base64', preflightCommitment: 'processed' }]);
    await call('simulateTransaction', [
      text,
      { encoding: 'base64', commitment: 'processed', replaceRecentBlockhash: true },
    ]);
    const message = isV1 ? v1.subarray(0, -64) : (wires[0] ?? Buffer.alloc(0)).subarray(65);
    await call('getFeeForMessage', [toBase64(mutate(message))]);
  }
  for (let i = 0; i < 400; i++) {
    const key = encodeBase58(randomBytes(next(70)));
    for (const method of ['getAccountInfo', 'getBalance', 'getProgramAccounts', 'getTokenSupply', 'getTransaction'])
      await call(method, [key]);
    await call('getSignatureStatuses', [[key]]);
    await call('requestAirdrop', [key, 1 + next(1000)]);
    await call('getMultipleAccounts', [[key, wallet.address]]);
  }
  const balance = await bench.call('getBalance', wallet.address, { commitment: 'processed' });
  const report: FuzzReport = { calls, accepted, codes, internal, balance: (balance['value'] as bigint).toString() };
  bench.close();
  if (process.send === undefined) process.stdout.write(`${JSON.stringify(report)}\n`);
  else process.send(report);
}

void main();

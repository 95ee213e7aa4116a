// Runs in a process of its own: throws mutated transactions, keys and signatures at the ledger's calls and reports over
// IPC. The engine aborts its process on malformed bytes, so that a parent which hears "done" knows none came through.
import { randomBytes } from 'node:crypto';
import { encodeBase58 } from '../../../core/values/encoding/base58';
import type { JsonValue } from '../../../core/values/json/json';
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
        // Where the counts, versions and headers stand.
        out[[0, 65, 66, 67, 68, 69][next(6)] ?? 0] = [0, 1, 2, 0x7f, 0x80, 0x81, 0x89, 0xff][next(8)] ?? 0;
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
      [createAccount(wallet.address, account.address, 2_000_000n, 32, freshKey().address)],
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
  for (let i = 0; i < 400; i++) {
    const text = toBase64(mutate(wires[next(wires.length)] ?? Buffer.alloc(0)));
    await call('sendTransaction', [text, { encoding: 'base64', skipPreflight: true }]);
    await call('sendTransaction', [text, { encoding: 'base64', preflightCommitment: 'processed' }]);
    await call('simulateTransaction', [
      text,
      { encoding: 'base64', commitment: 'processed', replaceRecentBlockhash: true },
    ]);
    await call('getFeeForMessage', [toBase64(mutate((wires[0] ?? Buffer.alloc(0)).subarray(65)))]);
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
  process.send?.(report);
}

void main();

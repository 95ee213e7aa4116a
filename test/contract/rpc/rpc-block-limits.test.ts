// Limits of an Alpenglow block, in total and per written account; a transaction that might exceed them waits for the next.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Bench, freshKey, memo, textOf, type Loose } from './rpc-harness';
import type { Keypair } from '../../../localnet/ledger/wallets/keys';

const SECP256K1 = 'KeccakSecp256k11111111111111111111111111111';
/** Names 255 signatures, which are missing: it fails, and costs 1.7 million compute units. */
const HEAVY = { program: SECP256K1, accounts: [], data: Uint8Array.of(255) };

let bench: Bench;
let slot: number;
beforeEach(async () => {
  bench = await Bench.open({ consensus: 'alpenglow' });
  slot = Number(await bench.call('getSlot', { commitment: 'processed' }));
});
afterEach(() => bench.close());

async function sent(payer: Keypair, count: number): Promise<string[]> {
  const signatures: string[] = [];
  for (let at = 0; at < count; at++) {
    const wire = await bench.signed([HEAVY, memo(String(at))], [payer]);
    signatures.push(textOf(await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true })));
  }
  return signatures;
}

async function slotsOf(signatures: readonly string[]): Promise<readonly number[]> {
  const { value } = await bench.call('getSignatureStatuses', [...signatures]);
  return signatures.map((_, at) => Number((value?.[at] as Loose | null)?.['slot']));
}

async function costOf(block: number): Promise<number> {
  const shown = await bench.call('getBlock', block, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 });
  const costs = (shown['transactions'] as unknown as Loose[]).map(({ meta }) => Number(meta?.['costUnits']));
  return costs.reduce((sum, cost) => sum + cost, 0);
}

function payer(): Keypair {
  const key = freshKey();
  bench.ledger.cheats.fund(key.address, 10n ** 9n);
  return key;
}

test('the transactions that write one account have 20 million compute units of a block', async () => {
  const signatures = await sent(payer(), 13);
  bench.slots(2);
  assert.deepEqual(
    await slotsOf(signatures),
    signatures.map((_, at) => (at < 11 ? slot : slot + 1)),
  );
  const cost = await costOf(slot);
  assert.ok(cost <= 20_000_000 && cost > 18_000_000, `${cost}`);
});

test('other accounts have theirs, up to 50 million for the block', async () => {
  const signatures: string[] = [];
  for (const key of [payer(), payer(), payer()]) signatures.push(...(await sent(key, 10)));
  bench.slots(2);
  const slots = await slotsOf(signatures);
  assert.deepEqual([slots[0], slots.at(-1)], [slot, slot + 1]);
  const cost = await costOf(slot);
  assert.ok(cost <= 50_000_000 && cost > 48_000_000, `${cost}`);
});

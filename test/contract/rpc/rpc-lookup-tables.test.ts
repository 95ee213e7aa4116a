// Address lookup tables as the local service resolves them: what a node no longer finds, or does not find yet, is refused.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Bench, bigOf, bytesOf, freshKey, transfer, u32, u64, type Loose } from './rpc-harness';

const LOOKUP_TABLES = 'AddressLookupTab1e1111111111111111111111111';
const NEVER = 2n ** 64n - 1n;

let bench: Bench;
before(async () => {
  bench = await Bench.open();
  // More slots than a node keeps hashes of.
  bench.slots(600);
});
after(() => bench.close());

interface Shape {
  /** The slot in which it was deactivated; NEVER for a table in use. */
  readonly deactivated?: bigint;
  readonly extended?: bigint;
  /** Addresses before this place are older than the last extension. */
  readonly from?: number;
}

/** A transfer to an address of a new table, sent and simulated: the error of both. */
async function outcome(shapeAt: (slot: bigint) => Shape): Promise<unknown> {
  const slot = bigOf(await bench.call('getSlot', { commitment: 'processed' }));
  const { deactivated = NEVER, extended = 0n, from = 0 } = shapeAt(slot);
  const [table, to] = [freshKey().address, freshKey().address];
  const other = freshKey().address;
  const data = Buffer.concat([
    u32(1),
    u64(deactivated),
    u64(extended),
    Uint8Array.of(from, 1),
    bytesOf(bench.wallet.address),
    new Uint8Array(2),
    bytesOf(other),
    bytesOf(to),
  ]);
  bench.ledger.cheats.setAccount(table, { lamports: 10n ** 9n, owner: LOOKUP_TABLES, data });
  const wire = await bench.versioned(
    [transfer(bench.wallet.address, to, 1_000_000n)],
    [{ address: table, addresses: [other, to] }],
  );
  const config = { encoding: 'base64', commitment: 'processed' };
  const simulated = (await bench.call('simulateTransaction', wire, config))['value']?.['err'];
  if (simulated === null) {
    await bench.call('sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'processed' });
    bench.slots(1);
    return Number((await bench.call('getBalance', to, { commitment: 'processed' }))['value']) === 1_000_000
      ? null
      : 'it did not land';
  }
  const { code, data: why } = await bench.fails('sendTransaction', wire, {
    encoding: 'base64',
    preflightCommitment: 'processed',
  });
  assert.deepEqual([code, (why as Loose)['err']], [-32002, simulated]);
  return simulated;
}

describe('a table', () => {
  for (const [name, shapeAt, expected] of [
    ['in use', () => ({}), null],
    ['deactivated in this slot', (slot) => ({ deactivated: slot }), null],
    ['deactivated in the slot before', (slot) => ({ deactivated: slot - 1n }), null],
    ['deactivated 512 slots ago', (slot) => ({ deactivated: slot - 512n }), null],
    ['deactivated 513 slots ago', (slot) => ({ deactivated: slot - 513n }), 'AddressLookupTableNotFound'],
    ['deactivated long ago', () => ({ deactivated: 1n }), 'AddressLookupTableNotFound'],
    ['extended in the slot before', (slot) => ({ extended: slot - 1n, from: 1 }), null],
    ['that got the address in this slot', (slot) => ({ extended: slot, from: 1 }), 'InvalidAddressLookupTableIndex'],
    ['that got later addresses in this slot', (slot) => ({ extended: slot, from: 2 }), null],
  ] as readonly (readonly [string, (slot: bigint) => Shape, string | null])[])
    test(`${name}: ${expected ?? 'it is used'}`, async () => {
      assert.equal(await outcome(shapeAt), expected);
    });
});

// Which state a send is judged by: the open block's without preflight, and with one both its commitment's and the open block's.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AddressLookupTableProgram, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonObject } from '../../../core/solana/json/json';
import { Bench, bigOf, freshKey, memo, textOf, transfer, type Instruction, type Loose } from './rpc-harness';

const UNCHECKED = { encoding: 'base64', skipPreflight: true } as const;

let bench: Bench;
before(async () => {
  // The newest state is ahead of confirmed and finalized by some blocks.
  bench = await Bench.open({ consensus: 'tower' });
});
after(() => bench.close());

const walletKeys = (): { readonly authority: PublicKey; readonly payer: PublicKey } => {
  const key = new PublicKey(bench.wallet.address);
  return { authority: key, payer: key };
};

const asInstruction = ({ programId, keys, data }: TransactionInstruction): Instruction => ({
  program: programId.toBase58(),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    signer: isSigner,
    writable: isWritable,
  })),
  data,
});

const balanceOf = async (address: string): Promise<bigint> =>
  bigOf((await bench.call('getBalance', address, { commitment: 'processed' }))['value']);

describe('a send without preflight', () => {
  for (const given of [{}, { preflightCommitment: 'confirmed' }, { preflightCommitment: 'finalized' }]) {
    const config = { ...UNCHECKED, ...given };
    test(`reads lookup tables of the newest state: ${JSON.stringify(given)}`, async () => {
      const to = freshKey().address;
      const [create, table] = AddressLookupTableProgram.createLookupTable({
        ...walletKeys(),
        recentSlot: Number(await bench.call('getSlot', { commitment: 'confirmed' })),
      });
      const extend = AddressLookupTableProgram.extendLookupTable({
        ...walletKeys(),
        lookupTable: table,
        addresses: [new PublicKey(to)],
      });
      await bench.send([create, extend].map(asInstruction));
      bench.slots(1);
      assert.equal((await bench.call('getAccountInfo', table.toBase58(), { encoding: 'base64' }))['value'], null);
      const wire = await bench.versioned(
        [transfer(bench.wallet.address, to, 1_000_000n)],
        [{ address: table.toBase58(), addresses: [to] }],
      );
      await bench.call('sendTransaction', wire, config);
      assert.equal(await balanceOf(to), 1_000_000n);
    });
    test(`reaches the slot that is being made: ${JSON.stringify(given)}`, async () => {
      const slot = Number(await bench.call('getSlot', { commitment: 'processed' }));
      await bench.call('sendTransaction', await bench.signed([memo('now')]), { ...config, minContextSlot: slot });
      const error = await bench.fails('sendTransaction', await bench.signed([memo('later')]), {
        ...config,
        minContextSlot: slot + 1,
      });
      assert.deepEqual([error.code, Number((error.data as Loose)['contextSlot'])], [-32016, slot]);
    });
  }
});

describe('a preflight passes only what the open block takes', () => {
  const refused = async (wire: string, config: JsonObject = {}): Promise<unknown> => {
    const error = await bench.fails('sendTransaction', wire, { encoding: 'base64', ...config });
    const data = error.data as Loose;
    assert.deepEqual([error.code, data['fee'], data['unitsConsumed']], [-32002, null, 0n]);
    return data['err'];
  };
  test('a blockhash that has run out since', async () => {
    const wire = await bench.signed([memo('old')]);
    bench.slots(153);
    assert.equal((await bench.call('isBlockhashValid', hashOf(wire)))['value'], true);
    assert.equal(await refused(wire), 'BlockhashNotFound');
  });
  test('a payer that has spent everything since', async () => {
    const payer = freshKey();
    await bench.transfer(payer.address, 10_000_000n);
    bench.finalize();
    const hash = await bench.blockhash('finalized');
    const wire = bench.signedOn(hash, [memo('poor')], [payer]);
    await bench.send([transfer(payer.address, bench.wallet.address, 10_000_000n)], [bench.wallet, payer]);
    assert.equal(await refused(wire), 'AccountNotFound');
  });
  test('but a transaction that has landed since may be sent again, unless the state of its preflight knows it', async () => {
    const wire = bench.signedOn(await bench.blockhash('finalized'), [memo('twice')], [bench.wallet]);
    const signature = textOf(await bench.call('sendTransaction', wire, { encoding: 'base64' }));
    assert.equal(await bench.call('sendTransaction', wire, { encoding: 'base64' }), signature);
    assert.equal(await bench.call('sendTransaction', wire, UNCHECKED), signature);
    assert.equal(await refused(wire, { preflightCommitment: 'processed' }), 'AlreadyProcessed');
  });
});

/** The blockhash of a legacy transaction with one signature and two keys. */
function hashOf(wire: string): string {
  const bytes = Buffer.from(wire, 'base64');
  return encodeBase58(bytes.subarray(133, 165));
}

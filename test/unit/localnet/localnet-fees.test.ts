// The compute units that a message may use where it sets no limit, by the programs that it calls, as Agave counts them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeUnitLimitOf } from '../../../localnet/ledger/engine/fees';
import type { DecodedMessage } from '../../../localnet/ledger/transaction/wireTypes';

/** Agave, `builtins-default-costs`: these get 3,000 for each instruction. */
const BUILTINS = [
  'Vote111111111111111111111111111111111111111',
  '11111111111111111111111111111111',
  'ComputeBudget111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
];
/** And every other program 200,000, also those of the runtime that were moved out of it. */
const OTHERS = [
  'Secp256r1SigVerify1111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'Config1111111111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
];

const limitOf = (program: string, count: number): bigint =>
  computeUnitLimitOf({
    version: 'legacy',
    staticKeys: ['9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g', program],
    instructions: Array.from({ length: count }, () => ({ programIdIndex: 1, accounts: [], data: new Uint8Array() })),
  } as unknown as DecodedMessage);

for (const program of BUILTINS)
  test(`each instruction of ${program} counts 3,000 units`, () => assert.equal(limitOf(program, 3), 9_000n));
for (const program of OTHERS)
  test(`each instruction of ${program} counts 200,000 units`, () => {
    assert.equal(limitOf(program, 3), 600_000n);
    assert.equal(limitOf(program, 8), 1_400_000n);
  });

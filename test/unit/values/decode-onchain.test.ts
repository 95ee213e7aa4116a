// Program-derived addresses and the IDLs published at them, against the public client's own derivation.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import test from 'node:test';
import { deflateSync, inflateSync } from 'node:zlib';
import { idlAddress, readIdlAccount, type Inflate } from '../../../core/values/decode/idl/onChain';
import { isOnCurve, programAddress } from '../../../core/values/solana/programAddress';
import { keyOf, layOut } from '../../support/data/layouts';

const inflate: Inflate = (data, most) => inflateSync(data, { maxOutputLength: most });

/** The token program and wrapped SOL. */
const TOKEN = Buffer.from('06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9', 'hex');
const WSOL = Buffer.from('069b8857feab8184fb687f634618c035dac439dc1aeb3b5598a0f00000000001', 'hex');

/** Program, and the account of its IDL, as @solana/kit derives it. */
const IDL_ADDRESSES = [
  ['JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', 'C88XWfp26heEmDkmfSzeXP7Fd7GQJ2j9dDTUsyiZbUTa'],
  ['whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', '2KFqE4RWoPVbvodo8vbggCFeHPS8TDvgpwp79ALMrcyn'],
  ['MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD', '9jWC3EixD3D7ChMrrSRw3opnGHQ8YxZGJqGkzcup3tAn'],
  ['metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s', '77SZ5QQdT1vZV5FbMLMCmiYimtSkNnADbkusCCu5vVRL'],
  ['ComputeBudget111111111111111111111111111111', '3CZ1s46Y6An2G9Gkhu1g62QP6sRMR3NrybQvgvhaEiNW'],
] as const;

test('public keys of pairs are on the curve', () => {
  for (let i = 0; i < 20; i++) {
    const key = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    assert.equal(isOnCurve(key), true);
  }
});

test('the associated token address of a wallet is what every client derives', () => {
  // Wrapped SOL of the System Program's address: derived with @solana/kit.
  const ATA = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
  assert.deepEqual(programAddress([new Uint8Array(32), TOKEN, WSOL], ATA), {
    address: 'aqxoAhCwpy3oB1BpNw9hL1HdLYLgPpbPjzxDrrQj3Fs',
    bump: 254,
  });
});

test('the IDL of a program is where Anchor puts it', () => {
  for (const [program, address] of IDL_ADDRESSES) assert.equal(idlAddress(program), address);
  assert.equal(idlAddress('no key'), undefined);
});

const packed = (text: string): Uint8Array => {
  const data = deflateSync(text);
  return layOut(new Uint8Array(8), keyOf(0xaa), [4, data.length], data, new Uint8Array(100));
};

test('a published IDL is unpacked and read', async () => {
  const { idl, problems } = await readIdlAccount(packed('{"name":"shop","instructions":[]}'), inflate);
  assert.deepEqual([idl?.name, problems], ['shop', []]);
});

test('an account that holds no IDL, or one that grows beyond bounds, says so', async () => {
  const broken = [new Uint8Array(0), new Uint8Array(44), packed('{').fill(0, 44), packed(' '.repeat(5_000_000))];
  for (const data of broken) {
    const { idl, problems } = await readIdlAccount(data, inflate);
    assert.equal(idl, undefined);
    assert.equal(problems[0]?.place, 'the account');
  }
});

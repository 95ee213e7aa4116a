// Keypair files of the terminal: the forms that wallets write, with the line break that editors add.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readKeypair } from '../../../cli/session/secrets';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { ed25519 } from '../../../core/solana/chain/crypto';

const seed = new Uint8Array(32).fill(7);
const own = ed25519.getPublicKey(seed);
const BYTES = Uint8Array.of(...seed, ...own);

for (const [form, text] of [
  ['a JSON array', JSON.stringify([...BYTES])],
  ['base58', encodeBase58(BYTES)],
  ['base64', Buffer.from(BYTES).toString('base64')],
] as const)
  test(`is read from ${form}`, () => {
    const keypair = readKeypair(`${text}\n`);
    assert.equal(keypair?.address, encodeBase58(own));
    assert.equal(keypair.secretKey.reveal(), encodeBase58(BYTES));
  });

test('is refused where the public key is not that of the seed', () => {
  const wrong = Uint8Array.from(BYTES);
  wrong[40] = (wrong[40] ?? 0) ^ 1;
  assert.equal(readKeypair(JSON.stringify([...wrong])), undefined);
});

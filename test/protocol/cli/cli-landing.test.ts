// `solana-rpc watch` of a transaction that nobody sees: what is said of its lifetime is what can be known of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { type CliResult, testWorkspace } from '../../support/process/cli';
import { key, v1Bytes } from '../../support/data/v1Transactions';
import { httpServer } from '../../support/wire/hostile';

const SIGNATURE = encodeBase58(new Uint8Array(64).fill(7));
const NONCE_ACCOUNT = encodeBase58(key(2));
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
/** Its first instruction advances the nonce of an account, whose nonce is in the place of a recent blockhash. */
const DURABLE = v1Bytes({
  addresses: [key(1), key(2), new Uint8Array(32)],
  instructionHeaders: [[2, 3, 4]],
  payload: [1, 0, 0, 4, 0, 0, 0],
});

const work = testWorkspace();

function nonceAccount(nonce: Uint8Array): object {
  const data = new Uint8Array(80);
  data.set([1, 0, 0, 0, 1, 0, 0, 0]);
  data.set(nonce, 40);
  return { context: { slot: 9 }, value: { data: [base64(data), 'base64'], lamports: 1 } };
}

/** Watches on a node that has seen nothing, whose blocks go by at once and whose nonces are these. */
async function watched(
  args: readonly string[],
  { input, nonces = [] }: { readonly input?: string; readonly nonces?: readonly Uint8Array[] } = {},
): Promise<CliResult & { readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = await httpServer(({ body }, response) => {
    const { method, params } = JSON.parse(body) as { readonly method: string; readonly params: readonly unknown[] };
    const nth = asked.filter((one) => one === method).length;
    asked.push(method);
    const results: Readonly<Record<string, unknown>> = {
      getSignatureStatuses: { context: { slot: 9 }, value: [null] },
      getBlockHeight: 100 + 151 * nth,
      getAccountInfo: params[0] === NONCE_ACCOUNT ? nonceAccount(nonces[nth] ?? key(9)) : undefined,
    };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: results[method] ?? null }));
  });
  try {
    const ended = await work.run(['watch', ...args, '--rpc-url', server.origin], input === undefined ? {} : { input });
    return { ...ended, asked };
  } finally {
    await server.close();
  }
}

test('of a signature alone it is not said that it can no longer land', async () => {
  const { code, stdout, stderr } = await watched([SIGNATURE]);
  assert.equal(code, 3);
  assert.match(stdout, /"level":"sent"/);
  assert.match(stderr, /^ambiguous: .* not seen for 150 blocks.* with a durable nonce it can, until/);
  assert.match(stderr, /next: .*solana-rpc watch -/);
  assert.doesNotMatch(stdout + stderr, /expired/);
});

test('a given transaction with a durable nonce is followed by its nonce account, not by the block height', async () => {
  const nonces = [key(9), key(9), key(8)];
  const { code, stdout, stderr, asked } = await watched(['-'], { input: `${base64(DURABLE)}\n`, nonces });
  assert.equal(code, 3);
  assert.match(stdout, new RegExp(`"signature":"${SIGNATURE}","level":"expired".*"nonceAccount":"${NONCE_ACCOUNT}"`));
  assert.match(stderr, /^expired: .* did not land before its nonce was advanced\.\n {2}next: /);
  assert.equal(asked.filter((method) => method === 'getAccountInfo').length, nonces.length);
  assert.ok(!asked.includes('getBlockHeight'));
});

test('a given transaction with a recent blockhash is expired once that is too old', async () => {
  const { code, stderr } = await watched(['-'], { input: base64(v1Bytes()) });
  assert.equal(code, 3);
  assert.match(stderr, /^expired: .* its blockhash was too old\./);
});

test('an input that is not a signed transaction is refused before any request', async () => {
  for (const [input, reason] of [
    ['AAAA', /holds no transaction/],
    ['', /holds no transaction/],
    ['A'.repeat(30_000), /too long/],
    [base64(v1Bytes({ signatures: [new Uint8Array(64)] })), /no signature of its fee payer/],
  ] as const) {
    const { code, stderr, asked } = await watched(['-'], { input });
    assert.equal(code, 1, stderr);
    assert.match(stderr, reason);
    assert.deepEqual(asked, []);
  }
  const both = await watched(['-', '--key-stdin'], { input: 'x' });
  assert.deepEqual([both.code, both.asked], [1, []]);
});

// The endpoints of the service and their parameters, one test per row of the contract, by plain fetch.
import assert from 'node:assert/strict';
import { before, describe, test, type TestContext } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { serviceInProcess } from '../../support/process/inProcessService';
import { startTestLedger, testLedger } from '../../support/process/localnet';
import { ServiceWallet } from '../geyser/geyser-wallet';
import { TOKEN, compile, freshKey, memo, signTransaction, signatureIn, toBase64, transfer } from '../rpc/rpc-harness';
import {
  at,
  call,
  finalize,
  get,
  isAddress,
  isObject,
  isSignature,
  isWhole,
  listAt,
  post,
  refusal,
  story,
  type Story,
} from './service-harness';
import { prepare } from '../../support/shared';

const LEVELS = ['processed', 'confirmed', 'finalized'];
const BAD_PARAMS = -32602;

const local = testLedger(['--plan', 'Shared Metal'], { clock: 'slots' });
const wallet = new ServiceWallet(local);
let ledger: Story;
prepare(async () => {
  ledger = await story(local);
});

/** A transaction on the newest blockhash of a commitment, as wire bytes in base64. */
async function signed(note: string, tables?: []): Promise<string> {
  const blockhash = String(at(await call(local, 'getLatestBlockhash'), 'value.blockhash'));
  const signers = [wallet.keypair];
  const instructions = [transfer(wallet.address, freshKey().address, 1_000_000n), memo(note)];
  return toBase64(signTransaction(compile(instructions, signers, blockhash, tables), signers));
}

const codeOf = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
  at(await refusal(local, method, ...params), 'code');

/** The commitments a method takes and those it does not. */
function commitments(method: string, params: () => readonly unknown[], allowed: readonly string[] = LEVELS): void {
  for (const commitment of LEVELS)
    test(`config.commitment ${commitment} is ${allowed.includes(commitment) ? 'taken' : 'refused'}`, async () => {
      const { body } = await post(local, method, [...params(), { commitment }]);
      assert.equal(at(body, 'error.code'), allowed.includes(commitment) ? undefined : BAD_PARAMS);
    });
  test('another config.commitment is refused', async () => {
    assert.equal(await codeOf(method, ...params(), { commitment: 'max' }), BAD_PARAMS);
  });
}

/** Default finalized: the answer of a ledger on which the three commitments differ. */
async function defaultsToFinalized(method: string, t: TestContext): Promise<void> {
  const tower = await startTestLedger(['--consensus', 'tower'], { clock: 'slots' });
  t.after(() => tower.stop());
  await tower.slots(3);
  assert.deepEqual(await call(tower, method), await call(tower, method, { commitment: 'finalized' }));
  assert.notDeepEqual(await call(tower, method), await call(tower, method, { commitment: 'confirmed' }));
}

describe('service: JSON-RPC over HTTPS', () => {
  const ask = (body: object, init: RequestInit = {}): Promise<Response> =>
    fetch(local.ready.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${local.ready.keys.rpc.key}` },
      body: JSON.stringify(body),
      ...init,
    });
  test('calls are posted to …/sol', async () => {
    assert.equal(new URL(local.ready.rpcUrl).pathname, '/sol');
    assert.equal((await ask({ jsonrpc: '2.0', id: 1, method: 'getSlot' })).status, 200);
    assert.equal((await ask({}, { method: 'GET', body: null })).status, 405);
  });
  test('a request with another Content-Type than application/json is refused', async () => {
    const headers = { 'content-type': 'text/plain', authorization: `Bearer ${local.ready.keys.rpc.key}` };
    assert.equal((await ask({ jsonrpc: '2.0', id: 1, method: 'getSlot' }, { headers })).status, 415);
  });
  test('the key is accepted as a query parameter', async () => {
    const url = `${local.ready.rpcUrl}?api_key=${local.ready.keys.rpc.key}`;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    assert.equal(response.status, 200);
  });
  for (const id of [0, 12, 'a text'])
    test(`id ${JSON.stringify(id)} is echoed`, async () => {
      const answer: unknown = await (await ask({ jsonrpc: '2.0', id, method: 'getSlot', params: [] })).json();
      assert.deepEqual([at(answer, 'jsonrpc'), at(answer, 'id')], ['2.0', id]);
      assert.ok(isWhole(at(answer, 'result')));
    });
  test('params may be omitted for methods without parameters', async () => {
    assert.ok(isWhole(at((await post(local, 'getSlot')).body, 'result')));
  });
  for (const method of ['getLatestBlockhash', 'getEpochInfo', 'getBlockHeight'])
    test(`${method} defaults to the commitment finalized`, (t) => defaultsToFinalized(method, t));
});

describe('service: getSlot', () => {
  test('takes no params and answers a number', async () => assert.ok(isWhole(await call(local, 'getSlot'))));
});

describe('service: getBalance', () => {
  const params = () => [ledger.wallet];
  test('pubkey is required', async () => assert.equal(await codeOf('getBalance'), BAD_PARAMS));
  test('pubkey is base58', async () => assert.equal(await codeOf('getBalance', '0OIl'), BAD_PARAMS));
  commitments('getBalance', params);
  test('answers {context{slot}, value} in lamports', async () => {
    const to = freshKey().address;
    await wallet.transfer(to, 2_500_000_000n);
    await finalize(local);
    const result = await call(local, 'getBalance', to);
    assert.equal(at(result, 'value'), 2_500_000_000);
    assert.ok(isWhole(at(result, 'context.slot')));
  });
});

describe('service: getBlockHeight', () => {
  commitments('getBlockHeight', () => []);
  test('answers a number', async () => assert.ok(isWhole(await call(local, 'getBlockHeight'))));
});

describe('service: getEpochInfo', () => {
  commitments('getEpochInfo', () => []);
  test('answers an epoch info', async () => assert.ok(isWhole(at(await call(local, 'getEpochInfo'), 'slotIndex'))));
});

describe('service: getLatestBlockhash', () => {
  commitments('getLatestBlockhash', () => []);
  test('answers {context{slot}, value}', async () => {
    const result = await call(local, 'getLatestBlockhash');
    assert.ok(isWhole(at(result, 'context.slot')) && isAddress(at(result, 'value.blockhash')));
  });
});

describe('service: getTokenSupply', () => {
  commitments('getTokenSupply', () => [ledger.mint]);
  test('mint is required', async () => assert.equal(await codeOf('getTokenSupply'), BAD_PARAMS));
  test('mint is a mint', async () => assert.equal(await codeOf('getTokenSupply', ledger.wallet), BAD_PARAMS));
  test('answers the total supply', async () => {
    assert.equal(at(await call(local, 'getTokenSupply', ledger.mint), 'value.amount'), '3000000');
  });
});

describe('service: getProgramAccounts', () => {
  const memcmp = (offset: number, bytes: string) => ({ memcmp: { offset, bytes } });
  const keys = async (config?: object): Promise<readonly unknown[]> =>
    listAt({ found: await call(local, 'getProgramAccounts', TOKEN, ...(config ? [config] : [])) }, 'found').map((one) =>
      at(one, 'pubkey'),
    );
  test('programId is required', async () => assert.equal(await codeOf('getProgramAccounts'), BAD_PARAMS));
  for (const encoding of ['base64', 'base64+zstd', 'jsonParsed'])
    test(`config.encoding may be ${encoding}`, async () => {
      const filters = [memcmp(0, ledger.mint)];
      const [first] = listAt({ all: await call(local, 'getProgramAccounts', TOKEN, { encoding, filters }) }, 'all');
      const data = at(first, 'account.data');
      assert.ok(encoding === 'jsonParsed' ? isObject(data) : at(data, '1') === encoding);
    });
  test('config.encoding may be base58', async () => {
    const config = { encoding: 'base58', filters: [{ dataSize: 82 }, memcmp(4, ledger.wallet)] };
    const [first] = listAt({ all: await call(local, 'getProgramAccounts', TOKEN, config) }, 'all');
    assert.equal(at(first, 'account.data.1'), 'base58');
  });
  test('another config.encoding is refused', async () => {
    assert.equal(await codeOf('getProgramAccounts', TOKEN, { encoding: 'hex' }), BAD_PARAMS);
  });
  test('config.encoding defaults to base64', async () => {
    const config = { filters: [memcmp(0, ledger.mint)] };
    const [first] = listAt({ all: await call(local, 'getProgramAccounts', TOKEN, config) }, 'all');
    assert.equal(at(first, 'account.data.1'), 'base64');
  });
  test('config.filters selects by dataSize', async () => {
    const mints = await keys({ filters: [{ dataSize: 82 }] });
    assert.ok(mints.includes(ledger.mint) && !mints.includes(ledger.holding));
  });
  test('config.filters selects by memcmp', async () => {
    assert.deepEqual(
      new Set(await keys({ filters: [memcmp(0, ledger.mint)] })),
      new Set([ledger.holding, ledger.frozen]),
    );
    assert.deepEqual(await keys({ filters: [memcmp(0, freshKey().address)] }), []);
  });
  commitments('getProgramAccounts', () => [TOKEN]);
  test('answers every account the program owns', async () => {
    const all = await keys();
    for (const key of [ledger.mint, ledger.holding, ledger.frozen]) assert.ok(all.includes(key));
  });
});

describe('service: getTokenAccountsByOwner', () => {
  const list = async (filter: object, config?: object): Promise<readonly unknown[]> =>
    listAt(await call(local, 'getTokenAccountsByOwner', ledger.wallet, filter, ...(config ? [config] : [])), 'value');
  test('owner is required', async () => assert.equal(await codeOf('getTokenAccountsByOwner'), BAD_PARAMS));
  test('filter is required', async () =>
    assert.equal(await codeOf('getTokenAccountsByOwner', ledger.wallet), BAD_PARAMS));
  test('the filter may be a mint', async () => assert.equal((await list({ mint: ledger.mint })).length, 2));
  test('the filter may be a programId', async () => {
    const found = (await list({ programId: TOKEN })).map((one) => at(one, 'pubkey'));
    assert.ok(found.includes(ledger.holding));
  });
  for (const [what, filter] of Object.entries({
    both: () => ({ mint: ledger.mint, programId: TOKEN }),
    neither: () => ({}),
  }))
    test(`filter with ${what} is refused`, async () => {
      assert.equal(await codeOf('getTokenAccountsByOwner', ledger.wallet, filter()), BAD_PARAMS);
    });
  test('config.encoding defaults to base64', async () => {
    assert.equal(at((await list({ mint: ledger.mint }))[0], 'account.data.1'), 'base64');
  });
  test('config.encoding may be jsonParsed', async () => {
    const [first] = await list({ mint: ledger.mint }, { encoding: 'jsonParsed' });
    assert.equal(at(first, 'account.data.parsed.info.mint'), ledger.mint);
  });
  commitments('getTokenAccountsByOwner', () => [ledger.wallet, { mint: ledger.mint }]);
});

describe('service: getTransaction', () => {
  for (const encoding of ['json', 'jsonParsed'])
    test(`config.encoding may be ${encoding}`, async () => {
      const record = await call(local, 'getTransaction', ledger.paid, { encoding });
      const instruction = at(record, 'transaction.message.instructions.0');
      assert.equal(at(instruction, 'parsed.type'), encoding === 'json' ? undefined : 'transfer');
    });
  for (const encoding of ['base58', 'base64'])
    test(`config.encoding may be ${encoding}`, async () => {
      const record = await call(local, 'getTransaction', ledger.paid, { encoding });
      assert.equal(at(record, 'transaction.1'), encoding);
    });
  test('config.encoding defaults to json', async () => {
    const ask = (config?: object) => call(local, 'getTransaction', ledger.paid, ...(config ? [config] : []));
    assert.deepEqual(await ask(), await ask({ encoding: 'json' }));
  });
  commitments('getTransaction', () => [ledger.paid], ['confirmed', 'finalized']);
  test('config.maxSupportedTransactionVersion 0 enables versioned transactions', async () => {
    const config = { maxSupportedTransactionVersion: 0 };
    assert.equal(at(await call(local, 'getTransaction', ledger.versioned, config), 'version'), 0);
  });
  test('config.maxSupportedTransactionVersion omitted returns legacy transactions only', async () => {
    assert.ok(isObject(await call(local, 'getTransaction', ledger.paid)));
    assert.equal(await codeOf('getTransaction', ledger.versioned), -32015);
  });
  test('answers null when it is not found', async () => {
    assert.equal(await call(local, 'getTransaction', encodeBase58(new Uint8Array(64).fill(3))), null);
  });
  test('answers null when it is not confirmed yet', async () => {
    const signature = await wallet.transfer(freshKey().address);
    const confirmed = { commitment: 'confirmed' };
    assert.equal(await call(local, 'getTransaction', signature, confirmed), null);
    await local.slots(1);
    assert.ok(isObject(await call(local, 'getTransaction', signature, confirmed)));
  });
});

describe('service: getSignaturesForAddress', () => {
  const subject = freshKey().address;
  let newestFirst: readonly string[];
  before(async () => {
    const sent: string[] = [];
    for (let i = 1n; i <= 5n; i++) sent.push(await wallet.transfer(subject, 1_000_000n * i));
    newestFirst = sent.reverse();
    await finalize(local);
  });
  const page = async (config: object): Promise<readonly unknown[]> =>
    listAt({ page: await call(local, 'getSignaturesForAddress', subject, config) }, 'page').map((one) =>
      at(one, 'signature'),
    );

  for (const limit of [1, 1000])
    test(`config.limit may be ${limit}`, async () =>
      assert.deepEqual(await page({ limit }), newestFirst.slice(0, limit)));
  for (const limit of [0, 1001])
    test(`config.limit ${limit} is refused`, async () => {
      assert.equal(await codeOf('getSignaturesForAddress', subject, { limit }), BAD_PARAMS);
    });
  test('config.before is exclusive', async () => {
    assert.deepEqual(await page({ before: newestFirst[1] }), newestFirst.slice(2));
  });
  test('config.until is inclusive', async () => {
    assert.deepEqual(await page({ until: newestFirst[3] }), newestFirst.slice(0, 4));
  });
  commitments('getSignaturesForAddress', () => [subject], ['confirmed', 'finalized']);
  test('answers newest to oldest', async () => assert.deepEqual(await page({}), newestFirst));
});

describe('service: sendTransaction', () => {
  test('transaction is required', async () => assert.equal(await codeOf('sendTransaction'), BAD_PARAMS));
  test('config.encoding may be base64', async () => {
    const wire = await signed('base64');
    assert.equal(await call(local, 'sendTransaction', wire, { encoding: 'base64' }), signatureIn(wire));
  });
  for (const [what, config] of [
    ['base58', { encoding: 'base58' }],
    ['default base58', {}],
  ] as const)
    test(`config.encoding may be ${what}`, async () => {
      const wire = await signed(what);
      const text = encodeBase58(Buffer.from(wire, 'base64'));
      assert.equal(await call(local, 'sendTransaction', text, config), signatureIn(wire));
    });
  test('a versioned transaction is accepted in base64', async () => {
    const wire = await signed('versioned', []);
    assert.equal(await call(local, 'sendTransaction', wire, { encoding: 'base64' }), signatureIn(wire));
  });
  test('config.skipPreflight defaults to false: what would fail is refused', async () => {
    const wire = await tooMuch();
    assert.equal(await codeOf('sendTransaction', wire, { encoding: 'base64' }), -32002);
  });
  test('what would fail is accepted with config.skipPreflight', async () => {
    const wire = await tooMuch();
    assert.ok(isSignature(await call(local, 'sendTransaction', wire, { encoding: 'base64', skipPreflight: true })));
  });
  test('config.preflightCommitment defaults to finalized', async () => {
    const payer = freshKey();
    await wallet.transfer(payer.address, 1_000_000_000n);
    const blockhash = String(at(await call(local, 'getLatestBlockhash'), 'value.blockhash'));
    const wire = toBase64(signTransaction(compile([memo('young')], [payer], blockhash), [payer]));
    const config = { encoding: 'base64' };
    assert.equal(await codeOf('sendTransaction', wire, config), -32002);
    await call(local, 'sendTransaction', wire, { ...config, preflightCommitment: 'processed' });
  });
  test('config.maxRetries may be 0 and not negative', async () => {
    await call(local, 'sendTransaction', await signed('no retries'), { encoding: 'base64', maxRetries: 0 });
    const wire = await signed('bad retries');
    assert.equal(await codeOf('sendTransaction', wire, { encoding: 'base64', maxRetries: -1 }), BAD_PARAMS);
  });

  async function tooMuch(): Promise<string> {
    const blockhash = String(at(await call(local, 'getLatestBlockhash'), 'value.blockhash'));
    const signers = [wallet.keypair];
    const instructions = [transfer(wallet.address, freshKey().address, 10n ** 15n)];
    return toBase64(signTransaction(compile(instructions, signers, blockhash), signers));
  }
});

describe('service: REST usage', () => {
  test('GET /v1/usage counts requests', async () =>
    assert.ok(isWhole(at(await get(local, '/v1/usage'), 'request_count'))));
  test('from defaults to 24 hours before now, and to to now', async (t) => {
    const stepped = await serviceInProcess('Free');
    t.after(() => stepped.stop());
    const to = Math.floor(stepped.now() / 1000);
    const usage = await get(stepped, '/v1/usage');
    assert.deepEqual([at(usage, 'from'), at(usage, 'to')], [to - 86_400, to]);
  });
  test('from and to bound the range', async () => {
    assert.equal(at(await get(local, '/v1/usage?from=1000&to=2000'), 'request_count'), 0);
  });
  test('api_key is accepted as a query parameter', async () => {
    const response = await fetch(`${local.ready.restUrl}/v1/usage?api_key=${local.ready.keys.rpc.key}`);
    assert.equal(response.status, 200);
  });
  test('GET /v1/usage/{keyId} counts the requests of one key', async () => {
    const { keyId } = local.ready.keys.rpc;
    assert.equal(at(await get(local, `/v1/usage/${keyId}`), 'key_id'), keyId);
    assert.equal(at(await get(local, `/v1/usage/${keyId}?from=1000&to=2000`), 'request_count'), 0);
  });
  test('the list of API keys has their key IDs', async () => {
    const ids = listAt(await get(local, '/v1/keys'), 'keys').map((one) => at(one, 'key_id'));
    assert.ok(ids.includes(local.ready.keys.rpc.keyId));
  });
});

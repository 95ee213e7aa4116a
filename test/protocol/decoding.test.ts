// Decoded responses through the built server: accounts and transactions of every encoding, small and large, with the
// IDLs of the workspace, which are read again when they change and never from outside it.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import type { ExecuteResult } from '../../protocol/lsp';
import type { DecodeAccountsResult } from '../../protocol/responses';
import { Workspace } from '../support/process/cli';
import { idIn } from '../support/data/accounts';
import { httpServer, type Hostile } from '../support/wire/hostile';
import { keyOf, layOut } from '../support/data/layouts';
import { startServer, WINDOW, type RunningServer } from '../support/lsp/serverProcess';

const FILE = 'file:///requests/decode.jsonrpc';
const PROGRAM = encodeBase58(keyOf(0x11));
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const HEAD = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);

const mint = layOut([4, 1], keyOf(0xaa), [8, 9_000_000], [1, 6], [1, 1], [4, 0], keyOf(0));
const holding = layOut(keyOf(0xcc), keyOf(0xbb), [8, 1_500_000], Buffer.alloc(36), [1, 1], Buffer.alloc(56));
const MINT = encodeBase58(keyOf(0xcc));

const account = (owner: string, data: Uint8Array, space = data.length): object => ({
  data: [Buffer.from(data).toString('base64'), 'base64'],
  executable: false,
  lamports: 2_039_280,
  owner,
  rentEpoch: 0,
  space,
});

/** The service's answers, by method. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  getAccountInfo: { context: { slot: 1 }, value: account(PROGRAM, layOut(HEAD, [8, 42])) },
  getMultipleAccounts: {
    context: { slot: 1 },
    value: [account(TOKEN, mint), null, account(TOKEN, holding), account(TOKEN, mint.subarray(0, 40), 82)],
  },
  getProgramAccounts: Array.from({ length: 1_200 }, (_, at) => ({
    pubkey: encodeBase58(layOut(keyOf(7).subarray(2), [2, at])),
    account: account(TOKEN, holding),
  })),
  getVersion: { 'solana-core': '2.0.0' },
};

let service: Hostile;
before(async () => {
  service = await httpServer(({ body }, response) => {
    const { method } = JSON.parse(body) as { method: string };
    response.setHeader('content-type', 'application/json');
    response.end(`{"jsonrpc":"2.0","result":${JSON.stringify(ANSWERS[method])},"id":${idIn(body)}}`);
    return Promise.resolve();
  });
});
after(() => service.close());

const IDL = (field: string): string =>
  JSON.stringify({
    address: PROGRAM,
    metadata: { name: 'shop', version: '1.0.0', spec: '0.1.0' },
    instructions: [],
    accounts: [{ name: 'Till', discriminator: [...HEAD] }],
    types: [{ name: 'Till', type: { kind: 'struct', fields: [{ name: field, type: 'u64' }] } }],
  });

interface Asked {
  readonly server: RunningServer;
  readonly lines: readonly string[];
  /** Decodes the newest response. */
  readonly decode: (from?: number, count?: number) => Promise<Extract<DecodeAccountsResult, { kind: 'decoded' }>>;
  readonly place: { readonly request: string; readonly run: number };
}

async function ask(t: TestContext, request: string, folder?: string, inlineBytes = 8_000_000): Promise<Asked> {
  const profile = { name: 'test', rpcUrl: service.origin, auth: { rpc: 'none' } } as const;
  const server = await startServer({
    window: {
      profiles: [{ profile, source: 'user' }],
      endpoint: 'test',
      settings: { ...WINDOW.settings, 'response.inlineSize': inlineBytes / 1_000_000 },
      folders: folder === undefined ? [] : [folder],
      idls: folder === undefined ? [] : ['target/idl/*.json', 'idl/*.json'].map((name) => ({ path: name, folder })),
    },
  });
  t.after(() => server.stop());
  const lines: string[] = [];
  server.connection.onNotification('solanaRpc/log', ({ text }: { readonly text: string }) => void lines.push(text));
  await server.open(FILE, `### A\n${request}\n`);
  const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri: FILE, version: 1 });
  const response = result.kind === 'done' ? result.outcomes[0]?.response : undefined;
  assert.ok(response !== undefined, JSON.stringify(result));
  const place = { request: response.request, run: response.run };
  return {
    server,
    lines,
    place,
    decode: async (from = 0, count = 100) => {
      const decoded = await server.connection.sendRequest<DecodeAccountsResult>('solanaRpc/decodeAccounts', {
        ...place,
        from,
        count,
      });
      assert.ok(decoded.kind === 'decoded', decoded.kind);
      return decoded;
    },
  };
}

/** With the folders that IDLs are looked for in. */
function workspace(t: TestContext): Workspace {
  const made = new Workspace();
  for (const folder of ['target/idl', 'idl']) mkdirSync(path.join(made.root, folder), { recursive: true });
  t.after(() => made.dispose());
  return made;
}

const ONE = `{ "method": "getAccountInfo", "params": ["${MINT}", { "encoding": "base64" }] }`;

test('accounts decode in order: a missing account, a token account next to its mint, and a slice', async (t) => {
  const addresses = [MINT, PROGRAM, encodeBase58(keyOf(3)), encodeBase58(keyOf(4))];
  const { decode } = await ask(
    t,
    `{ "method": "getMultipleAccounts", "params": [${JSON.stringify(addresses)}, { "encoding": "base64" }] }`,
  );
  const { of, total, items, text } = await decode();
  assert.deepEqual([of, total], ['accounts', 4]);
  assert.deepEqual(
    items.map(({ title, what, isDecoded }) => [title, what, isDecoded]),
    [
      [MINT, 'SPL Token mint', true],
      [PROGRAM, 'No account', false],
      [encodeBase58(keyOf(3)), 'SPL Token account', true],
      [encodeBase58(keyOf(4)), 'Part of an account', false],
    ],
  );
  assert.equal(items[2]?.rows.find(({ name }) => name === 'amount')?.value, '1.5 (raw 1500000)');
  assert.ok(items[3]?.rows.slice(2).every(({ isGuess }) => isGuess === true));
  assert.match(text, /^3\. SPL Token account/m);
  assert.match(text, /^ {3}amount: 1\.5 \(raw 1500000\)$/m);
});

for (const [size, inlineBytes] of [
  ['small', 8_000_000],
  ['large', 100_000],
] as const)
  test(`a ${size} list is decoded by pages, up to its end`, async (t) => {
    const { decode } = await ask(
      t,
      `{ "method": "getProgramAccounts", "params": ["${TOKEN}", { "encoding": "base64" }] }`,
      undefined,
      inlineBytes,
    );
    const page = await decode(1_190, 100);
    assert.deepEqual([page.total, page.items.length, page.items[0]?.index], [1_200, 10, 1_190]);
    assert.equal(page.items[9]?.title, encodeBase58(layOut(keyOf(7).subarray(2), [2, 1_199])));
    assert.equal((await decode(0, 5_000)).items.length, 100);
  });

test('an IDL of the workspace decodes its accounts, and is read again when it changes', async (t) => {
  const folder = workspace(t);
  folder.write('target/idl/shop.json', IDL('coins'));
  const { server, decode } = await ask(t, ONE, folder.root);
  const [before] = (await decode()).items;
  assert.deepEqual([before?.what, before?.rows.at(-1)], ['Till (shop)', { depth: 0, name: 'coins', value: '42' }]);
  folder.write('target/idl/shop.json', IDL('notes'));
  await server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [] });
  assert.deepEqual((await decode()).items[0]?.rows.at(-1)?.name, 'notes');
});

test('an IDL that is malformed, or outside the workspace, is a line of the log, and the account shows its bytes', async (t) => {
  const [folder, outside] = [workspace(t), workspace(t)];
  outside.write('shop.json', IDL('coins'));
  folder.write('idl/bad.json', '{ nope');
  symlinkSync(path.join(outside.root, 'shop.json'), path.join(folder.root, 'idl', 'shop.json'));
  const { decode, lines } = await ask(t, ONE, folder.root);
  assert.equal((await decode()).items[0]?.what, 'Account of a layout that is not known');
  assert.ok(
    lines.some((line) => line.includes('bad.json: the file: ')),
    lines.join('\n'),
  );
  assert.ok(
    lines.some((line) => line.includes('shop.json') && line.includes('outside')),
    lines.join('\n'),
  );
});

test('a response without accounts has nothing to decode, and a missing response is gone', async (t) => {
  const { server, place } = await ask(t, '{ "method": "getVersion" }');
  const decoded = async (params: object): Promise<string> =>
    (
      await server.connection.sendRequest<DecodeAccountsResult>('solanaRpc/decodeAccounts', {
        ...params,
        from: 0,
        count: 1,
      })
    ).kind;
  assert.equal(await decoded(place), 'noItems');
  assert.equal(await decoded({ request: place.request, run: 99 }), 'gone');
  assert.equal(await decoded({ request: '../x', run: 1 }), 'gone');
});

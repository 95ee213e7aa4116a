// IDLs that programs publish, and what streams of a real service say with and without them, through the built server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { anchorAddress, metadataAddress } from '../../../core/solana/decode/idl/onChain';
import { FOUNDATION, METADATA_PROGRAM } from '../../../core/solana/decode/idl/programMetadata';
import { Suspensions } from '../../../net/auth/suspensions';
import type { FetchIdlParams, FetchIdlResult } from '../../../protocol/idls';
import type { ExecuteResult } from '../../../protocol/lsp';
import type { DecodeAccountsResult } from '../../../protocol/responses';
import type * as live from '../../../protocol/streams';
import { Keys } from '../../../server/keys/keys';
import { PublishedIdls } from '../../../server/idls/publishedIdls';
import { Transports } from '../../../server/run/transports';
import { Window } from '../../../server/window';
import { Workspace, testWorkspace } from '../../support/process/cli';
import { account, bySize, CODAMA_PROGRAM, field, number, publicKey, root, struct } from '../../support/data/codama';
import { keyOf, layOut } from '../../support/data/layouts';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import {
  accountOptions,
  externalData,
  metadataAccount,
  COUNTER_DATA,
  COUNTER_IDL as IDL,
  idlAccount,
  type MetadataParts,
  type PlantedAccount,
} from '../../support/data/plantedAccounts';
import type { RunningServer } from '../../support/lsp/serverProcess';
import { startServerOn } from '../../support/lsp/requestFile';
import { localProfile } from '../../support/lsp/window';

const FILE = 'file:///requests/idls.jsonrpc';
const PROGRAM = 'H9W9shDSfQdpiCPPpqZk3NZ15sj6s3nqxQ6qLxZjZVHh';
/** A program whose IDL account holds anything but an IDL, and one whose account is somebody else's. */
const BROKEN = encodeBase58(keyOf(0x21));
const STOLEN = encodeBase58(keyOf(0x22));
const COUNTER = encodeBase58(keyOf(0x23));
const NOBODY = encodeBase58(keyOf(0x24));

/** Programs that publish with the Program Metadata program: a Codama document, one in another account, a URL, YAML. */
const CODAMA = CODAMA_PROGRAM;
const ELSEWHERE = encodeBase58(keyOf(0x32));
const AT_URL = encodeBase58(keyOf(0x33));
const IN_YAML = encodeBase58(keyOf(0x34));
const STATE = encodeBase58(keyOf(0x35));
const DOCUMENT = encodeBase58(keyOf(0x36));
/** A native program: others publish its IDL. */
const STAKE = 'Stake11111111111111111111111111111111111111';

const codamaText = (name: string): string => {
  const data = struct(field('owner', publicKey), field('total', number('u64', 'be')));
  return JSON.stringify(root({ name, accounts: [account('state', data, [bySize(40)])] }));
};

const metadata = (parts: MetadataParts): PlantedAccount => [
  metadataAddress(parts.program, 'idl', parts.authority),
  METADATA_PROGRAM,
  metadataAccount(parts),
];

const PUBLISHED: readonly PlantedAccount[] = [
  // Its own document comes before that of others.
  metadata({ program: CODAMA, data: deflateSync(codamaText('own')), compression: 2 }),
  metadata({ program: CODAMA, data: codamaText('foreign'), authority: FOUNDATION }),
  [anchorAddress(CODAMA), CODAMA, idlAccount(readFileSync(IDL, 'utf8'))],
  [STATE, CODAMA, layOut(keyOf(0xaa), Uint8Array.of(0, 0, 0, 0, 0, 0, 1, 2))],
  metadata({ program: STAKE, data: gzipSync(codamaText('stake')), compression: 1, authority: FOUNDATION }),
  metadata({ program: ELSEWHERE, data: externalData(DOCUMENT, 4, 0), source: 2 }),
  [DOCUMENT, NOBODY, layOut('head', codamaText('elsewhere'))],
  metadata({ program: AT_URL, data: 'https://example.com/idl.json', source: 1 }),
  metadata({ program: IN_YAML, data: 'name: x', format: 2 }),
];

const files = testWorkspace();
let local: Localnet;
before(async () => {
  const planted: readonly PlantedAccount[] = [
    [anchorAddress(PROGRAM), PROGRAM, idlAccount(readFileSync(IDL, 'utf8'))],
    [anchorAddress(BROKEN), BROKEN, idlAccount(' '.repeat(5_000_000))],
    [anchorAddress(STOLEN), NOBODY, idlAccount(readFileSync(IDL, 'utf8'))],
    [COUNTER, PROGRAM, COUNTER_DATA],
    ...PUBLISHED,
  ];
  local = await startTestLedger(['--plan', 'Ultra', ...accountOptions(files.root, planted)]);
});
after(() => local.stop());

interface Editor {
  readonly server: RunningServer;
  readonly fetch: (program: string, endpoint?: string) => Promise<FetchIdlResult>;
  readonly ask: <T>(method: string, params: unknown) => Promise<T>;
  /** Opens a stream and waits for a row that holds. */
  readonly stream: (
    source: live.StreamSource,
    holds: (cells: Readonly<Record<string, string>>) => boolean,
  ) => Promise<{ readonly id: string; readonly cells: Readonly<Record<string, string>>; readonly number: number }>;
  readonly decoded: (id: string, number: number) => Promise<live.DetailNode>;
}

async function editor(t: TestContext, change: object = {}, text = ''): Promise<Editor> {
  const { server } = await startServerOn(t, local, { window: { ...change } });
  await server.open(FILE, text);
  const ask = <T>(method: string, params: unknown): Promise<T> => server.connection.sendRequest<T>(method, params);
  return {
    server,
    ask,
    fetch: (program, endpoint) =>
      ask('solanaRpc/fetchIdl', { program, ...(endpoint !== undefined && { endpoint }) } satisfies FetchIdlParams),
    async stream(source, holds) {
      const opened = await ask<live.OpenStreamResult>('solanaRpc/openStream', { source });
      assert.ok(opened.kind === 'opened', JSON.stringify(opened));
      const { id, columns } = opened.stream;
      for (let from = 0; ;) {
        const rows = await ask<live.StreamRowsResult>('solanaRpc/streamRows', { id, from, count: 100, filter: '' });
        assert.ok(rows.kind === 'rows', JSON.stringify(rows));
        for (const row of rows.rows) {
          if (row.kind !== 'update') continue;
          const cells = Object.fromEntries(columns.map(({ field }, at) => [field, row.cells[at] ?? '']));
          if (holds(cells)) return { id, cells, number: row.number };
        }
        from = rows.from + rows.rows.length;
        // A transaction sent before the stream was open is not in it, so another is sent.
        await local.rpc('requestAirdrop', [local.ready.wallet.address, 1_000]);
      }
    },
    async decoded(id, number) {
      const row = await ask<live.StreamRowResult>('solanaRpc/streamRow', { id, number });
      assert.ok(row.kind === 'row' && row.decoded !== undefined, JSON.stringify(row));
      return row.decoded;
    },
  };
}

const part = (node: live.DetailNode | undefined, name: string): live.DetailNode | undefined =>
  node?.parts?.find((one) => one.name === name);
const WATCHED: live.StreamSource = { kind: 'account', address: COUNTER };
const block = (line: number): live.StreamSource => ({ kind: 'block', uri: FILE, version: 1, line });

test('An IDL is fetched when it is asked for, and accounts of the program are decoded from then on', async (t) => {
  const request = `### A\n{ "method": "getAccountInfo", "params": ["${COUNTER}", { "encoding": "base64" }] }\n`;
  const one = await editor(t, {}, request);
  const { id, cells, number } = await one.stream(WATCHED, () => true);
  assert.equal(cells['type'], '');
  assert.equal(part(await one.decoded(id, number), 'count'), undefined);
  const fetched = await one.fetch(PROGRAM, 'local');
  assert.deepEqual(fetched, {
    kind: 'fetched',
    name: 'counter',
    endpoint: 'local',
    instructions: 2,
    accounts: 1,
    events: 0,
    problems: [],
    isByFoundation: false,
  });
  assert.equal(part(await one.decoded(id, number), 'count')?.text, '41');
  const kept = await readdir(path.join(one.server.storage, 'idls'));
  assert.ok(kept.length === 1 && kept[0]?.endsWith(`-${PROGRAM}.json`), String(kept));
  const run = await one.ask<ExecuteResult>('solanaRpc/execute', { uri: FILE, version: 1 });
  const place = run.kind === 'done' ? run.outcomes[0]?.response : undefined;
  assert.ok(place !== undefined, JSON.stringify(run));
  const params = { request: place.request, run: place.run, from: 0, count: 10 };
  const decoded = await one.ask<DecodeAccountsResult>('solanaRpc/decodeAccounts', params);
  assert.ok(decoded.kind === 'decoded' && /Counter \(counter\)/.test(decoded.text), JSON.stringify(decoded));
});

test('A Codama document that a program publishes itself comes first, and decodes its accounts', async (t) => {
  const one = await editor(t);
  const watched: live.StreamSource = { kind: 'account', address: STATE };
  const { id, number: row } = await one.stream(watched, () => true);
  const fetched = await one.fetch(CODAMA);
  assert.ok(fetched.kind === 'fetched', JSON.stringify(fetched));
  assert.deepEqual([fetched.name, fetched.accounts, fetched.isByFoundation], ['own', 1, false]);
  const decoded = await one.decoded(id, row);
  assert.deepEqual([decoded.name, part(decoded, 'total')?.text], ['state (own)', '258']);
});

test('The foundation’s IDL is fetched where the program has none; a document may be in another account', async (t) => {
  const { fetch } = await editor(t);
  for (const [program, name, isByFoundation] of [
    [STAKE, 'stake', true],
    [ELSEWHERE, 'elsewhere', false],
  ] as const) {
    const fetched = await fetch(program);
    assert.ok(fetched.kind === 'fetched', JSON.stringify(fetched));
    assert.deepEqual([fetched.name, fetched.isByFoundation], [name, isByFoundation]);
  }
});

test('A fetched IDL is there for the next server too, at the service it came from', async (t) => {
  const { fetch, server } = await editor(t);
  assert.equal((await fetch(PROGRAM)).kind, 'fetched');
  const window = new Window();
  const { storage } = server;
  const transports = new Transports(window, new Keys(undefined), () => undefined, new Suspensions());
  const [kept, ...others] = await new PublishedIdls({ storage, window, transports }).all();
  assert.deepEqual(
    [kept?.origin, kept?.idl.program, kept?.idl.idl.name, others],
    [new URL(local.ready.rpcUrl).origin, PROGRAM, 'counter', []],
  );
});

test('A Codama document of the workspace decodes, with the programs it describes', async (t) => {
  const folder = new Workspace();
  t.after(() => folder.dispose());
  const data = struct(field('owner', publicKey), field('count', number('u64')));
  const other = { name: 'other', publicKey: CODAMA, accounts: [account('theirs', data, [bySize(40)])] };
  folder.write('idl.json', JSON.stringify(root({ name: 'main', publicKey: NOBODY }, other)));
  const one = await editor(t, { idls: [{ path: '*.json', folder: folder.root }], folders: [folder.root] });
  const { cells } = await one.stream({ kind: 'account', address: STATE }, () => true);
  assert.equal(cells['type'], 'theirs (other)');
});

test('An IDL of the workspace decodes rows and details, and needs no other', async (t) => {
  const folder = new Workspace();
  t.after(() => folder.dispose());
  folder.write(`${PROGRAM}.json`, readFileSync(IDL, 'utf8'));
  const idls = [{ path: '*.json', folder: folder.root }];
  const one = await editor(t, { idls, folders: [folder.root] });
  const { id, cells, number } = await one.stream(WATCHED, () => true);
  assert.equal(cells['type'], 'Counter (counter)');
  assert.match(cells['data'] ?? '', /^count: 41, authority: /);
  assert.equal((await one.decoded(id, number)).name, 'Counter (counter)');
});

const FAILURES: readonly (readonly [what: string, program: string, RegExp, endpoint?: string])[] = [
  ['a program without one', NOBODY, /has published no IDL on local/],
  ['an IDL that is too large when it is unpacked', BROKEN, /cannot be unpacked/],
  ['an account that is not the program’s', STOLEN, /belongs to another program/],
  ['an IDL at a URL', AT_URL, /has its IDL at https:\/\/example\.com\/idl\.json, which is not fetched/],
  ['an IDL in YAML', IN_YAML, /written as YAML, and only JSON is read/],
  ['a text that is not an address', 'nobody', /not the address of a program/],
  ['a stream of an endpoint that is not active', PROGRAM, /comes from other, and local is active/, 'other'],
];
for (const [what, program, message, endpoint] of FAILURES)
  test(`Fetching says what is wrong: ${what}`, async (t) => {
    const { fetch, server } = await editor(t);
    const answer = await fetch(program, endpoint);
    assert.ok(answer.kind === 'failed', JSON.stringify(answer));
    assert.match(answer.error.message, message);
    assert.deepEqual(await readdir(path.join(server.storage, 'idls')).catch(() => []), []);
  });

test('Nothing is fetched without trust, or from an endpoint without JSON-RPC', async (t) => {
  const untrusted = await (await editor(t, { trusted: false })).fetch(PROGRAM);
  assert.match(untrusted.kind === 'failed' ? untrusted.error.message : '', /not trusted/);
  const { name, wsUrl } = localProfile(local);
  const profile = { name, wsUrl };
  const without = await (await editor(t, { profiles: [{ profile, source: 'local' }] })).fetch(PROGRAM);
  assert.match(without.kind === 'failed' ? without.error.message : '', /no JSON-RPC URL/);
});

const STREAMS = [
  '### Transactions\nGRPC geyser.Geyser/Subscribe\n{ "transactions": { "all": { "vote": false } } }\n',
  '### Logs\nWS\n{ "method": "logsSubscribe", "params": ["all"] }\n',
  '### Blocks\nGRPC geyser.Geyser/Subscribe\n{ "blocks": { "all": { "includeTransactions": true } } }\n',
  '### Recorded blocks\nWS\n{ "method": "blockSubscribe", "params": ["all", { "encoding": "json", "maxSupportedTransactionVersion": 1 }] }\n',
];
const TEXT = STREAMS.join('\n');
const lineOf = (title: string): number => TEXT.split('\n').indexOf(`### ${title}`);

test('Transactions over gRPC: the row and the detail say what the node says of the transaction', async (t) => {
  const one = await editor(t, {}, TEXT);
  const { id, cells, number } = await one.stream(
    block(lineOf('Transactions')),
    ({ outcome }) => outcome === 'succeeded',
  );
  assert.match(cells['instructions'] ?? '', /\w+: \w+/);
  const node = await one.decoded(id, number);
  assert.equal(node.text, 'succeeded');
  assert.ok((part(node, 'instructions')?.parts?.length ?? 0) >= 1);
  assert.ok((part(node, 'logs')?.parts?.length ?? 0) >= 1);
  // The stream sends it as soon as it ran; the node returns it once it is confirmed.
  await local.slots(40);
  const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
  const answer = await local.rpc('getTransaction', [cells['signature'], config]);
  const { result } = answer.json as unknown as {
    result: { meta: { fee: number; computeUnitsConsumed: number; innerInstructions: unknown[] } } | null;
  };
  assert.ok(result !== null);
  assert.deepEqual([cells['fee'], cells['units']], [String(result.meta.fee), String(result.meta.computeUnitsConsumed)]);
});

test('Logs over a WebSocket: the row names what was called, the detail is the tree of calls', async (t) => {
  const one = await editor(t, {}, TEXT);
  const { id, cells, number } = await one.stream(block(lineOf('Logs')), ({ outcome }) => outcome === 'succeeded');
  assert.notEqual(cells['instructions'], '');
  const logs = part(await one.decoded(id, number), 'logs');
  assert.match(logs?.parts?.[0]?.text ?? '', /^success/);
});

for (const title of ['Blocks', 'Recorded blocks'])
  test(`${title}: the detail lists the transactions of the block`, async (t) => {
    const one = await editor(t, {}, TEXT);
    const { id, cells, number } = await one.stream(
      block(lineOf(title)),
      ({ transactions = '' }) => /^\d+$/.test(transactions) && transactions !== '0',
    );
    const node = await one.decoded(id, number);
    assert.equal(node.parts?.length, Number(cells['transactions']));
    assert.match(node.parts?.[0]?.text ?? '', /^succeeded; \w/);
  });

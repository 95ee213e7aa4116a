// Responses above the bound, through the built server and the built command, over real sockets: paged while they come,
// paged and searched afterwards, chained, checked, saved and printed whole.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseJson, member, isJsonArray } from '../../core/solana/json/json';
import type { ExecuteOutcome, ExecuteResult, ProgressParams, ResponsePlace } from '../../protocol/lsp';
import type { ResponsePageResult, ResponseSearchResult } from '../../protocol/responses';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { LargeResponses } from '../../server/responses/largeResponses';
import { accountText, idIn, writeAccounts } from '../support/data/accounts';
import { Workspace } from '../support/process/cli';
import { httpServer, type Hostile } from '../support/wire/hostile';
import { startServer, WINDOW, type RunningServer } from '../support/lsp/serverProcess';
import { waitFor } from '../support/wire/wire';

const COUNT = 8_000;
const INLINE = 200_000;
const FILE = 'file:///requests/large.jsonrpc';
const SCAN =
  '### All\n# @name all\n{ "method": "getProgramAccounts", "params": ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"] }\n';

/** Delays the service's answer after its first accounts. */
let between = (): Promise<void> => Promise.resolve();
const bodies: string[] = [];
let service: Hostile;

before(async () => {
  service = await httpServer(async ({ body }, response) => {
    bodies.push(body);
    response.setHeader('content-type', 'application/json');
    if (body.includes('getProgramAccounts')) await writeAccounts(response, COUNT, idIn(body), { wait: between });
    else response.end(`{"jsonrpc":"2.0","result":1,"id":${idIn(body)}}`);
  });
});
after(() => service.close());

async function open(t: { after(done: () => Promise<void>): void }, text: string): Promise<RunningServer> {
  const profile = { name: 'test', rpcUrl: service.origin, auth: { rpc: 'none' } } as const;
  const server = await startServer({
    window: {
      profiles: [{ profile, source: 'user' }],
      endpoint: 'test',
      settings: { ...WINDOW.settings, 'response.inlineSize': INLINE / 1_000_000 },
    },
  });
  t.after(() => server.stop());
  await server.open(FILE, text);
  return server;
}

async function send(server: RunningServer): Promise<readonly ExecuteOutcome[]> {
  const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri: FILE, version: 1 });
  assert.equal(result.kind, 'done', JSON.stringify(result));
  return result.kind === 'done' ? result.outcomes : [];
}

const page = (server: RunningServer, place: ResponsePlace, from: number, count: number): Promise<ResponsePageResult> =>
  server.connection.sendRequest('solanaRpc/responsePage', { ...place, from, count });

const search = (server: RunningServer, place: ResponsePlace, text: string, range = { from: 0, limit: 10 }) =>
  server.connection.sendRequest<ResponseSearchResult>('solanaRpc/responseSearch', { ...place, text, ...range });

/** Where a response is that streams in. */
const received = (server: RunningServer): Promise<ResponsePlace> =>
  new Promise((resolve) => {
    server.connection.onNotification('solanaRpc/progress', ({ receiving }: ProgressParams) => {
      if (receiving !== undefined) resolve(receiving);
    });
  });

async function sent(server: RunningServer): Promise<ResponsePlace & ExecuteOutcome> {
  const [outcome] = await send(server);
  assert.ok(outcome?.response !== undefined, JSON.stringify(outcome));
  return { ...outcome, ...outcome.response };
}

describe('a large response in the editor', () => {
  test('shows its beginning, indented, with a sentence that says how large it is and where the rest is', async (t) => {
    const server = await open(t, SCAN);
    const { request, run, bytes, response, status } = await sent(server);
    assert.equal(status, 'passed');
    const text = await readFile(path.join(server.storage, 'responses', `${request}-${run}.json`), 'utf8');
    assert.match(text, /^\{\n {2}"jsonrpc": "2\.0",\n {2}"result": \[\n {4}\{\n {6}"account": \{/);
    assert.match(
      text,
      /\n\/\/ This is only the beginning\. The whole response has 3\.\d MB .* open it or save it\.\n$/,
    );
    assert.ok(text.length < 200_000);
    assert.equal((await readFile(response?.fullFile ?? '')).length, bytes);
  });

  test('is paged anywhere, with every digit', async (t) => {
    const server = await open(t, SCAN);
    const place = await sent(server);
    const found = await page(server, place, COUNT - 2, 10);
    assert.ok(found.kind === 'page');
    assert.deepEqual([found.path, found.total, found.isComplete], [['result'], COUNT, true]);
    assert.deepEqual(
      found.items.map(({ index, text, isCut }) => ({ index, text, isCut })),
      [COUNT - 2, COUNT - 1].map((index) => ({ index, text: accountText(index), isCut: false })),
    );
  });

  test('is searched, and the search resumes where it stopped', async (t) => {
    const server = await open(t, SCAN);
    const place = await sent(server);
    const first = await search(server, place, 'Account777', { from: 0, limit: 2 });
    assert.ok(first.kind === 'hits' && first.next !== undefined);
    assert.deepEqual(
      first.hits.map(({ item }) => item),
      [777, 7770],
    );
    const rest = await search(server, place, 'Account777', { from: first.next, limit: 100 });
    assert.deepEqual(
      rest.kind === 'hits' && rest.hits.map(({ item }) => item),
      [7771, 7772, 7773, 7774, 7775, 7776, 7777, 7778, 7779],
    );
  });

  test('is paged while it is still coming', async (t) => {
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    // The part received exceeds the bound; the rest waits for the page.
    between = () => held;
    t.after(() => {
      between = () => Promise.resolve();
      go();
    });
    const server = await open(t, SCAN);
    const receiving = received(server);
    const ended = send(server);
    const place = await receiving;
    const early = await page(server, place, 0, 3);
    assert.ok(early.kind === 'page', early.kind);
    assert.equal(early.isComplete, false);
    assert.ok(early.total < COUNT, String(early.total));
    assert.equal(early.items[2]?.text, accountText(2));
    go();
    const [outcome] = await ended;
    assert.deepEqual([outcome?.response?.request, outcome?.response?.run], [place.request, place.run]);
    const late = await page(server, place, 0, 3);
    assert.ok(late.kind === 'page');
    assert.deepEqual([late.total, late.isComplete, late.items.length], [COUNT, true, 3]);
  });

  test('is there at every moment between its last byte and its place in the history', async (t) => {
    const server = await open(t, SCAN);
    const place = received(server);
    let isOver = false;
    const sending = send(server).finally(() => (isOver = true));
    const kinds = new Set<string>();
    while (!isOver) kinds.add((await page(server, await place, 0, 0)).kind);
    await sending;
    kinds.add((await page(server, await place, 0, 0)).kind);
    kinds.delete('noItems');
    assert.deepEqual([...kinds], ['page']);
  });

  test('is searched while it is still coming, as far as it came, and on from there when it is whole', async (t) => {
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    between = () => held;
    t.after(() => {
      between = () => Promise.resolve();
      go();
    });
    const server = await open(t, SCAN);
    const receiving = received(server);
    const ended = send(server);
    const place = await receiving;
    const early = await search(server, place, 'Account7', { from: 0, limit: 100 });
    assert.ok(early.kind === 'hits');
    assert.equal(early.hits[0]?.item, 7);
    const last = early.hits.at(-1);
    assert.ok(last !== undefined && last.item !== undefined && last.item < COUNT);
    go();
    await ended;
    const rest = await search(server, place, `Account${COUNT - 1}`, { from: last.offset, limit: 100 });
    assert.deepEqual(rest.kind === 'hits' && rest.hits.map(({ item }) => item), [COUNT - 1]);
  });

  test('is paged by another server on the same folder, also without its index', async (t) => {
    const server = await open(t, SCAN);
    const place = await sent(server);
    const folder = path.join(server.storage, 'responses');
    for (const name of (await readdir(folder)).filter((each) => each.endsWith('.index'))) {
      assert.notEqual(await readFile(path.join(folder, name), 'utf8'), '');
      const kept = await new LargeResponses(folder).page({ ...place, from: 5, count: 1 });
      await rm(path.join(folder, name));
      const rebuilt = await new LargeResponses(folder).page({ ...place, from: 5, count: 1 });
      assert.deepEqual(rebuilt, kept);
      assert.equal(kept.kind === 'page' && kept.items[0]?.text, accountText(5));
    }
  });

  test('that is not there, or holds no list, has no pages', async (t) => {
    const server = await open(t, '### One\n{ "method": "getSlot" }\n');
    const { request, run } = await sent(server);
    assert.equal((await page(server, { request, run }, 0, 1)).kind, 'noItems');
    assert.deepEqual(await page(server, { request: '../../etc', run: 1 }, 0, 1), { kind: 'gone' });
    assert.deepEqual(await search(server, { request: 'ff', run: 1 }, 'x'), { kind: 'gone' });
  });

  test('that is cut off leaves no file behind', async (t) => {
    let cut = (): void => undefined;
    const held = new Promise<void>((resolve) => (cut = resolve));
    between = () => held;
    t.after(() => {
      between = () => Promise.resolve();
      cut();
    });
    const server = await open(t, SCAN);
    const source = new CancellationTokenSource();
    const receiving = received(server);
    const ended = server.connection.sendRequest<ExecuteResult>(
      'solanaRpc/execute',
      { uri: FILE, version: 1 },
      source.token,
    );
    const place = await receiving;
    assert.equal((await page(server, place, 0, 1)).kind, 'page');
    // The service still holds the rest back: only cancelling can end this.
    source.cancel();
    const result = await ended;
    assert.equal(result.kind === 'done' && result.outcomes[0]?.status, 'failed');
    // Nothing of the body is left, and requests for it get the reason, also from another server with the stored state.
    const broken = await page(server, place, 0, 1);
    assert.ok(broken.kind === 'broken' && /cancelled/.test(broken.message), JSON.stringify(broken));
    assert.deepEqual(await server.connection.sendRequest('solanaRpc/tableOpen', { ...place, decode: false }), broken);
    const kept = new LargeResponses(path.join(server.storage, 'responses'));
    assert.deepEqual(await kept.page({ ...place, from: 0, count: 1 }), broken);
    assert.equal(result.kind === 'done' && result.outcomes[0]?.isBroken, true);
    const folder = path.join(server.storage, 'responses');
    await waitFor(() => readdirSync(folder).every((name) => !name.startsWith('spill-') && !name.endsWith('.full')));
  });

  test('feeds assertions and a chain', async (t) => {
    const text = `${SCAN}?? result.length == ${COUNT}\n?? result[7000].account.rentEpoch == 18446744073709551615\n### Next\n{ "method": "getAccountInfo", "params": ["{{all.result[7123].pubkey}}"] }\n`;
    const server = await open(t, text);
    const outcomes = await send(server);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['passed', 'passed'],
    );
    assert.ok(bodies.at(-1)?.includes('"Account7123"'));
  });
});

describe('a large response in the terminal', () => {
  const work = new Workspace();
  after(() => work.dispose());
  /** Above the bound of the terminal, 8 MB. */
  const MANY = 24_000;
  let big: Hostile;
  before(async () => {
    big = await httpServer(async ({ body }, response) => {
      response.setHeader('content-type', 'application/json');
      await writeAccounts(response, MANY, idIn(body));
    });
  });
  after(() => big.close());

  const run = (text: string, ...options: string[]) =>
    work.run(['run', work.write('large.jsonrpc', text), '--rpc-url', big.origin, ...options], {
      env: { SOLANA_RPC_KEY: 'k'.repeat(32), TMPDIR: work.root },
    });

  test('is printed whole in the JSON document, checked and saved, and its file is removed', async () => {
    const { code, stdout, stderr } = await run(`${SCAN}?? result.length == ${MANY}\n>> all.json\n`, '--json');
    assert.equal(code, 0, stderr);
    const [row] = asArray(member(parseJson(stdout), 'requests'));
    const result = asArray(member(member(row, 'response'), 'result'));
    assert.equal(result.length, MANY);
    assert.ok(stdout.includes(accountText(MANY - 1)));
    assert.equal(asArray(member(parseJson(work.read('all.json')), 'result')).length, MANY);
    assert.deepEqual(left(), []);
  });

  test('is shown by its size in the report for people', async () => {
    const { code, stdout } = await run(SCAN);
    assert.equal(code, 0);
    assert.match(stdout, / · \d+\.\d MB · \d+ ms/);
    assert.deepEqual(left(), []);
  });

  const asArray = (value: ReturnType<typeof member>) => (isJsonArray(value) ? value : []);
  /** Files of the command left in the folder for temporary files. */
  const left = (): readonly string[] => readdirSync(work.root).filter((name) => name.startsWith('solana-rpc-'));
});

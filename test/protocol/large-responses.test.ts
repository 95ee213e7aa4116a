// Responses above the bound, through the built server and the built command, over real sockets: paged while they come,
// paged and searched afterwards, chained, checked, saved and printed whole.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parseJson, member, isJsonArray } from '../../core/solana/json/json';
import type { ExecuteOutcome, ExecuteResult, ResponsePlace } from '../../protocol/lsp';
import type { ResponsePageResult, ResponseSearchResult } from '../../protocol/responses';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { LargeResponses } from '../../server/responses/largeResponses';
import { accountText } from '../support/data/accounts';
import { testWorkspace } from '../support/process/cli';
import { onlyOutcome, outcomesOf, REQUEST_FILE, type RequestFile } from '../support/lsp/requestFile';
import { nextReceived, SCAN, testScans } from '../support/lsp/scans';
import type { RunningServer } from '../support/lsp/serverProcess';
import { waitFor } from '../support/wire/wire';

const COUNT = 8_000;
const INLINE = 200_000;
const scans = testScans(COUNT);

const page = (server: RunningServer, place: ResponsePlace, from: number, count: number): Promise<ResponsePageResult> =>
  server.connection.sendRequest('solanaRpc/responsePage', { ...place, from, count });

const search = (server: RunningServer, place: ResponsePlace, text: string, range = { from: 0, limit: 10 }) =>
  server.connection.sendRequest<ResponseSearchResult>('solanaRpc/responseSearch', { ...place, text, ...range });

async function sent(send: RequestFile['send']): Promise<ResponsePlace & ExecuteOutcome> {
  const outcome = onlyOutcome(await send());
  assert.ok(outcome.response !== undefined, JSON.stringify(outcome));
  return { ...outcome, ...outcome.response };
}

describe('a large response in the editor', () => {
  test('shows its beginning, indented, with a sentence that says how large it is and where the rest is', async (t) => {
    const { server, send } = await scans.open(t, INLINE);
    const { request, run, bytes, response, status } = await sent(send);
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
    const { server, send } = await scans.open(t, INLINE);
    const place = await sent(send);
    const found = await page(server, place, COUNT - 2, 10);
    assert.ok(found.kind === 'page');
    assert.deepEqual([found.path, found.total, found.isComplete], [['result'], COUNT, true]);
    assert.deepEqual(
      found.items.map(({ index, text, isCut }) => ({ index, text, isCut })),
      [COUNT - 2, COUNT - 1].map((index) => ({ index, text: accountText(index), isCut: false })),
    );
  });

  test('is searched, and the search resumes where it stopped', async (t) => {
    const { server, send } = await scans.open(t, INLINE);
    const place = await sent(send);
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
    // The part received exceeds the bound; the rest waits for the page.
    const release = scans.hold(t);
    const { server, send } = await scans.open(t, INLINE);
    const receiving = nextReceived(server);
    const ended = send();
    const place = await receiving;
    const early = await page(server, place, 0, 3);
    assert.ok(early.kind === 'page', early.kind);
    assert.equal(early.isComplete, false);
    assert.ok(early.total < COUNT, String(early.total));
    assert.equal(early.items[2]?.text, accountText(2));
    release();
    const { response } = onlyOutcome(await ended);
    assert.deepEqual([response?.request, response?.run], [place.request, place.run]);
    const late = await page(server, place, 0, 3);
    assert.ok(late.kind === 'page');
    assert.deepEqual([late.total, late.isComplete, late.items.length], [COUNT, true, 3]);
  });

  test('is there at every moment between its last byte and its place in the history', async (t) => {
    const { server, send } = await scans.open(t, INLINE);
    const place = nextReceived(server);
    let isOver = false;
    const sending = send().finally(() => (isOver = true));
    const kinds = new Set<string>();
    while (!isOver) kinds.add((await page(server, await place, 0, 0)).kind);
    await sending;
    kinds.add((await page(server, await place, 0, 0)).kind);
    kinds.delete('noItems');
    assert.deepEqual([...kinds], ['page']);
  });

  test('is searched while it is still coming, as far as it came, and on from there when it is whole', async (t) => {
    const release = scans.hold(t);
    const { server, send } = await scans.open(t, INLINE);
    const receiving = nextReceived(server);
    const ended = send();
    const place = await receiving;
    const early = await search(server, place, 'Account7', { from: 0, limit: 100 });
    assert.ok(early.kind === 'hits');
    assert.equal(early.hits[0]?.item, 7);
    const last = early.hits.at(-1);
    assert.ok(last !== undefined && last.item !== undefined && last.item < COUNT);
    release();
    await ended;
    const rest = await search(server, place, `Account${COUNT - 1}`, { from: last.offset, limit: 100 });
    assert.deepEqual(rest.kind === 'hits' && rest.hits.map(({ item }) => item), [COUNT - 1]);
  });

  test('is paged by another server on the same folder, also without its index', async (t) => {
    const { server, send } = await scans.open(t, INLINE);
    const place = await sent(send);
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
    const { server, send } = await scans.open(t, INLINE, '### One\n{ "method": "getSlot" }\n');
    const { request, run } = await sent(send);
    assert.equal((await page(server, { request, run }, 0, 1)).kind, 'noItems');
    assert.deepEqual(await page(server, { request: '../../etc', run: 1 }, 0, 1), { kind: 'gone' });
    assert.deepEqual(await search(server, { request: 'ff', run: 1 }, 'x'), { kind: 'gone' });
  });

  test('that is cut off leaves no file behind', async (t) => {
    scans.hold(t);
    const { server } = await scans.open(t, INLINE);
    const source = new CancellationTokenSource();
    const receiving = nextReceived(server);
    const ended = server.connection.sendRequest<ExecuteResult>(
      'solanaRpc/execute',
      { uri: REQUEST_FILE, version: 1 },
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
    const { send } = await scans.open(t, INLINE, text);
    assert.deepEqual(
      outcomesOf(await send()).map(({ status }) => status),
      ['passed', 'passed'],
    );
    assert.ok(scans.bodies.at(-1)?.includes('"Account7123"'));
  });
});

describe('a large response in the terminal', () => {
  const work = testWorkspace();
  /** Above the bound of the terminal, 8 MB. */
  const MANY = 24_000;
  const { service: big } = testScans(MANY);

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

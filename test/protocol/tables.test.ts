// Responses as tables, through the built server: columns, rows in any order and filtered, CSV in a file, small and large.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { describe, test, type TestContext } from 'node:test';
import type { KeptResponse } from '../../protocol/lsp';
import type {
  TableCsvResult,
  TableItemResult,
  TableOpenResult,
  TableRowsResult,
  TableView,
} from '../../protocol/responses';
import { onlyOutcome } from '../support/lsp/requestFile';
import { nextReceived, testScans } from '../support/lsp/scans';
import type { RunningServer } from '../support/lsp/serverProcess';

const COUNT = 3_000;
const scans = testScans(COUNT);
const COLUMNS = [['pubkey'], ['account', 'lamports'], ['account', 'rentEpoch']] as const;

interface Table {
  readonly server: RunningServer;
  readonly response: KeptResponse;
  readonly rows: (view: TableView, from: number, count: number) => Promise<TableRowsResult>;
}

async function table(t: TestContext, inlineBytes: number): Promise<Table> {
  const { server, send } = await scans.open(t, inlineBytes);
  const { response } = onlyOutcome(await send());
  assert.ok(response !== undefined);
  return {
    server,
    response,
    rows: (view, from, count) =>
      server.connection.sendRequest('solanaRpc/tableRows', {
        ...place(response),
        path: ['result'],
        view,
        from,
        count,
        columns: COLUMNS,
        decode: false,
      }),
  };
}

const place = ({ request, run }: KeptResponse) => ({ request, run });

const texts = (result: TableRowsResult): string[] => {
  assert.ok(result.kind === 'rows', JSON.stringify(result));
  return result.rows.map(({ cells }) => cells.map(({ text }) => text).join(' '));
};

const EPOCH = '18446744073709551615';

for (const [size, inlineBytes] of [
  ['a small', 8_000_000],
  ['a large', 100_000],
] as const)
  describe(`${size} response as a table`, () => {
    test('has its columns, its lists and its number of rows', async (t) => {
      const { server, response } = await table(t, inlineBytes);
      assert.equal(response.items, COUNT);
      assert.equal(response.fullFile === undefined, size === 'a small');
      const found = await server.connection.sendRequest<TableOpenResult>('solanaRpc/tableOpen', {
        ...place(response),
        decode: false,
      });
      assert.ok(found.kind === 'table', found.kind);
      assert.deepEqual(
        [found.path, found.total, found.lists, found.isComplete],
        [['result'], COUNT, [{ path: ['result'], count: COUNT }], true],
      );
      assert.deepEqual(
        found.columns.map(({ path }) => path.join('.')),
        [
          'pubkey',
          'account.executable',
          'account.lamports',
          'account.owner',
          'account.rentEpoch',
          'account.space',
          'account.data',
        ],
      );
    });

    test('gives the rows in view with every digit', async (t) => {
      const { rows } = await table(t, inlineBytes);
      assert.deepEqual(texts(await rows({}, COUNT - 2, 50)), [
        `Account${COUNT - 2} ${2_039_280 + COUNT - 2} ${EPOCH}`,
        `Account${COUNT - 1} ${2_039_280 + COUNT - 1} ${EPOCH}`,
      ]);
    });

    test('is sorted and filtered as a whole', async (t) => {
      const { rows } = await table(t, inlineBytes);
      const sort = { column: COLUMNS[1], isDescending: true };
      const filter = { text: 'account77', column: COLUMNS[0] };
      const found = await rows({ sort, filter }, 0, 3);
      assert.deepEqual(
        texts(found),
        ['Account779', 'Account778', 'Account777'].map((name) => {
          const lamports = 2_039_280 + Number(name.slice(7));
          return `${name} ${lamports} ${EPOCH}`;
        }),
      );
      assert.ok(found.kind === 'rows');
      assert.deepEqual([found.matching, found.total], [11, COUNT]);
    });

    test('is written as CSV in the order that is shown', async (t) => {
      const { server, response } = await table(t, inlineBytes);
      const written = await server.connection.sendRequest<TableCsvResult>('solanaRpc/tableCsv', {
        ...place(response),
        path: ['result'],
        view: { sort: { column: COLUMNS[1], isDescending: true } },
        columns: COLUMNS,
        decode: false,
      });
      assert.ok(written.kind === 'written', written.kind);
      assert.equal((await stat(written.file)).mode & 0o777, 0o600);
      const lines = (await readFile(written.file, 'utf8')).split('\r\n');
      assert.equal(lines[0], 'pubkey,account.lamports,account.rentEpoch');
      assert.equal(lines[1], `Account${COUNT - 1},${2_039_280 + COUNT - 1},${EPOCH}`);
      assert.deepEqual([written.rows, lines.length, lines.at(-1)], [COUNT, COUNT + 2, '']);
    });

    test('counts the same rows under a filter as the file that is written of them', async (t) => {
      const { server, response, rows } = await table(t, inlineBytes);
      for (const text of ['', 'account77', 'nobody']) {
        const view: TableView = text === '' ? {} : { filter: { text, column: COLUMNS[0] } };
        const found = await rows(view, 0, 500);
        const written = await server.connection.sendRequest<TableCsvResult>('solanaRpc/tableCsv', {
          ...place(response),
          path: ['result'],
          view,
          columns: COLUMNS,
          decode: false,
        });
        assert.ok(found.kind === 'rows' && written.kind === 'written');
        const lines = (await readFile(written.file, 'utf8')).split('\r\n').length - 2;
        const matching = { '': COUNT, account77: 11, nobody: 0 }[text];
        assert.deepEqual([found.matching, written.rows, lines, found.total], [matching, matching, matching, COUNT]);
      }
    });

    test('decodes its accounts into columns, which are filtered like any other', async (t) => {
      const { server, response } = await table(t, inlineBytes);
      assert.equal(response.isDecodable, true);
      const found = await server.connection.sendRequest<TableOpenResult>('solanaRpc/tableOpen', {
        ...place(response),
        decode: true,
      });
      assert.ok(found.kind === 'table', found.kind);
      assert.equal(found.isDecodable, true);
      const names = found.columns.map(({ path }) => path.join('.'));
      for (const name of ['decoded.kind', 'decoded.mint', 'decoded.owner', 'decoded.amount'])
        assert.ok(names.includes(name), names.join());
      const columns = [['decoded', 'kind'], ['decoded', 'mint'], ['pubkey']];
      const rows = await server.connection.sendRequest<TableRowsResult>('solanaRpc/tableRows', {
        ...place(response),
        path: ['result'],
        view: { filter: { text: 'token account', column: ['decoded', 'kind'] } },
        from: 0,
        count: 1,
        columns,
        decode: true,
      });
      assert.ok(rows.kind === 'rows' && rows.matching > 0, JSON.stringify(rows));
      const [kind, mint] = rows.rows[0]?.cells ?? [];
      assert.match(kind?.text ?? '', /token account/i);
      assert.match(mint?.text ?? '', /^[1-9A-HJ-NP-Za-km-z]{32,44}/);
    });

    test('shows one item whole', async (t) => {
      const { server, response } = await table(t, inlineBytes);
      const item = await server.connection.sendRequest<TableItemResult | null>('solanaRpc/tableItem', {
        ...place(response),
        path: ['result'],
        index: 7,
      });
      assert.match(item?.text ?? '', /\n {4}"lamports": 2039287,\n/);
      assert.equal(item?.isCut, false);
    });
  });

describe('a response that still comes in', () => {
  test('shows its rows, and is sorted when it is whole', async (t) => {
    const release = scans.hold(t);
    const { server, send } = await scans.open(t, 100_000);
    const receiving = nextReceived(server);
    const ended = send();
    const { title, ...coming } = await receiving;
    assert.equal(title, 'all');
    const ask = (view: TableView): Promise<TableRowsResult> =>
      server.connection.sendRequest('solanaRpc/tableRows', {
        ...coming,
        path: ['result'],
        view,
        from: 0,
        count: 1,
        columns: COLUMNS,
        decode: false,
      });
    assert.match(texts(await ask({})).join(), /^Account0 /);
    const sort = { column: COLUMNS[1], isDescending: true };
    assert.deepEqual(await ask({ sort }), { kind: 'refused', reason: 'incomplete' });
    release();
    await ended;
    assert.match(texts(await ask({ sort })).join(), new RegExp(`^Account${COUNT - 1} `));
  });
});

describe('a response without a list', () => {
  test('has no table, and neither has a deleted response', async (t) => {
    const { server, send } = await scans.open(t, 8_000_000, '### One\n{ "method": "getSlot" }\n');
    const { response } = onlyOutcome(await send());
    assert.ok(response !== undefined);
    assert.equal(response.items, undefined);
    const found = await server.connection.sendRequest<TableOpenResult>('solanaRpc/tableOpen', {
      ...place(response),
      decode: false,
    });
    assert.equal(found.kind, 'noItems');
    const gone = await server.connection.sendRequest<TableOpenResult>('solanaRpc/tableOpen', {
      request: '../x',
      run: 1,
      decode: false,
    });
    assert.deepEqual(gone, { kind: 'gone' });
  });
});

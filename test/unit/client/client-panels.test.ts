// Messages from the pages of responses, checked before use; and the kept runs as the History view groups them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageHtml } from '../../../client/shared/html';
import { daysBack, fileName, groupRuns, type HistoryRun } from '../../../client/responses/historyRows';
import { bodyAsk, bodyCommand, copyCommand, responseHello, tableAsk } from '../../../protocol/responsePanels';
import { fromPage } from '../../../protocol/webview';
import { OUTCOME } from '../../support/data/outcome';

describe('the envelope of a page’s message', () => {
  test('is one of three kinds, and holds nothing else', () => {
    assert.deepEqual(fromPage({ kind: 'ready', body: 1 }), { kind: 'ready' });
    assert.deepEqual(fromPage({ kind: 'notify', body: null, id: 7 }), { kind: 'notify', body: null });
    assert.deepEqual(fromPage({ kind: 'ask', id: 7, body: 'x', more: 1 }), { kind: 'ask', id: 7, body: 'x' });
  });

  test('of any other message is nothing', () => {
    for (const message of [
      undefined,
      null,
      7,
      'ready',
      [],
      {},
      { kind: 'hello', body: 1 },
      { kind: ['ready'] },
      { kind: 'notify' },
      { kind: 'ask', id: 7 },
      { kind: 'ask', body: 1 },
      { kind: 'ask', id: '7', body: 1 },
      { kind: 'ask', id: 1.5, body: 1 },
      { kind: 'ask', id: 2 ** 53, body: 1 },
      { kind: 'answer', id: 7, body: 1 },
    ])
      assert.equal(fromPage(message), undefined, JSON.stringify(message));
  });
});

test('a page loads nothing but its own style, and runs nothing but its own script', () => {
  const html = pageHtml({
    styles: 'https://own.test',
    nonce: 'N0',
    language: 'en',
    scriptUrl: 'a.js',
    styleUrl: 'a.css',
  });
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  assert.equal(policy, "default-src 'none'; style-src https://own.test; script-src 'nonce-N0'");
  assert.deepEqual(html.match(/<script\b[^>]*>/g), ['<script nonce="N0" src="a.js">']);
});

const NOT_OURS = [
  undefined,
  null,
  7,
  'rows',
  [],
  {},
  { kind: 'constructor' },
  { kind: 'rows' },
  { kind: 'rows', path: ['result'], view: {}, columns: [['a']], from: -1, count: 10 },
  { kind: 'rows', path: ['result'], view: {}, columns: [['a']], from: 0, count: 1.5 },
  { kind: 'rows', path: ['result'], view: {}, columns: 'a', from: 0, count: 1 },
  { kind: 'rows', path: ['result'], view: { sort: { column: ['a'] } }, columns: [['a']], from: 0, count: 1 },
  { kind: 'rows', path: ['result'], view: { filter: { text: 5 } }, columns: [['a']], from: 0, count: 1 },
  { kind: 'rows', path: ['result'], view: { filter: { text: 'x'.repeat(501) } }, columns: [], from: 0, count: 1 },
  { kind: 'rows', path: Array.from({ length: 17 }, () => 'a'), view: {}, columns: [], from: 0, count: 1 },
  { kind: 'rows', path: [{}], view: {}, columns: [], from: 0, count: 1 },
  { kind: 'csv', path: ['result'], view: {}, columns: Array.from({ length: 201 }, () => ['a']) },
  { kind: 'item', path: ['result'], index: '0' },
  { kind: 'open', path: 'result' },
];

describe('what a page of a response says', () => {
  test('is ignored if it is not one of its messages, or asks for too much', () => {
    for (const message of NOT_OURS) {
      assert.equal(tableAsk(message), undefined, JSON.stringify(message));
      assert.equal(bodyAsk(message), undefined, JSON.stringify(message));
      assert.equal(bodyCommand(message), undefined, JSON.stringify(message));
      assert.equal(responseHello(message), undefined, JSON.stringify(message));
    }
    assert.equal(copyCommand({ kind: 'copy', text: 'x'.repeat(20_001) }), undefined);
    assert.equal(bodyAsk({ kind: 'search', text: 'x'.repeat(501), from: 0, limit: 1 }), undefined);
  });

  test('is taken without what does not belong to it', () => {
    const view = { sort: { column: ['a'], isDescending: true, extra: 1 }, filter: { text: 'x' }, more: 1 };
    const ask = { kind: 'rows', path: ['result', 3], view, columns: [['a', 'b']], from: 5, count: 6, request: 'ff' };
    assert.deepEqual(tableAsk(ask), {
      kind: 'rows',
      path: ['result', 3],
      view: { sort: { column: ['a'], isDescending: true }, filter: { text: 'x' } },
      columns: [['a', 'b']],
      from: 5,
      count: 6,
      decode: false,
    });
    assert.deepEqual(bodyCommand({ kind: 'cancel', uri: 'file:///x' }), { kind: 'cancel' });
  });

  test('that it kept names a response of the storage folder and nothing else', () => {
    const kept = { place: { request: 'ab12', run: 3 }, title: 'all', run: { uri: 'file:///a', line: 2 }, view: {} };
    assert.deepEqual(responseHello(kept), { place: kept.place, title: 'all', run: kept.run });
    for (const request of ['../ab', 'AB', '', 'x'.repeat(65)])
      assert.equal(responseHello({ ...kept, place: { request, run: 3 } }), undefined, request);
  });
});

describe('the history', () => {
  const at = (day: number, hour: number): number => new Date(2026, 4, day, hour).getTime();
  const run = (uri: string, when: number): HistoryRun => ({
    ...OUTCOME,
    uri,
    state: 'passed',
    response: { request: 'aa', run: when, at: when },
  });

  test('is grouped by day and file, the newest first in each', () => {
    const runs = [
      run('file:///b', at(3, 12)),
      run('file:///a', at(3, 11)),
      run('file:///b', at(3, 0)),
      run('file:///a', at(1, 23)),
    ];
    const days = groupRuns(runs).map(({ start, files }) => ({
      back: daysBack(start, at(3, 13)),
      files: files.map(({ uri, runs: of }) => [uri, of.length]),
    }));
    assert.deepEqual(days, [
      {
        back: 0,
        files: [
          ['file:///b', 2],
          ['file:///a', 1],
        ],
      },
      { back: 2, files: [['file:///a', 1]] },
    ]);
  });

  test('names a file as people know it', () => {
    assert.equal(fileName('file:///project/my%20file.jsonrpc'), 'my file.jsonrpc');
    assert.equal(fileName('file:///project/100%'), '100%');
    assert.equal(fileName('untitled:Untitled-1'), 'Untitled-1');
    assert.equal(fileName('untitled:/project/a%3Ab.jsonrpc'), 'a:b.jsonrpc');
  });
});

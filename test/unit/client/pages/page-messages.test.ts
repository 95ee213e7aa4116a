// Hostile messages of every page of the extension: anything that a script inside a page posts is read as one of that page's
// own messages, bounded and without foreign members, or is ignored.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { bodyAsk, bodyCommand, copyCommand, tableAsk } from '../../../../protocol/responsePanels';
import { runPanelCommand } from '../../../../protocol/runPanel';
import { MAX_COPIED } from '../../../../protocol/pageLimits';
import { streamAsk, streamCommand } from '../../../../protocol/streamPanel';
import { tourCommand } from '../../../../protocol/tourPage';
import { transactionAsk, transactionCommand } from '../../../../protocol/transactionPanel';
import { usagePanelCommand } from '../../../../protocol/usagePanel';
import { fromPage } from '../../../../protocol/webview';
import { chance } from '../../../contract/endurance/fuzz-random';

type Read = (body: unknown) => unknown;
type Message = Readonly<Record<string, unknown>>;

const ADDRESS = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

const STREAM: Page = {
  reads: [streamAsk, streamCommand],
  messages: [
    { kind: 'rows', from: 0, count: 500, filter: 'slot > 1' },
    { kind: 'row', number: 3 },
    { kind: 'export', format: 'csv', what: 'kept', filter: '' },
    { kind: 'stop' },
    { kind: 'reopen' },
    { kind: 'stopExport' },
    { kind: 'mend' },
    { kind: 'copy', text: 'x' },
    { kind: 'watch', address: ADDRESS },
    { kind: 'explain', number: 1 },
    { kind: 'fetchIdl', program: ADDRESS },
  ],
};

interface Page {
  /** The extension's readers of the page's messages. */
  readonly reads: readonly Read[];
  /** One of each kind, each read by one of them. */
  readonly messages: readonly Message[];
}

/** By the name of the page's bundle. */
const PAGES: Readonly<Record<string, Page>> = {
  account: STREAM,
  stream: STREAM,
  body: {
    reads: [bodyAsk, bodyCommand],
    messages: [
      { kind: 'item', path: ['result', 1], index: 0 },
      { kind: 'page', from: 0, count: 10 },
      { kind: 'search', text: 'x', from: 0, limit: 10 },
      { kind: 'cancel' },
      { kind: 'openInFull' },
      { kind: 'openTable' },
      { kind: 'save' },
      { kind: 'copy', text: 'x' },
    ],
  },
  table: {
    reads: [tableAsk, copyCommand],
    messages: [
      { kind: 'open', decode: true },
      { kind: 'open', path: ['result'], decode: false },
      { kind: 'item', path: ['result'], index: 0 },
      {
        kind: 'rows',
        path: ['result'],
        view: { sort: { column: ['a'], isDescending: true }, filter: { text: 'x', column: ['b'] } },
        columns: [['a'], ['b', 'c']],
        from: 0,
        count: 10,
        decode: false,
      },
      { kind: 'csv', path: ['result'], view: {}, columns: [['a']], decode: false },
      { kind: 'copy', text: 'x' },
    ],
  },
  run: {
    reads: [runPanelCommand],
    messages: [{ kind: 'again' }, { kind: 'response', row: 1 }, { kind: 'request', row: 0 }],
  },
  tour: {
    reads: [tourCommand],
    messages: [{ kind: 'act', step: 1, action: 0 }, { kind: 'end' }],
  },
  transaction: {
    reads: [transactionAsk, transactionCommand],
    messages: [
      { kind: 'explain' },
      { kind: 'fees' },
      { kind: 'use', member: 'priorityFee', value: 7 },
      { kind: 'compare' },
      { kind: 'copyLog', path: '2.1' },
      { kind: 'openLog' },
      { kind: 'copy', text: 'x' },
      { kind: 'watch', address: ADDRESS },
      { kind: 'replayAgain' },
      { kind: 'saveReplay' },
      { kind: 'renewReplay' },
      { kind: 'lookUp', signature: SIGNATURE },
      { kind: 'replay', signature: SIGNATURE },
    ],
  },
  usage: {
    reads: [usagePanelCommand],
    messages: [
      ...['refresh', 'range', 'export', 'addKey', 'next'].map((step) => ({ step })),
      { step: 'timeline', keyId: 'k1' },
    ],
  },
};

/** In the place of a whole message, and of each of its members. */
const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  true,
  7,
  'rows',
  [],
  [['stop']],
  {},
  { kind: ['stop'] },
  { kind: { toString: 'stop' } },
  { kind: 'constructor' },
  { kind: '__proto__' },
  { step: 'toString' },
  { kind: 'command:workbench.action.quit' },
  { kind: 'executeCommand', command: 'workbench.action.quit' },
];
const MEMBERS: readonly unknown[] = [
  ...HOSTILE,
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  Infinity,
  '../../etc/passwd',
  `${ADDRESS}"]`,
  'command:workbench.action.quit',
  '\0\u202e<img src=x onerror=alert(1)>',
  'x'.repeat(2_000_000),
  Array.from({ length: 10_000 }, () => 'a'),
  Array.from({ length: 10_000 }, () => ['a']),
];

/** No message that is believed is larger. Characters of JSON: what is copied, with its escapes. */
const LARGEST = 6 * MAX_COPIED + 1_000;

const readBy = ({ reads }: Page, body: unknown): readonly unknown[] =>
  reads.map((read) => read(body)).filter((read) => read !== undefined);

test('every page of the extension has its messages here', () => {
  const folder = path.join(__dirname, '..', '..', '..', '..', 'client', 'webview');
  const pages = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
    .map(({ name }) => name);
  assert.deepEqual(pages.sort(), Object.keys(PAGES).sort());
});

for (const [name, page] of Object.entries(PAGES))
  describe(`the page ${name}`, () => {
    test('is understood in its own messages, without what does not belong to them', () => {
      for (const message of page.messages) {
        const more = { ...message, command: 'workbench.action.quit', constructor: 1, key: 'secret' };
        const [read, ...others] = readBy(page, more);
        assert.deepEqual([read, others], [message, []], JSON.stringify(message));
      }
    });

    test('has no effect with an invalid message, or one of another page', () => {
      for (const body of HOSTILE) assert.deepEqual(readBy(page, body), [], JSON.stringify(body));
    });

    test('is not believed a member of another type or size', () => {
      for (const message of page.messages)
        for (const member of Object.keys(message))
          for (const value of MEMBERS) check(page, { ...message, [member]: value });
    });

    test('is not believed in 2,000 messages by chance', () => {
      const random = chance(23);
      for (let at = 0; at < 2_000; at++) {
        const message = Object.entries({ ...random.pick(page.messages), ...random.pick(page.messages) });
        const changed = message.flatMap(([member, value]) =>
          random.once(8) ? [] : [[member, random.once(3) ? random.pick(MEMBERS) : value]],
        );
        check(page, Object.fromEntries(changed) as Message);
      }
    });
  });

/** Checks that a message, once read, has the members of one kind, reads again as itself, and is within the size limit. */
function check(page: Page, body: Message): void {
  for (const read of readBy(page, body)) {
    const text = JSON.stringify(read);
    const shown = text.slice(0, 200);
    assert.ok(text.length <= LARGEST, shown);
    assert.ok(
      readBy(page, read).some((again) => JSON.stringify(again) === text),
      shown,
    );
    const members = Object.keys(read as object);
    assert.ok(
      page.messages.some((message) => members.every((member) => member in message)),
      shown,
    );
  }
}

test('a body or a prototype is not accepted as an envelope', () => {
  for (const kind of ['rows', 'again', 'copy', 'refresh']) assert.equal(fromPage({ kind, body: { kind } }), undefined);
  assert.equal(fromPage(JSON.parse('{"__proto__":{"kind":"ready"}}')), undefined);
});

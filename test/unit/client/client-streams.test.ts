// Streams in the client, without an editor: states in words, rows of the view, and the messages it accepts from a page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shortTitle, streamItem } from '../../../client/streams/streamItems';
import { viewState } from '../../../client/streams/streamState';
import { keptStream, streamAsk, streamCommand, type ShownState, type StateView } from '../../../protocol/streamPanel';
import type { StreamInfo, StreamTick } from '../../../protocol/streams';
import { english } from '../../support/data/english';
import { FakeStream, INFO } from '../../support/editor/fakeStream';

const NETWORK = { kind: 'network', message: 'The connection was reset.', hint: 'Check the network.' } as const;
const NO_KEY = { kind: 'noKey', message: 'No key for rpc.example.', host: 'rpc.example', keyType: 'rpc' } as const;

/** Every state of a stream, with its words and what can be done. */
const STATES: readonly (readonly [ShownState, words: string, can: string])[] = [
  [{ kind: 'connecting' }, 'Connecting', 'stop'],
  [{ kind: 'live' }, 'Live', 'stop'],
  [{ kind: 'catchingUp', fromSlot: '120' }, 'Catching up', 'stop'],
  [{ kind: 'reconnecting', attempt: 3, nextInMs: 4_000, error: NETWORK }, 'Reconnecting, attempt 3', 'stop, reopen'],
  [{ kind: 'keyRotated' }, 'Key rotated', 'stop'],
  [{ kind: 'refused', error: NO_KEY }, 'Refused', 'reopen'],
  [{ kind: 'lagged' }, 'Lagged', 'stop'],
  [{ kind: 'ended', by: 'user' }, 'Stopped', 'reopen'],
  [{ kind: 'ended', by: 'service' }, 'Ended by the service', 'reopen'],
  [{ kind: 'ended', by: 'until' }, 'Ended: its condition was met', 'reopen'],
  [{ kind: 'interrupted' }, 'Interrupted', 'reopen'],
  [{ kind: 'restored' }, 'Stopped', 'reopen'],
];

describe('a state', () => {
  for (const [state, words, can] of STATES)
    test(`${state.kind} reads "${words}" and can ${can}`, () => {
      const view = viewState(state, english);
      assert.equal(view.words, words);
      const verbs = [view.canStop && 'stop', view.canReopen && 'reopen'].filter((verb) => verb !== false);
      assert.equal(verbs.join(', '), can);
    });

  test('of another tone has another mark, so that they differ by more than colour', () => {
    const marks = new Map<string, StateView['tone']>();
    const still: StreamTick = { ...new FakeStream().tick(), still: 12 };
    const views = [...STATES.map(([state]) => viewState(state, english)), viewState({ kind: 'live' }, english, still)];
    for (const { mark, tone } of views) {
      assert.ok([undefined, tone].includes(marks.get(mark)), `${mark} is ${tone}`);
      marks.set(mark, tone);
    }
  });

  test('that is live says so if the newest slot has stalled, with another mark', () => {
    const tick = { ...new FakeStream().tick(), slot: '280', still: 12 };
    const view = viewState({ kind: 'live' }, english, tick);
    assert.deepEqual(
      [view.kind, view.tone, view.words, view.more],
      ['live', 'warn', 'Live, no new slot', 'No slot after 280 for 12 s, although the connection is open.'],
    );
    const none = Object.fromEntries(Object.entries(tick).filter(([name]) => name !== 'slot')) as unknown as StreamTick;
    assert.match(viewState({ kind: 'live' }, english, none).more ?? '', /^No slot received for 12 s/);
    assert.equal(viewState({ kind: 'keyRotated' }, english, tick).words, 'Key rotated');
  });

  test('that is live says so if slots come and none becomes final', () => {
    const view = viewState({ kind: 'live' }, english, { ...new FakeStream().tick(), notFinal: 12 });
    assert.deepEqual([view.kind, view.tone, view.words], ['live', 'warn', 'Live, nothing final']);
    assert.match(view.more ?? '', /^No slot has become final for 12 s, although new ones come: finality has halted/);
  });

  test('that is refused says why, what to do, and names the step', () => {
    const view = viewState({ kind: 'refused', error: { ...NO_KEY, hint: 'Add one.' } }, english);
    assert.equal(view.more, 'No key for rpc.example. Add one.');
    assert.equal(view.mend, 'Add Key for rpc.example…');
  });
});

describe('a row of the Streams view', () => {
  test('shows state, rate and drops', () => {
    const stream = new FakeStream();
    Object.assign(stream, { next: 1_234, rate: 1_500.4, dropped: 77 });
    const item = streamItem(INFO, viewState({ kind: 'live' }, english), stream.tick(), english);
    assert.equal(item.description, 'Live · 1,500/s · 77 dropped');
    assert.equal(item.context, 'stream.running');
  });

  test('of an ended stream shows no rate', () => {
    const view = viewState({ kind: 'ended', by: 'user' }, english);
    const item = streamItem(INFO, view, new FakeStream().tick(), english);
    assert.equal(item.description, 'Stopped');
    assert.equal(item.context, 'stream.stopped');
  });

  test('of an address that no endpoint has names none', () => {
    const view = viewState({ kind: 'live' }, english);
    const item = streamItem({ ...INFO, endpoint: '' }, view, undefined, english);
    assert.equal(item.tooltip[0], `${INFO.method} · ${INFO.transport}`);
  });
});

describe('the title of a tab', () => {
  const ADDRESS = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  const titled = (title: string, source: StreamInfo['source']): string => shortTitle({ ...INFO, title, source });

  test('of an account has both ends of the address', () => {
    assert.equal(titled(ADDRESS, { kind: 'account', address: ADDRESS }), 'EPjFW…TDt1v');
  });

  test('of a block is its own, shortened where it is long', () => {
    const block: StreamInfo['source'] = { kind: 'block', uri: 'file:///a.jsonrpc', version: 1, line: 0 };
    assert.equal(titled('Every slot', block), 'Every slot');
    const long = titled(`Every update of every ${'very '.repeat(20)}large account`, block);
    assert.ok(long.length <= 40, long);
    assert.match(long, /^Every update .*….*large account$/);
  });
});

describe('a message of the page', () => {
  const ADDRESS = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

  test('is read where it has the form and the size of its kind', () => {
    const rows = { kind: 'rows', from: 10, count: 40, filter: 'slot > 1' };
    assert.deepEqual(streamAsk(rows), rows);
    assert.deepEqual(streamAsk({ kind: 'row', number: 3 }), { kind: 'row', number: 3 });
    assert.deepEqual(streamCommand({ kind: 'watch', address: ADDRESS }), { kind: 'watch', address: ADDRESS });
    assert.deepEqual(streamCommand({ kind: 'fetchIdl', program: ADDRESS }), { kind: 'fetchIdl', program: ADDRESS });
  });

  test('that is unknown, mistyped or oversized is ignored', () => {
    const asks: unknown[] = [
      null,
      [],
      'rows',
      { kind: 'eval', code: '1' },
      { kind: 'rows', from: -1, count: 4, filter: '' },
      { kind: 'rows', from: 0, count: 501, filter: '' },
      { kind: 'rows', from: 0, count: 4, filter: 'x'.repeat(2_001) },
      { kind: 'rows', from: '0', count: 4, filter: '' },
      { kind: 'row', number: 1.5 },
      { kind: 'export', format: 'exe', what: 'kept', filter: '' },
      { kind: 'export', format: 'csv', what: '../..', filter: '' },
    ];
    for (const ask of asks) assert.equal(streamAsk(ask), undefined, JSON.stringify(ask).slice(0, 80));
    const commands: unknown[] = [
      undefined,
      { kind: 'copy', text: 'x'.repeat(1_000_001) },
      { kind: 'copy', text: 7 },
      { kind: 'watch', address: 'not an address' },
      { kind: 'watch', address: `${ADDRESS}"]` },
      { kind: 'fetchIdl', program: 'workbench.action.quit' },
      { kind: '__proto__' },
    ];
    for (const command of commands) assert.equal(streamCommand(command), undefined);
  });

  test('carries nothing that it was not asked for', () => {
    assert.deepEqual(streamCommand({ kind: 'stop', command: 'workbench.action.quit' }), { kind: 'stop' });
  });
});

describe('what a page kept', () => {
  test('gives the stream back', () => {
    assert.deepEqual(keptStream({ info: INFO, rows: [], filter: '', isPaused: false }), { info: INFO });
  });

  test('that another hand changed is not believed', () => {
    const faults: Readonly<Record<string, unknown>> = {
      title: 7,
      transport: 'HTTP',
      source: { kind: 'file', path: '/etc/passwd' },
      columns: [{ field: 'a', title: 'b', align: 'middle' }],
      endpoint: 'x'.repeat(2_000),
    };
    for (const [name, value] of Object.entries(faults))
      assert.equal(keptStream({ info: { ...INFO, [name]: value } }), undefined, name);
    assert.equal(keptStream(undefined), undefined);
  });

  test('names no key: a stream that is opened again asks for its own', () => {
    const info = { ...INFO, key: { type: 'rpc', profile: 'local', origin: 'https://sink.example', interface: 'ws' } };
    assert.deepEqual(keptStream({ info })?.info, INFO);
  });
});

// A watched stream on a terminal: one line for a slot that becomes confirmed and final at once, and what its last line says of
// a stream that no longer moves.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Lines } from '../../../cli/watch/lines';
import { Live } from '../../../cli/watch/live';
import { updateLines } from '../../../cli/watch/updateLine';
import { painterFor } from '../../../cli/terminal';
import { Banks } from '../../../core/service/streams/banks';
import { yellowstoneShape } from '../../../core/service/streams/yellowstone';
import type { StreamSink } from '../../../core/service/streams/sink';
import { StreamEngine, type StreamConnection, type StreamView } from '../../../runner/streams/engine';
import { SlotTips } from '../../../runner/streams/slotTips';
import { messageOf } from '../../support/wire/protobufBytes';
import { SUBSCRIBE } from '../../support/wire/streamed';

const shape = yellowstoneShape(SUBSCRIBE, { slots: { s: {} } });
/** SubscribeUpdate: slot 3 {slot 1, status 3}. */
const status = (slot: number, is: number): Buffer => Buffer.from(messageOf([3, messageOf([1, slot], [3, is])]));

/** A stream whose connection is this test; `sink` takes what comes. */
function engineOf(viewOf: (engine: StreamEngine<StreamConnection>) => Omit<StreamView, 'onEnough'>) {
  let now = 0;
  let sink: StreamSink<AbortSignal> | undefined;
  const shown: Omit<StreamView, 'onEnough'>[] = [];
  const connection = {
    lastSlot: -1,
    reconnects: 0,
    isPaused: false,
    start: () => undefined,
    again: () => undefined,
    stop: () => Promise.resolve(),
    pause: () => void (connection.isPaused = true),
    resume: () => void (connection.isPaused = false),
    insert: () => undefined,
  };
  const engine = new StreamEngine<StreamConnection>({
    shape,
    banks: new Banks(shape),
    clock: { now: () => now, unixMs: () => now },
    tips: new SlotTips(),
    endpoint: '',
    id: 'one',
    isReplayed: true,
    view: {
      onRow: (...row) => shown[0]?.onRow(...row),
      onAbandoned: (bank) => shown[0]?.onAbandoned(bank),
      onState: (state) => shown[0]?.onState(state),
      onEnough: () => undefined,
    },
    connect: (given) => {
      sink = given;
      return connection;
    },
  });
  shown.push(viewOf(engine));
  return {
    engine,
    sink: sink as unknown as StreamSink<AbortSignal>,
    came: (slot: number, is: number) => {
      connection.lastSlot = Math.max(connection.lastSlot, slot);
      const bytes = status(slot, is);
      sink?.update(bytes, 0, bytes.length, slot);
    },
    later: (ms: number) => {
      now += ms;
      engine.look();
    },
  };
}

function live() {
  const out = Object.assign(new PassThrough(), { rows: 12 });
  const paint = painterFor({}, {});
  const line = updateLines(shape, paint, (text) => text);
  let view: Live | undefined;
  const stream = engineOf((engine) => {
    view = new Live({ engine, out: out as unknown as NodeJS.WriteStream, paint, line, isSmart: false });
    return view;
  });
  const text = (): readonly string[] =>
    String(out.read() ?? '')
      .trim()
      .split('\n');
  return { ...stream, view: view as unknown as Live, text };
}

const withoutTime = (line: string): string => line.slice(line.indexOf('slot'));

test('a slot that is confirmed and final at once has one line', () => {
  const { view, came, text } = live();
  for (const is of [0, 1, 2]) came(9, is);
  view.end();
  assert.deepEqual(text().slice(0, -1).map(withoutTime), [
    'slot 9  status processed',
    'slot 9  status confirmed, finalized',
  ]);
});

test('a second status has a line to itself where the first was printed before it came', () => {
  const { view, came, text } = live();
  came(9, 1);
  view.look();
  came(9, 2);
  view.end();
  assert.deepEqual(
    text()
      .filter((line) => line.includes('status'))
      .map(withoutTime),
    ['slot 9  status confirmed', 'slot 9  status finalized'],
  );
});

test('of more updates than fit on the screen the newest are shown, with every gap, and the others counted', () => {
  const { view, came, sink, text } = live();
  for (let slot = 1; slot <= 6; slot++) came(slot, 0);
  sink.gap({ fromSlot: 6, isReplayAsked: true, reason: 'cut' });
  view.look();
  sink.gapIs({ isFilled: true, toSlot: 7 });
  for (let slot = 7; slot <= 20; slot++) came(slot, 0);
  view.end();
  const lines = text();
  assert.ok(lines.includes('… 4 more, not shown'));
  assert.match(
    lines.find((line) => line.startsWith('── away')) ?? '',
    /after slot 6, on at 7: replayed, nothing is missing/,
  );
  assert.deepEqual(lines.filter((line) => line.includes('status')).map(withoutTime).length, 16);
  assert.match(lines.at(-1) ?? '', / · 20 updates · .* · 4 not shown/);
});

test('slots that arrive without becoming final are reported in the last line, or once as a note to plain lines', () => {
  const { view, came, sink, later, text } = live();
  const stalls = ({ came, sink, later }: Pick<ReturnType<typeof live>, 'came' | 'sink' | 'later'>): void => {
    sink.state({ kind: 'live' });
    for (let slot = 1; slot <= 26; slot++) {
      came(slot, slot === 1 ? 2 : 0);
      later(500);
    }
  };
  stalls({ came, sink, later });
  view.end();
  assert.match(text().at(-1) ?? '', /^◔ live, no slot became final for 12 s · 26 updates/);
  const notes = new PassThrough();
  let lines: Lines | undefined;
  const plain = engineOf((engine) => {
    lines = new Lines({ engine, out: new PassThrough() as unknown as NodeJS.WriteStream, notes, text: () => '' });
    return lines;
  });
  stalls(plain);
  for (const _ of [1, 2]) lines?.look();
  assert.equal(String(notes.read()), 'no slot became final for 12 s, though the connection is open\n');
});

test('a gap among plain lines is written with its end, before the first update after it', () => {
  const out = new PassThrough();
  let lines: Lines | undefined;
  const { sink, came } = engineOf((engine) => {
    const text = (bytes: Uint8Array, start: number, end: number): string => String(shape.slot(bytes, start, end));
    lines = new Lines({ engine, out: out as unknown as NodeJS.WriteStream, notes: new PassThrough(), text });
    return lines;
  });
  came(1, 0);
  sink.gap({ fromSlot: 1, isReplayAsked: false, reason: 'cut' });
  sink.gapIs({ toSlot: 5 });
  came(5, 0);
  sink.gap({ fromSlot: 5, isReplayAsked: false, reason: 'again' });
  lines?.end();
  assert.equal(
    String(out.read()),
    '1\n{"gap":{"fromSlot":"1","toSlot":"5","isFilled":false,"reason":"cut"}}\n5\n{"gap":{"fromSlot":"5","isFilled":false,"reason":"again"}}\n',
  );
});

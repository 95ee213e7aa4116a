// A watched stream on a terminal: one line for a slot that becomes confirmed and final at once, and what its last line says of
// a stream that no longer moves.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Lag } from '../../../cli/watch/lag';
import { Lines } from '../../../cli/watch/lines';
import { Live } from '../../../cli/watch/live';
import { updateLines } from '../../../cli/watch/updateLine';
import { painterFor } from '../../../cli/terminal';
import { yellowstoneShape } from '../../../core/service/streams/yellowstone';
import { messageOf } from '../../support/wire/protobufBytes';
import { SUBSCRIBE } from '../../support/wire/streamed';

const shape = yellowstoneShape(SUBSCRIBE, { slots: { s: {} } });
/** SubscribeUpdate: slot 3 {slot 1, status 3}. */
const status = (slot: number, is: number): Buffer => Buffer.from(messageOf([3, messageOf([1, slot], [3, is])]));

function live() {
  const out = new PassThrough();
  const paint = painterFor({}, {});
  const view = new Live({
    out: out as unknown as NodeJS.WriteStream,
    paint,
    now: () => 0,
    line: updateLines(shape, paint, (text) => text),
    counts: () => ({ total: 3, reconnects: 0, slot: 9 }),
    lag: new Lag({ transport: 'GRPC', method: SUBSCRIBE, headers: [] } as never, { sentAt: () => NaN }, () => 0),
    isSmart: false,
  });
  return { view, text: () => String(out.read()) };
}

test('a slot that is confirmed and final at once has one line', () => {
  const { view, text } = live();
  const [processed, confirmed, finalized] = [0, 1, 2].map((is) => status(9, is));
  assert.ok(processed !== undefined && confirmed !== undefined && finalized !== undefined);
  view.update(processed, 0, processed.length, false);
  view.update(confirmed, 0, confirmed.length, false);
  view.update(finalized, 0, finalized.length, true);
  view.end();
  const lines = text().trim().split('\n');
  assert.deepEqual(
    lines.slice(0, -1).map((line) => line.slice(line.indexOf('slot'))),
    ['slot 9  status processed', 'slot 9  status confirmed, finalized'],
  );
});

test('slots that arrive without becoming final are reported in the last line, or once as a note to plain lines', () => {
  const { view, text } = live();
  view.state({ kind: 'live' });
  view.still('no slot became final for 12 s');
  view.end();
  assert.match(text(), /^◔ live, no slot became final for 12 s · 3 updates/);
  const notes = new PassThrough();
  const lines = new Lines(new PassThrough() as unknown as NodeJS.WriteStream, notes, () => '');
  for (const seconds of [12, 13]) lines.still(`no slot became final for ${seconds} s`);
  assert.equal(String(notes.read()), 'no slot became final for 12 s, though the connection is open\n');
});

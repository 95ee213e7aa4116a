// Bounds on a stream's output to its readers, regardless of what the service sends: rows of a page, a row in full, and the
// trees of decoded values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DetailNode } from '../../../protocol/streams';
import { bounded } from '../../../server/explain/nodes';
import { watch } from '../../support/lsp/keptStreams';
import { webSocketServer } from '../../support/wire/hostile';
import { asking, confirm, notify } from '../../support/wire/webSockets';

test('a page has at most 500 rows, and a row in full at most 200,000 characters', async (t) => {
  const server = await webSocketServer((socket) => {
    confirm(socket);
    notify(socket, `{"slot":1,"more":"${'x'.repeat(300_000)}"}`);
    for (let slot = 2; slot <= 600; slot++) notify(socket, `{"slot":${slot}}`);
  });
  t.after(() => server.close());
  const profile = { name: 'test', wsUrl: server.origin };
  const watched = watch(t, { profile, request: asking('slotSubscribe') });
  await watched.until(({ ring }) => ring.next === 600);
  for (const filter of ['', 'slot>0']) {
    const page = watched.stream.rows({ id: 'one', from: 0, count: 1e9, filter });
    assert.equal(page.kind === 'rows' && page.rows.length, 500, filter);
  }
  const row = watched.stream.detail({ number: 0 });
  assert.ok(row.kind === 'row' && row.isCut);
  assert.equal(row.json.length, 200_000);
});

test('a tree has at most 500 parts at a node and 5,000 nodes, and says how many were left out', () => {
  const leaf: DetailNode = { name: 'x', text: '1' };
  const list = (count: number, part: DetailNode): DetailNode => ({
    name: 'list',
    text: '',
    parts: Array.from({ length: count }, () => part),
  });
  const wide = bounded(list(10_000, leaf));
  assert.equal(wide.parts?.length, 501);
  assert.equal(wide.parts?.at(-1)?.text, '9,500 more');
  const count = (node: DetailNode): number => 1 + (node.parts ?? []).reduce((sum, part) => sum + count(part), 0);
  const all = bounded(list(400, list(400, leaf)));
  // Each node that was cut says so in one more.
  assert.ok(count(all) >= 5_000 && count(all) <= 5_500, String(count(all)));
});

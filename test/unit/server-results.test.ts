// Responses as files: two servers on one folder never take each other's run, and only what a dead one left behind goes.
import assert from 'node:assert/strict';
import { mkdtemp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { ExecuteOutcome } from '../../protocol/lsp';
import { Results } from '../../server/results';

const OUTCOME: ExecuteOutcome = {
  uri: 'untitled:Untitled-1',
  line: 0,
  title: 'slot',
  status: 'passed',
  assertions: [],
  durationMs: 1,
  bytes: 1,
  transport: 'POST',
  method: 'getSlot',
  endpoint: 'local',
};

async function folder(t: { after(done: () => Promise<void>): void }): Promise<string> {
  const made = await mkdtemp(path.join(os.tmpdir(), 'solana-rpc-results-'));
  t.after(() => rm(made, { recursive: true, force: true }));
  return made;
}

test('two servers that save the same request at once keep both responses, whole', async (t) => {
  const storage = await folder(t);
  const servers = [new Results(storage, (text) => text), new Results(storage, (text) => text)];
  const saved = await Promise.all(
    [1, 2, 3, 4].flatMap((n) =>
      servers.map(async (results, server) => {
        const text = `{"server":${server},"n":${n}}`;
        const { response } = await results.save('untitled:Untitled-1#slot', { kind: 'text', text }, OUTCOME);
        return { file: `${response?.request}-${response?.run}.json`, text };
      }),
    ),
  );
  await Promise.all(servers.map((results) => results.settled()));
  assert.equal(new Set(saved.map(({ file }) => file)).size, saved.length);
  for (const { file, text } of saved)
    assert.equal(JSON.stringify(JSON.parse(await readFile(path.join(storage, 'responses', file), 'utf8'))), text);
});

test('a server that starts removes what a dead one left, and not what another one is writing', async (t) => {
  const storage = await folder(t);
  const responses = path.join(storage, 'responses');
  await mkdir(responses);
  for (const name of ['spill-old', '00aa-1.part', 'spill-young']) await writeFile(path.join(responses, name), 'x');
  for (const name of ['spill-old', '00aa-1.part']) await utimes(path.join(responses, name), 0, 0);
  await new Results(storage, (text) => text).prepare();
  assert.deepEqual(await readdir(responses), ['spill-young']);
});

test('the oldest runs of a request go, those of another request with the same numbers stay', async (t) => {
  const storage = await folder(t);
  const results = [new Results(storage, (text) => text), new Results(storage, (text) => text)] as const;
  await results[1].save('b#other', { kind: 'text', text: '"other"' }, OUTCOME);
  for (let n = 1; n <= 12; n++) await results[0].save('a#slot', { kind: 'text', text: String(n) }, OUTCOME);
  await results[0].settled();
  const names = (await readdir(path.join(storage, 'responses'))).filter((name) => !name.endsWith('.meta.json'));
  assert.equal(names.length, 11, names.join(' '));
});

// Responses as files: two servers on one folder never take each other's run, and only what a dead one left behind goes.
import { TextBody } from '../../../core/service/response/textBody';
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { BodyWriter } from '../../../net/http/bodyFile';
import { Results } from '../../../server/responses/results';
import { OUTCOME } from '../../support/data/outcome';
import { testFolder } from '../../support/folder';

test('two servers that save the same request at once keep both responses, whole', async (t) => {
  const storage = testFolder('solana-rpc-results', t);
  const servers = [new Results(storage, (text) => text), new Results(storage, (text) => text)];
  const saved = await Promise.all(
    [1, 2, 3, 4].flatMap((n) =>
      servers.map(async (results, server) => {
        const text = `{"server":${server},"n":${n}}`;
        const { response } = await results.save('untitled:Untitled-1#slot', new TextBody(text), OUTCOME);
        return { file: `${response?.request}-${response?.run}.json`, text };
      }),
    ),
  );
  await Promise.all(servers.map((results) => results.settled()));
  assert.equal(new Set(saved.map(({ file }) => file)).size, saved.length);
  for (const { file, text } of saved)
    assert.equal(JSON.stringify(JSON.parse(await readFile(path.join(storage, 'responses', file), 'utf8'))), text);
});

test('the files of a response are accessible to their owner only, regardless of the umask', async (t) => {
  const storage = testFolder('solana-rpc-results', t);
  const mask = process.umask(0);
  t.after(() => void process.umask(mask));
  const results = new Results(storage, (text) => text);
  const body = new BodyWriter(true);
  await body.add(Buffer.from('{"result":[1,2,3]}'));
  await body.toFile(path.join(storage, 'spill'));
  await body.finish();
  const { file, root: outline } = body;
  await results.save('a#file', { kind: 'file', file, bytes: file.bytes, head: '{', outline }, OUTCOME);
  await results.save('a#text', new TextBody('"text"'), OUTCOME);
  await results.settled();
  const kept = path.join(storage, 'responses');
  assert.equal((await stat(kept)).mode & 0o777, 0o700);
  const names = await readdir(kept);
  assert.deepEqual([...new Set(names.map((name) => path.extname(name)))].sort(), ['.full', '.index', '.json']);
  for (const name of names) assert.equal((await stat(path.join(kept, name))).mode & 0o777, 0o600, name);
});

test('a place is taken once, by one server, and is its owner’s alone', async (t) => {
  const storage = testFolder('solana-rpc-results', t);
  const mask = process.umask(0);
  t.after(() => void process.umask(mask));
  const servers = [new Results(storage, (text) => text), new Results(storage, (text) => text)];
  for (const server of servers) await server.prepare();
  const places = await Promise.all(servers.map((server) => server.take('a#slot')));
  assert.equal(new Set(places.map(({ run }) => run)).size, 2);
  for (const { request, run } of places)
    assert.equal((await stat(path.join(storage, 'responses', `${request}-${run}.meta.json`))).mode & 0o777, 0o600);
});

test('a key that a service repeats is in no file, neither that of the response nor those next to it', async (t) => {
  const storage = testFolder('solana-rpc-results', t);
  const results = new Results(storage, (text) => text.replaceAll('s3cret-value', '[redacted]'));
  const body = new TextBody('{"result":"s3cret-value"}');
  await results.save('a#slot', body, { ...OUTCOME, request: '["s3cret-value"]' });
  await results.settled();
  const kept = path.join(storage, 'responses');
  for (const name of await readdir(kept)) {
    const text = await readFile(path.join(kept, name), 'utf8');
    assert.ok(text.includes('[redacted]') && !text.includes('s3cret-value'), name);
  }
});

test('a place that somebody made up leads to no file outside the history', async (t) => {
  const storage = testFolder('solana-rpc-results', t);
  const results = new Results(storage, (text) => text);
  await results.prepare();
  await writeFile(path.join(storage, 'other-1.meta.json'), '{"request":"[1]","endpoint":"mine"}');
  assert.equal(await results.requestOf({ request: '../other', run: 1 }), undefined);
  assert.equal(await results.endpointOf({ request: '../other', run: 1 }), undefined);
});

test('a server that starts removes what a dead one left, and not what another one is writing', async (t) => {
  const storage = testFolder('solana-rpc-results', t);
  const responses = path.join(storage, 'responses');
  await mkdir(responses);
  // A number that was taken for an answer that never came, and a large answer whose document was never written.
  const left = ['spill-old', '00aa-1.part', '00bb-2.meta.json', '00cc-3.full', '00cc-3.index', '00cc-3.meta.json'];
  const whole = ['00dd-4.json', '00dd-4.meta.json'];
  const young = ['00ee-5.meta.json', 'spill-young'];
  for (const name of [...left, ...whole, ...young]) await writeFile(path.join(responses, name), '');
  for (const name of [...left, ...whole]) await utimes(path.join(responses, name), 0, 0);
  await new Results(storage, (text) => text).prepare();
  assert.deepEqual((await readdir(responses)).sort(), [...whole, ...young]);
});

test('the oldest runs of a request go, those of another request with the same numbers stay', async (t) => {
  const storage = testFolder('solana-rpc-results', t);
  const results = [new Results(storage, (text) => text), new Results(storage, (text) => text)] as const;
  await results[1].save('b#other', new TextBody('"other"'), OUTCOME);
  for (let n = 1; n <= 12; n++) await results[0].save('a#slot', new TextBody(String(n)), OUTCOME);
  await results[0].settled();
  const names = (await readdir(path.join(storage, 'responses'))).filter((name) => !name.endsWith('.meta.json'));
  assert.equal(names.length, 11, names.join(' '));
});

/** Files of earlier runs, as they are after a restart. */
async function keptBefore(storage: string, names: readonly string[]): Promise<string> {
  const responses = path.join(storage, 'responses');
  await mkdir(responses, { recursive: true });
  await Promise.all(names.map((name) => writeFile(path.join(responses, name), '')));
  return responses;
}

test('of all requests together the newest 500 runs stay', async (t) => {
  const storage = testFolder('solana-rpc-results', t);
  const names = Array.from({ length: 510 }, (_, at) => `${(at + 1).toString(16).padStart(16, '0')}-${at + 1}.json`);
  const responses = await keptBefore(storage, names);
  const results = new Results(storage, (text) => text);
  await results.save('a#slot', new TextBody('1'), OUTCOME);
  await results.settled();
  const left = (await readdir(responses)).filter((name) => !name.endsWith('.meta.json'));
  const runs = left.map((name) => Number(/-(\d+)/.exec(name)?.[1])).sort((one, other) => one - other);
  assert.deepEqual([runs.length, runs[0], runs.at(-1)], [500, 12, 511]);
});

test('above 512 MB the oldest runs go, but the newest of a request never', async (t) => {
  const storage = testFolder('solana-rpc-results', t);
  const [large, other] = ['00000000000000aa', '00000000000000bb'];
  const names = [`${large}-1.full`, `${large}-2.full`, `${other}-3.full`];
  const responses = await keptBefore(storage, names);
  // Sparse: they take no room.
  for (const name of names) await truncate(path.join(responses, name), 300_000_000);
  const results = new Results(storage, (text) => text);
  await results.save('a#slot', new TextBody('1'), OUTCOME);
  await results.settled();
  const left = (await readdir(responses)).filter((name) => name.endsWith('.full'));
  assert.deepEqual(left.sort(), [`${large}-2.full`, `${other}-3.full`]);
});

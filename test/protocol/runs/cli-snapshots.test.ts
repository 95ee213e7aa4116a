// `run --update-snapshots` on real files: written next to the request file, compared afterwards, never outside the workspace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlOptions, type CliResult, testWorkspace } from '../../support/process/cli';
import { testLedger } from '../../support/process/localnet';

const work = testWorkspace();
const local = testLedger();

const run = (...args: readonly string[]): Promise<CliResult> =>
  work.run(['run', ...args, ...urlOptions(local.ready)], { env: { SOLANA_RPC_KEY: local.ready.keys.rpc.key } });

test('a snapshot is asked for, written and compared', async () => {
  await work.folder('requests');
  work.write('schema.json', '{ "const": "ok" }');
  const file = work.write(
    'requests/health.jsonrpc',
    '### Health\n{ "method": "getHealth" }\n?? result matchesSnapshot\n?? result matchesSchema ../schema.json\n',
  );
  const before = await run(file);
  assert.equal(before.code, 4, before.stderr);
  assert.match(before.stdout, /There is no snapshot yet\. --update-snapshots, or/);
  assert.equal((await run(file, '--update-snapshots')).code, 0);
  const kept = 'requests/__snapshots__/health.jsonrpc.json';
  assert.equal(work.read(kept), '{\n  "Health: result": "ok"\n}\n');
  assert.equal((await run(file)).code, 0);
  work.write(kept, '{ "Health: result": "ill" }');
  const other = await run(file);
  assert.equal(other.code, 4);
  assert.match(other.stdout, /ill/);
});

test('the snapshots of a file are named like it, however its name reads as a URI', async () => {
  for (const name of ['100%.jsonrpc', 'a%20b.jsonrpc']) {
    const file = work.write(name, '### Health\n{ "method": "getHealth" }\n?? result matchesSnapshot\n');
    const result = await run(file, '--update-snapshots');
    assert.equal(result.code, 0, result.stderr);
    assert.equal(work.read(`__snapshots__/${name}.json`), '{\n  "Health: result": "ok"\n}\n');
  }
});

test('a schema that is not there is a fault of the file', async () => {
  const file = work.write('a.jsonrpc', '### Health\n{ "method": "getHealth" }\n?? result matchesSchema ./none.json\n');
  for (const result of [await run(file), await work.run(['check', file])]) {
    assert.equal(result.code, 2);
    assert.match(result.stdout + result.stderr, /bad-assertion/);
  }
});

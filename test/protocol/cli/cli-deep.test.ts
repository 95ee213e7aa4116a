// The built command against a service whose answers are nested without end: each fails its own request, the others run,
// every report is written, and the exit code says that something failed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Workspace } from '../../support/process/cli';
import { httpServer, type Hostile } from '../../support/wire/hostile';
import type { RunReport } from '../../../core/requests/run/model';

const work = new Workspace();
const LEVELS = [2_500, 100_000];
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
let service: Hostile;

before(async () => {
  service = await httpServer(({ body }, response) => {
    const { id, params } = JSON.parse(body) as { readonly id: number; readonly params?: readonly [number] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"jsonrpc":"2.0","id":${id},"result":${nested(params?.[0] ?? 1)}}`);
  });
  const deep = LEVELS.map(
    (levels) => `### ${levels}\n{"method":"deep","params":[${levels}]}\n?? result matchesSnapshot\n`,
  );
  work.write('deep.jsonrpc', `### first\n{"method":"a"}\n${deep.join('')}### last\n# @teardown\n{"method":"b"}\n`);
});
after(() => service.close());

test('--json and --junit have every row', async () => {
  const args = [
    'run',
    'deep.jsonrpc',
    '--rpc-url',
    service.origin,
    '--json',
    '--junit',
    'out.xml',
    '--update-snapshots',
  ];
  const { code, stdout, stderr } = await work.run(args);
  const { ok, requests } = JSON.parse(stdout) as RunReport;
  assert.deepEqual([code, ok, stderr], [3, false, '']);
  assert.deepEqual(
    requests.map(({ title, status, error }) => [title, status, error?.kind]),
    [
      ['first', 'passed', undefined],
      ['2500', 'failed', 'protocol'],
      ['100000', 'failed', 'protocol'],
      ['last', 'passed', undefined],
    ],
  );
  assert.match(work.read('out.xml'), /tests="4" failures="0" errors="2"/);
});

test('the report for people and that of a build server have every row', async () => {
  const args = ['run', 'deep.jsonrpc', '--rpc-url', service.origin, '--reporter', 'github'];
  const { code, stdout, stderr } = await work.run(args);
  assert.deepEqual([code, stderr], [3, '']);
  assert.match(stdout, /2 passed, 2 failed, 0 skipped/);
  assert.equal(stdout.match(/^::error /gm)?.length, 2);
});

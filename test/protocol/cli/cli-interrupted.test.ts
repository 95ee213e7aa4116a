// Ctrl+C during `solana-rpc run` and `watch`, before and between requests: while the local service starts, at a question,
// while files are read. It ends at once with the documented exit code and leaves no process and no file.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { caseFiles } from '../../../core/solana/replay/caseFiles';
import { replayCase } from '../../support/data/replayCase';
import { isAlive, resultOf, serviceOf, testWorkspace } from '../../support/process/cli';

const work = testWorkspace();
const CANCELLED = 'cancelled: The run was cancelled.\n';
const skip = process.platform !== 'linux';
let temporary: string;

before(async () => {
  temporary = await work.folder('temporary');
  work.write('slot.jsonrpc', '### Slot\n{ "method": "getSlot" }\n');
  for (const folder of ['case/accounts', 'case/programs']) await work.folder(folder);
  for (const [name, content] of caseFiles(replayCase(7))) work.write(`case/${name}`, Buffer.from(content).toString());
});

const start = (args: readonly string[]): ChildProcess => work.start(args, { env: { TMPDIR: temporary } });

for (const [args, exit, said] of [
  [['run', 'slot.jsonrpc', '--local'], 3, CANCELLED],
  [['run', 'slot.jsonrpc', '--case', 'case'], 3, CANCELLED],
  [['run', 'slot.jsonrpc', '--local', '--watch'], 130, ''],
  [['watch', 'slot.jsonrpc#Slot', '--local'], 0, ''],
] as const)
  test(`${args.join(' ')} ends with ${exit} while the service starts`, { skip }, async () => {
    const child = start(args);
    const ended = resultOf(child);
    const service = await serviceOf(child);
    child.kill('SIGINT');
    assert.deepEqual(await ended, { code: exit, stdout: '', stderr: said });
    assert.ok(!isAlive(service));
    assert.deepEqual(readdirSync(temporary), []);
  });

/** Waits until a process handles SIGHUP, the last signal that our commands register. */
async function handlesSignals({ pid = 0 }: ChildProcess): Promise<void> {
  const isCaught = (): boolean => {
    const [, mask = '0'] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (BigInt(`0x${mask}`) & 1n) !== 0n;
  };
  while (!isCaught()) await new Promise(setImmediate);
}

test('an interrupt while a file is read skips all of it, which is not a success', { skip }, async () => {
  const child = work.start(['run', '-', '--rpc-url', 'http://127.0.0.1:9'], { holdsInput: true });
  const ended = resultOf(child);
  await handlesSignals(child);
  child.kill('SIGINT');
  child.stdin?.end('### Slot\n{ "method": "getSlot" }\n');
  const { code, stdout } = await ended;
  assert.equal(code, 3, stdout);
  assert.match(stdout, /skip +Slot.*\n.*The run was cancelled\./);
});

test('an interrupt at the question for a variable cancels the run', { skip }, async () => {
  work.write(
    'asked.jsonrpc',
    '### Asked\n# @prompt slot Which slot?\n{ "method": "getBlock", "params": [{{slot}}] }\n',
  );
  const terminal = work.terminal(['run', 'asked.jsonrpc', '--rpc-url', 'http://127.0.0.1:9']);
  await terminal.shows('Which slot?');
  terminal.type('\u0003');
  await terminal.shows('cancelled: The run was cancelled.');
  assert.equal(await terminal.ended(), 3);
});

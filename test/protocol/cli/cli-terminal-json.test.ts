// JSON on a terminal: nothing that a service answers steers the terminal or hides text; in a pipe every byte is as it came.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSink, type Sink, testWorkspace } from '../../support/process/cli';

/** C1 controls, DEL, text that turns around, and what nobody sees. */
const HOSTILE = ['\u0085', '\u009b31m', '\u007f', '\u202e', '\u2066', '\u200b', '\u00ad', '\ufeff', '\u{e0041}'];
const work = testWorkspace();
let sink: Sink;

before(async () => {
  sink = await startSink(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { [HOSTILE.join('')]: HOSTILE } }));
  work.write('a.jsonrpc', '### a\n{"method":"getSlot"}\n');
});
after(() => sink.close());

const args = (): string[] => ['run', 'a.jsonrpc', '--json', '--rpc-url', sink.origin];
const responseOf = (json: string): unknown =>
  (JSON.parse(json) as { requests: readonly { response: { result: unknown } }[] }).requests[0]?.response.result;
const expected = { [HOSTILE.join('')]: HOSTILE };

test('on a terminal they are escapes of JSON, which still says the same', async () => {
  const terminal = work.terminal(args(), { columns: 200 });
  assert.equal(await terminal.ended(), 0);
  const { screen } = terminal;
  const json = screen.slice(screen.indexOf('{\r\n'), screen.lastIndexOf('}') + 1);
  for (const text of HOSTILE) assert.ok(!json.includes(text), JSON.stringify(text));
  assert.match(json, /\\u009b31m/);
  assert.deepEqual(responseOf(json), expected);
});

test('in a pipe they are as they came', async () => {
  const { stdout } = await work.run(args());
  for (const text of HOSTILE) assert.ok(stdout.includes(text), JSON.stringify(text));
  assert.deepEqual(responseOf(stdout), expected);
});

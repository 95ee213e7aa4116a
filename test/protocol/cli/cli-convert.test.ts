// `solana-rpc convert`: what goes to which stream, files that are there, exit codes.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { testWorkspace } from '../../support/process/cli';

const work = testWorkspace();

const HTTP = `### Slot
POST https://api.mainnet-beta.solana.com

{ "jsonrpc": "2.0", "id": 1, "method": "getSlot" }

###
GET https://api.mainnet-beta.solana.com/health
`;
const SLOT = `### Slot
POST https://api.mainnet-beta.solana.com

{ "jsonrpc": "2.0", "id": 1, "method": "getSlot" }
`;

test('the text goes to standard output, what could not be converted to standard error', async () => {
  work.write('a.http', HTTP);
  const { code, stdout, stderr } = await work.run(['convert', 'a.http']);
  assert.deepEqual([code, stdout], [0, SLOT]);
  assert.equal(stderr, 'a.http:7: A GET request is not a JSON-RPC call and was left out.\n');
  work.write('a.jsonrpc', stdout);
  assert.equal((await work.run(['check', 'a.jsonrpc'])).code, 0);
});

test('standard input is taken, and --json says all of it', async () => {
  const { code, stdout } = await work.run(['convert', '-', '--json'], { input: HTTP });
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), {
    requests: 1,
    text: SLOT,
    notes: [{ line: 7, message: 'A GET request is not a JSON-RPC call and was left out.' }],
  });
});

test('a file that is there is kept without --force', async () => {
  work.write('b.http', HTTP);
  work.write('there.jsonrpc', 'mine\n');
  const refused = await work.run(['convert', 'b.http', '--out', 'there.jsonrpc']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /--force/);
  assert.equal(work.read('there.jsonrpc'), 'mine\n');
  assert.equal((await work.run(['convert', 'b.http', '--out', 'there.jsonrpc', '--force'])).code, 0);
  assert.equal(work.read('there.jsonrpc'), SLOT);
});

test('where nothing can be converted, nothing is written', async () => {
  work.write('c.http', 'GET https://a.example\n');
  const { code, stdout, stderr } = await work.run(['convert', 'c.http', '--out', 'c.jsonrpc']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^c\.http:1: A GET request[^\n]*\nNo request could be converted\.\n$/);
  assert.ok(!existsSync(path.join(work.root, 'c.jsonrpc')));
});

test('a file that cannot be read is wrong usage', async () => {
  const { code, stderr } = await work.run(['convert', 'none.http']);
  assert.equal(code, 1);
  assert.match(stderr, /none\.http/);
});

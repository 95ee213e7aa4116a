// Transactions that are written in a request file, through the built server as the editor asks it: checked and completed by
// the workspace's IDL, sent, and landed on the local service.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { addressWithSeed } from '../../../core/solana/chain/programAddress';
import type { ExecuteResult } from '../../../protocol/lsp';
import { counterProgram } from '../../contract/open/open-counter';
import { startServer, type RunningServer } from '../../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../../support/lsp/window';
import { testWorkspace } from '../../support/process/cli';
import { startTestLedger, type Localnet } from '../../support/process/localnet';

const IDL = path.join(__dirname, '..', '..', 'fixtures', 'counter', 'idl.json');
const PROGRAM = 'H9W9shDSfQdpiCPPpqZk3NZ15sj6s3nqxQ6qLxZjZVHh';

const work = testWorkspace();
let local: Localnet;
let server: RunningServer;

before(async () => {
  const program = path.join(work.root, 'counter.so');
  writeFileSync(program, counterProgram());
  mkdirSync(path.join(work.root, 'target', 'idl'), { recursive: true });
  copyFileSync(IDL, path.join(work.root, 'target', 'idl', 'counter.json'));
  local = await startTestLedger(['--plan', 'Ultra', '--bpf-program', PROGRAM, program]);
  const broker = grantingBroker(local);
  server = await startServer({
    answer: (request) => broker.answer(request),
    window: {
      ...localWindow(local),
      folders: [work.root],
      idls: [{ path: 'target/idl/*.json', folder: work.root }],
    },
  });
});
after(async () => {
  await server.stop();
  await local.stop();
});

const ask = <T>(method: string, params: unknown): Promise<T> => server.connection.sendRequest<T>(method, params);
interface Version {
  readonly uri: string;
  readonly version: number;
}

let opened = 0;
/** Opens a file; versions count over all that the server was given. */
async function open(name: string, text: string): Promise<Version> {
  const uri = `file:///requests/${name}.jsonrpc`;
  await server.open(uri, text);
  return { uri, version: ++opened };
}

const at = (uri: string, text: string, mark: string): unknown => {
  const lines = text.slice(0, text.indexOf(mark)).split('\n');
  return {
    textDocument: { uri },
    position: { line: lines.length - 1, character: (lines.at(-1) ?? '').length + mark.length },
  };
};

const sending = (instructions: string): string =>
  `### Count\n# @name count\n{ "method": "sendTransaction", "params": [{ "$transaction": { "instructions": [${instructions}] } }, { "encoding": "base64", "preflightCommitment": "finalized" }] }\n?? result isString\n`;
const increment = (args: string): string =>
  `{ "program": "counter", "instruction": "increment", "args": ${args}, "accounts": { "counter": "{{counter}}" } }`;

test('its instructions are completed and checked by the IDL of the workspace', async () => {
  const text = `@counter = ${PROGRAM}\n${sending(increment('{ "amuont": 2 }'))}`;
  const { uri } = await open('faulty', text);
  const { items } = await ask<{ readonly items: readonly { readonly code: string; readonly message: string }[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
  );
  assert.deepEqual(
    items.map(({ code }) => code),
    ['unknown-field'],
    JSON.stringify(items),
  );
  const labels = (
    await ask<readonly { readonly label: string }[]>('textDocument/completion', at(uri, text, '"instruction": "'))
  ).map(({ label }) => label);
  assert.ok(labels.includes('increment') && labels.includes('initialize'), labels.join());
});

test('it is signed by the wallet of the endpoint, lands, and its answer can be read', async () => {
  const counter = addressWithSeed(local.ready.wallet.address, 'counter', PROGRAM) ?? '';
  const create = `{ "createAccount": { "seed": "counter", "owner": "${PROGRAM}", "space": 48, "lamports": 2000000 } }`;
  const initialize = '{ "program": "counter", "instruction": "initialize", "accounts": { "counter": "{{counter}}" } }';
  const landed = await open(
    'landed',
    `@counter = ${counter}\n${sending(`${create}, ${initialize}, ${increment('{ "amount": 7 }')}`)}### State\n# @retry 100 every 50ms while result.value == null\n{ "method": "getAccountInfo", "params": ["{{counter}}", { "encoding": "base64", "commitment": "confirmed" }] }\n?? result.value.owner == "${PROGRAM}"\n`,
  );
  const run = await ask<ExecuteResult>('solanaRpc/execute', landed);
  assert.ok(run.kind === 'done', JSON.stringify(run));
  assert.deepEqual(
    run.outcomes.map(({ status }) => status),
    ['passed', 'passed'],
    JSON.stringify(run.outcomes),
  );
  const { text } = await local.rpc('getAccountInfo', [counter, { encoding: 'base64', commitment: 'confirmed' }]);
  const [, data = ''] = /"data":\["([^"]+)"/.exec(text) ?? [];
  assert.equal(Buffer.from(data, 'base64').readBigUInt64LE(8), 7n);
});

test('a fault that only a run can see names its place and sends nothing', async () => {
  const refused = await open('refused', `@counter = {{nowhere else "abc"}}\n${sending(increment('{ "amount": 1 }'))}`);
  const run = await ask<ExecuteResult>('solanaRpc/execute', refused);
  const said = JSON.stringify(run);
  assert.match(said, /accounts.*counter|counter.*abc/, said);
  assert.ok(run.kind !== 'done' || run.outcomes.every(({ status }) => status !== 'passed'), said);
});

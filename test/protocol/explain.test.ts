// Transactions explained through the built server: of a text, of kept responses of the local service to sendTransaction,
// simulateTransaction and getTransaction, and of what holds none.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { simulationRequests, type SimulationRequest } from '../../core/solana/explain/simulationRequests';
import {
  transactionText,
  type ExplainResult,
  type TransactionSource,
  type TransactionTextResult,
  type TransactionView,
} from '../../protocol/explain';
import type { ExecuteResult, ResponsePlace } from '../../protocol/lsp';
import { startTestLedger, type Localnet } from '../support/process/localnet';
import { startServer, type RunningServer } from '../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../support/lsp/window';

const FILE = 'file:///requests/explain.jsonrpc';
const NOBODY = 'Sysvar1111111111111111111111111111111111111';
const TEXT = `### Lost
{ "method": "sendTransaction", "params": ["{{$transfer ${NOBODY} 900000000000000000}}", { "encoding": "base64" }] }

### Tried
{ "method": "simulateTransaction", "params": ["{{$transfer $wallet 1000}}", { "encoding": "base64", "sigVerify": false }] }

### Sent
# @name sent
{ "method": "sendTransaction", "params": ["{{$transfer $wallet 1000}}", { "encoding": "base64" }] }

### Landed
# @name landed
# @retry 200 every 50ms while result == null
{ "method": "getTransaction", "params": ["{{sent.result}}", { "commitment": "confirmed", "encoding": "base64" }] }

### Slot
{ "method": "getSlot" }
`;

let local: Localnet;
let server: RunningServer;
const places = new Map<string, ResponsePlace>();

before(async () => {
  local = await startTestLedger(['--plan', 'Ultra']);
  const broker = grantingBroker(local);
  server = await startServer({ window: localWindow(local), answer: (request) => broker.answer(request) });
  await server.open(FILE, TEXT);
  const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri: FILE, version: 1 });
  assert.ok(result.kind === 'done', JSON.stringify(result));
  for (const { title, response, error } of result.outcomes) {
    assert.ok(response !== undefined, JSON.stringify(error));
    places.set(title, { request: response.request, run: response.run });
  }
});
after(async () => {
  await server.stop();
  await local.stop();
});

const explain = (source: TransactionSource): Promise<ExplainResult> =>
  server.connection.sendRequest<ExplainResult>('solanaRpc/explain', { source });

async function viewOf(title: string): Promise<TransactionView> {
  const place = places.get(title);
  assert.ok(place !== undefined, `${title}: ${[...places.keys()].join()}`);
  const result = await explain({ kind: 'response', place });
  assert.ok(result.kind === 'explained', JSON.stringify(result));
  return result.view;
}

const fact = ({ facts }: TransactionView, wanted: string): string | undefined =>
  facts.find(({ name }) => name === wanted)?.text;

test('a failed preflight says which call failed and why', async () => {
  const { outcome, calls } = await viewOf('Lost');
  assert.deepEqual([outcome.kind, outcome.at], ['failed', '1']);
  assert.equal((await viewOf('Lost')).outcome.ranIn, 'preflight');
  assert.match(calls[0]?.logs.join() ?? '', /insufficient lamports/);
});

test('a simulation says what would happen, units and loaded data among it', async () => {
  const view = await viewOf('Tried');
  assert.deepEqual(view.outcome, { kind: 'succeeded', ranIn: 'simulation' });
  assert.equal(fact(view, 'computeUnits'), '150');
  assert.match(fact(view, 'loadedAccountsData') ?? '', /^\d/);
  assert.deepEqual(view.suggested, [
    { member: 'computeUnitLimit', value: 1_165 },
    { member: 'loadedAccountsDataLimit', value: 32_768 },
  ]);
  assert.equal((await viewOf('Lost')).suggested, undefined);
});

test('what was sent has not run; what has landed says what it did', async () => {
  const sent = await viewOf('sent');
  assert.deepEqual(sent.outcome, { kind: 'notExecuted' });
  const landed = await viewOf('landed');
  assert.deepEqual([landed.outcome.kind, landed.signature], ['succeeded', sent.signature]);
  assert.equal(landed.outcome.ranIn, undefined);
  assert.match(fact(landed, 'fee') ?? '', /^5,000 lamports/);
  assert.match(fact(landed, 'baseFee') ?? '', /^5,000 lamports/);
  assert.equal(landed.balances[0]?.change.moved, '-0.000005 SOL');
  assert.equal(landed.calls[0]?.name, 'transfer');
});

/** Asks as the panel does; where the response is kept. */
async function asked({ method, params }: SimulationRequest): Promise<ResponsePlace> {
  const text = `### ${method}\n${JSON.stringify({ method, params })}\n`;
  const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', {
    uri: `solana-explain:/${method}`,
    version: 0,
    variant: { kind: 'text', text, endpoint: 'local' },
  });
  assert.ok(result.kind === 'done', JSON.stringify(result));
  const [outcome] = result.outcomes;
  assert.ok(outcome?.response !== undefined, JSON.stringify(outcome?.error));
  return { request: outcome.response.request, run: outcome.response.run };
}

test('what was sent, or only tried, can be simulated with its accounts; what has landed cannot', async () => {
  assert.equal((await viewOf('landed')).wire, undefined);
  const view = await viewOf('Tried');
  assert.deepEqual([view.written, view.wire !== undefined], [undefined, true]);
  const { before: first, simulation } = simulationRequests(view.wire ?? '', view.accounts);
  const [held, place] = [await asked(first), await asked(simulation)];
  const result = await explain({ kind: 'response', place, before: held });
  assert.ok(result.kind === 'explained', JSON.stringify(result));
  const { written, outcome, suggested } = result.view;
  assert.equal(outcome.kind, 'succeeded');
  assert.ok(suggested !== undefined);
  // The wallet pays itself: the fee alone is gone.
  const [wallet] = written ?? [];
  assert.equal(wallet?.address, local.ready.wallet.address);
  assert.deepEqual(
    wallet.rows.map(({ name }) => name),
    ['balance'],
  );
  const [{ before: was = '', after: is = '' } = {}] = wallet.rows;
  const [had, has] = [was, is].map((text) => Number.parseFloat(text.replaceAll(',', '')));
  assert.equal(((had ?? 0) - (has ?? 0)).toFixed(7), '0.0000050');
  assert.match(fact(result.view, 'blockhash') ?? '', /, blocks left: [1-9]\d*$/);
  // Without the accounts as they were, nothing is said of them.
  const alone = await explain({ kind: 'response', place });
  assert.ok(alone.kind === 'explained' && alone.view.written === undefined);
});

test('the whole log of a preflight, a simulation, a landed transaction and a pasted answer is given as text', async () => {
  const logOf = (source: TransactionSource): Promise<string | null> =>
    server.connection.sendRequest<string | null>('solanaRpc/transactionLog', { source });
  const SYSTEM = '11111111111111111111111111111111';
  const ran = `Program ${SYSTEM} invoke [1]\nProgram ${SYSTEM} success\n`;
  for (const title of ['Lost', 'Tried', 'landed']) {
    const place = places.get(title);
    assert.ok(place !== undefined);
    const log = await logOf({ kind: 'response', place });
    if (title === 'Lost')
      assert.match(log ?? '', /^Program 1{32} invoke \[1\]\nTransfer: insufficient lamports .*\n.*\n$/);
    else assert.equal(log, ran);
  }
  const logMessages = Array.from({ length: 20_000 }, (_, at) => `Program log: ${at}`);
  const pasted = { kind: 'text', text: JSON.stringify({ result: { meta: { logMessages } } }) } as const;
  assert.equal(await logOf(pasted), `${logMessages.join('\n')}\n`);
  const slot = places.get('Slot');
  assert.ok(slot !== undefined);
  assert.equal(await logOf({ kind: 'response', place: slot }), null);
  assert.equal(await logOf({ kind: 'response', place: { request: 'ff', run: 1 } }), null);
  assert.equal(await logOf({ kind: 'replay', id: 'none' }), null);
});

test('the whole is given as text to be compared, also a text that is longer than a panel shows', async () => {
  const textOf = (source: TransactionSource): Promise<TransactionTextResult> =>
    server.connection.sendRequest(transactionText, { source });
  const place = places.get('landed');
  assert.ok(place !== undefined);
  const landed = await textOf({ kind: 'response', place });
  assert.ok(landed.kind === 'text');
  assert.match(landed.text, /^outcome: succeeded\nsignature: .*\n/);
  const { wire = '' } = await viewOf('Tried');
  const line = `Program log: ${'x'.repeat(900)}`;
  const SYSTEM = '11111111111111111111111111111111';
  const logMessages = [
    `Program ${SYSTEM} invoke [1]`,
    ...Array.from({ length: 3_000 }, (_, at) => `${line}${at}`),
    `Program ${SYSTEM} success`,
  ];
  const given = { transaction: [wire, 'base64'], meta: { err: null, logMessages } };
  const long = await textOf({ kind: 'text', text: JSON.stringify(given) });
  assert.ok(long.kind === 'text', JSON.stringify(long));
  assert.ok(long.text.length > 2_700_000, String(long.text.length));
  assert.match(long.text, /x2999\n/);
  assert.match(long.text, /\naccounts:\n/);
  assert.equal((await textOf({ kind: 'response', place: { request: 'ff', run: 1 } })).kind, 'gone');
});

test('other responses, texts and rows say why there is nothing', async () => {
  const slot = places.get('Slot');
  assert.ok(slot !== undefined);
  assert.equal((await explain({ kind: 'response', place: slot })).kind, 'none');
  assert.deepEqual(await explain({ kind: 'text', text: '***' }), {
    kind: 'none',
    reason: 'It is neither base64 nor base58.',
  });
  assert.equal((await explain({ kind: 'response', place: { request: 'ff', run: 1 } })).kind, 'gone');
  assert.equal((await explain({ kind: 'row', id: 'none', number: 1 })).kind, 'gone');
});

test('a signature under the mouse says what the answer that is held says of it, also while the node is away', async () => {
  const { signature } = await viewOf('landed');
  assert.ok(signature !== undefined);
  const text = `${TEXT}\n### Again\n{ "method": "getTransaction", "params": ["${signature}"] }\n`;
  await server.open(FILE, text);
  await local.stop();
  const lines = text.split('\n');
  const line = lines.findIndex((one) => one.includes(signature));
  const hover = await server.connection.sendRequest<{ readonly contents: { readonly value: string } }>(
    'textDocument/hover',
    { textDocument: { uri: FILE }, position: { line, character: (lines[line]?.indexOf(signature) ?? 0) + 3 } },
  );
  assert.match(hover.contents.value, /Succeeded in slot \d+\nFee 5,000 lamports .*\n1\. System Program: transfer/);
});

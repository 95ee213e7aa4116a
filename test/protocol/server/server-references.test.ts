// References between requests, through the built server against the local service: answers are used again, and nothing but
// the user's word sends a transaction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfirmParams, ExecuteResult } from '../../../protocol/lsp';
import { paymentsOf, testLedger } from '../../support/process/localnet';
import { openRequests, REQUEST_FILE } from '../../support/lsp/requestFile';
import { grantingBroker, localWindow } from '../../support/lsp/window';
import { testFolder } from '../../support/folder';

const local = testLedger();

const PAY =
  '### Pay\n# @name pay\n{ "method": "sendTransaction", "params": ["{{$transfer $wallet 5000}}", { "encoding": "base64" }] }\n?? result isString\n';
const STATUS =
  '### Status\n# @name status\n{ "method": "getSignatureStatuses", "params": [["{{pay.result}}"]] }\n?? result.value isArray\n';
const PAY_LINE = 0;
const STATUS_LINE = 4;

const methods = (result: ExecuteResult): readonly string[] =>
  result.kind === 'done' ? result.outcomes.map(({ method, status }) => `${method} ${status}`) : [result.error.message];

const READ = ['getSignatureStatuses passed'];

test('the answer of a payment is read as often as one likes, and the payment is sent once', async (t) => {
  const { send } = await openRequests(t, local, PAY + STATUS);
  const before = await paymentsOf(local);
  assert.deepEqual(methods(await send(PAY_LINE)), ['sendTransaction passed']);
  assert.deepEqual(methods(await send(STATUS_LINE)), READ);
  assert.deepEqual(methods(await send(STATUS_LINE)), READ);
  assert.equal(await paymentsOf(local), before + 1);
});

test('without an answer nothing is sent; the payment is offered, and sent by the one word', async (t) => {
  const { send } = await openRequests(t, local, PAY + STATUS);
  const before = await paymentsOf(local);
  const stopped = await send(STATUS_LINE);
  assert.ok(stopped.kind === 'refused' && stopped.sendFirst !== undefined, JSON.stringify(stopped));
  assert.match(stopped.error.message, /"pay", which sends a transaction and has not been sent from here/);
  assert.deepEqual(
    [stopped.sendFirst.name, stopped.sendFirst.line, stopped.error.hint],
    ['pay', PAY_LINE, 'Send "pay" first.'],
  );
  assert.equal(await paymentsOf(local), before);
  assert.deepEqual(methods(await send(undefined, { first: stopped.sendFirst })), ['sendTransaction passed']);
  assert.deepEqual(methods(await send(STATUS_LINE)), READ);
  assert.equal(await paymentsOf(local), before + 1);
});

test('a request that could not be sent keeps the answer it had', async (t) => {
  const broker = grantingBroker(local);
  let isStored = true;
  const text = '### Slot\n# @name slot\n{ "method": "getSlot" }\n### Rent\n';
  const rent = '{ "method": "getMinimumBalanceForRentExemption", "params": ["{{slot.result}}"] }\n';
  const { server, send } = await openRequests(t, local, text + rent, {
    answer: (request) => (isStored ? broker.answer(request) : { kind: 'denied', id: request.id, reason: 'none' }),
  });
  const store = (stored: boolean): void => {
    isStored = stored;
    server.push({ kind: 'revoke', origin: new URL(local.ready.rpcUrl).origin, type: 'rpc' });
  };
  assert.deepEqual(methods(await send(0)), ['getSlot passed']);
  store(false);
  const refused = await send(0);
  assert.equal(refused.kind === 'done' && refused.outcomes[0]?.error?.kind, 'noKey');
  store(true);
  // It is read again: nothing was sent in between that could have changed it.
  assert.deepEqual(methods(await send(3)), ['getMinimumBalanceForRentExemption passed']);
});

test('what was offered is what is sent: an edit in between takes the word back', async (t) => {
  const { send, edit } = await openRequests(t, local, PAY + STATUS);
  const before = await paymentsOf(local);
  const stopped = await send(STATUS_LINE);
  assert.ok(stopped.kind === 'refused' && stopped.sendFirst !== undefined);
  await edit(PAY.replace('5000', '999000000') + STATUS);
  assert.match(methods(await send(undefined, { first: stopped.sendFirst }))[0] ?? '', /changed since it was offered/);
  assert.equal(await paymentsOf(local), before);
});

/** Changes that make the answer of the payment out of date. */
const CHANGES: readonly (readonly [string, (text: string) => string])[] = [
  ['its text', (text) => text.replace('5000', '6000')],
  ['a variable that it uses', (text) => text.replace('@lamports = 5000', '@lamports = 7000')],
];
const WITH_VARIABLE = `@lamports = 5000\n${PAY.replace('5000', 'lamports')}${STATUS}`;

for (const [what, change] of CHANGES)
  test(`a change of ${what} makes the answer out of date`, async (t) => {
    const text = what === 'its text' ? PAY + STATUS : WITH_VARIABLE;
    const shift = what === 'its text' ? 0 : 1;
    const { send, edit } = await openRequests(t, local, text);
    await send(PAY_LINE + shift);
    assert.deepEqual(methods(await send(STATUS_LINE + shift)), READ);
    await edit(change(text));
    const stopped = await send(STATUS_LINE + shift);
    assert.match(methods(stopped)[0] ?? '', /has changed since it was sent/);
    await edit(text);
    assert.deepEqual(methods(await send(STATUS_LINE + shift)), READ);
  });

test('a new title, a comment or a block behind it leave the answer as it is', async (t) => {
  const { send, edit } = await openRequests(t, local, PAY + STATUS);
  await send(PAY_LINE);
  await edit(`${PAY.replace('### Pay', '### Pay a friend')}\n# done\n\n### Other\n{ "method": "getSlot" }\n${STATUS}`);
  assert.deepEqual(methods(await send(9)), READ);
});

test('another ledger, another URL or another wallet behind the same name make the answer out of date', async (t) => {
  const { server, send } = await openRequests(t, local, PAY + STATUS);
  const window = localWindow(local);
  await send(PAY_LINE);
  const [placed] = window.profiles;
  assert.ok(placed !== undefined);
  const changed = { ...placed, profile: { ...placed.profile, ledger: 'another' } };
  await server.connection.sendNotification('solanaRpc/windowChanged', { ...window, profiles: [changed] });
  assert.match(methods(await send(STATUS_LINE))[0] ?? '', /has changed/);
  await server.connection.sendNotification('solanaRpc/windowChanged', window);
  assert.deepEqual(methods(await send(STATUS_LINE)), READ);
});

test('an answer outlives the server that got it', async (t) => {
  const storage = testFolder('solana-rpc-answers', t);
  const first = await openRequests(t, local, PAY + STATUS, { storage });
  const before = await paymentsOf(local);
  await first.send(PAY_LINE);
  await first.server.stop();
  const { server, send } = await openRequests(t, local, PAY + STATUS, { storage });
  assert.deepEqual(methods(await send(STATUS_LINE)), READ);
  assert.equal(await paymentsOf(local), before + 1);
  // Before the folder is removed: a server that still runs would make it again.
  await server.stop();
});

test('Simulate, Watch and Compare send no payment that something refers to', async (t) => {
  const other = '### Again\n{ "method": "sendTransaction", "params": ["{{pay.result}}", { "encoding": "base64" }] }\n';
  const logs = '### Logs\n{ "method": "signatureSubscribe", "params": ["{{pay.result}}"] }\n';
  const { server, send } = await openRequests(t, local, PAY + STATUS + other + logs);
  const before = await paymentsOf(local);
  const simulated = await send(8, { variant: { kind: 'simulation' } });
  assert.equal(simulated.kind === 'refused' && simulated.sendFirst?.name, 'pay');
  const watched = await server.connection.sendRequest<ExecuteResult>('solanaRpc/openStream', {
    source: { kind: 'block', uri: REQUEST_FILE, version: 1, line: 10 },
  });
  assert.equal(watched.kind === 'refused' && watched.sendFirst?.name, 'pay', JSON.stringify(watched));
  const compared = await send(STATUS_LINE, { variant: { kind: 'endpoint', name: 'local' } });
  assert.equal(compared.kind === 'refused' && compared.sendFirst?.name, 'pay');
  assert.equal(await paymentsOf(local), before);
});

test('what was simulated is kept as a simulation, and what it needed as itself', async (t) => {
  const account =
    '### Account\n# @name account\n{ "method": "getAccountInfo", "params": ["{{$wallet}}", { "encoding": "base64" }] }\n';
  const pay = PAY.replace('"base64"', '"{{account.result.value.data[1]}}"');
  const { send } = await openRequests(t, local, account + pay);
  const before = await paymentsOf(local);
  const simulated = await send(3, { variant: { kind: 'simulation' } });
  assert.ok(simulated.kind === 'done', JSON.stringify(simulated));
  assert.deepEqual(
    simulated.outcomes.map(({ method, block, variant }) => [method, block, variant?.kind]),
    [
      ['getAccountInfo', 'account', undefined],
      ['simulateTransaction', 'Pay', 'simulation'],
    ],
  );
  assert.equal(await paymentsOf(local), before);
});

test('Compare asks before it sends a transaction', async (t) => {
  const { server, send } = await openRequests(t, local, PAY + STATUS);
  const asked: string[] = [];
  server.connection.onRequest('solanaRpc/confirm', ({ question }: ConfirmParams) => {
    asked.push(question);
    return false;
  });
  const before = await paymentsOf(local);
  const compared = await send(PAY_LINE, { variant: { kind: 'endpoint', name: 'local' } });
  assert.equal(compared.kind === 'refused' && compared.error.kind, 'confirmation');
  assert.equal(asked.length, 1);
  assert.equal(await paymentsOf(local), before);
});

test('Send All sends each request once', async (t) => {
  const { send } = await openRequests(t, local, STATUS + PAY);
  const before = await paymentsOf(local);
  assert.deepEqual(methods(await send()), ['sendTransaction passed', 'getSignatureStatuses passed']);
  assert.equal(await paymentsOf(local), before + 1);
});

test('a method that only a run knows does not get around the question', async (t) => {
  const text = `@method = sendTransaction\n${PAY.replace('"sendTransaction"', '"{{method}}"')}${STATUS}`;
  const { send } = await openRequests(t, local, text);
  const before = await paymentsOf(local);
  const stopped = await send(STATUS_LINE + 1);
  assert.equal(stopped.kind === 'refused' && stopped.sendFirst?.name, 'pay');
  const batch = `### Pay\n# @name pay\n[{ "id": 1, "method": "sendTransaction", "params": ["{{$transfer $wallet 5000}}", { "encoding": "base64" }] }]\n${STATUS.replace('pay.result', 'pay[1].result')}`;
  const { send: sendBatch } = await openRequests(t, local, batch);
  const refused = await sendBatch(3);
  assert.equal(refused.kind === 'refused' && refused.sendFirst?.name, 'pay');
  assert.equal(await paymentsOf(local), before);
});

test('a read that is referred to runs once, and its answer is used from then on', async (t) => {
  const text =
    '### Hash\n# @name hash\n{ "method": "getLatestBlockhash" }\n### Valid\n{ "method": "isBlockhashValid", "params": ["{{hash.result.value.blockhash}}"] }\n';
  const { send } = await openRequests(t, local, text);
  assert.deepEqual(methods(await send(3)), ['getLatestBlockhash passed', 'isBlockhashValid passed']);
  assert.deepEqual(methods(await send(3)), ['isBlockhashValid passed']);
  assert.deepEqual(methods(await send(3, { notBefore: Date.now() + 1 })), [
    'getLatestBlockhash passed',
    'isBlockhashValid passed',
  ]);
});

test('a test run sends what its tests need once, over all its files, and never asks on the local service', async (t) => {
  const { send } = await openRequests(t, local, PAY + STATUS);
  const before = await paymentsOf(local);
  const run = { run: 'one', isContinuous: false };
  await send(STATUS_LINE, { test: run });
  assert.deepEqual(methods(await send(STATUS_LINE, { test: run })), READ);
  assert.equal(await paymentsOf(local), before + 1);
  await send(STATUS_LINE, { test: { run: 'two', isContinuous: false } });
  assert.equal(await paymentsOf(local), before + 2);
});

test('elsewhere a test run asks once; if refused, it skips the requests that send and their dependents', async (t) => {
  const window = localWindow(local);
  const elsewhere = { profiles: window.profiles.map((placed) => ({ ...placed, source: 'user' as const })) };
  const { server, send } = await openRequests(
    t,
    local,
    `${PAY}${STATUS}### Slot\n{ "method": "getSlot" }\n?? result isNumber\n`,
    {
      window: elsewhere,
    },
  );
  const asked: string[] = [];
  let says = false;
  server.connection.onRequest('solanaRpc/confirm', ({ question }: ConfirmParams) => {
    asked.push(question);
    return says;
  });
  const before = await paymentsOf(local);
  const lines = [PAY_LINE, STATUS_LINE, 8];
  const run = { run: 'one', isContinuous: false };
  const declined = await send(undefined, { lines, test: run });
  assert.deepEqual(methods(declined), ['getSlot passed']);
  assert.deepEqual(declined.kind === 'done' && declined.skipped?.map(({ line }) => line), [PAY_LINE, STATUS_LINE]);
  await send(undefined, { lines, test: run });
  assert.equal(asked.length, 1);
  await send(undefined, { lines, test: { run: 'saved', isContinuous: true } });
  assert.equal(asked.length, 1);
  assert.equal(await paymentsOf(local), before);
  says = true;
  assert.deepEqual(methods(await send(undefined, { lines, test: { run: 'two', isContinuous: false } })), [
    'sendTransaction passed',
    'getSignatureStatuses passed',
    'getSlot passed',
  ]);
  assert.equal(asked.length, 2);
  assert.equal(await paymentsOf(local), before + 1);
});

interface Lens {
  readonly range: { readonly start: { readonly line: number } };
  readonly command: { readonly title: string; readonly command: string; readonly arguments?: readonly unknown[] };
}

test('the lens says which answer is used and from when, and has it given again', async (t) => {
  const { server, send, edit } = await openRequests(t, local, PAY + STATUS);
  const before = await paymentsOf(local);
  const lenses = async (): Promise<readonly Lens['command'][]> => {
    const all = await server.connection.sendRequest<readonly Lens[]>('textDocument/codeLens', {
      textDocument: { uri: REQUEST_FILE },
    });
    return all.filter(({ range }) => range.start.line === STATUS_LINE).map(({ command }) => command);
  };
  const usual = ['Send', 'Copy As…'];
  assert.deepEqual(
    (await lenses()).map(({ title }) => title),
    usual,
  );
  await send(PAY_LINE);
  const [used, again] = (await lenses()).slice(usual.length);
  assert.match(used?.title ?? '', /^Uses pay from \d\d:\d\d:\d\d$/);
  assert.deepEqual([used?.command, again?.title, again?.command], ['', 'Run Again', 'solanaRpc.send']);
  assert.deepEqual(again?.arguments, [REQUEST_FILE, STATUS_LINE, { again: true }]);
  const stopped = await send(STATUS_LINE, { notBefore: Date.now() + 1 });
  assert.equal(stopped.kind === 'refused' && stopped.sendFirst?.name, 'pay');
  assert.equal(await paymentsOf(local), before + 1);
  await edit(PAY.replace('5000', '6000') + STATUS);
  assert.deepEqual(
    (await lenses()).map(({ title }) => title),
    usual,
  );
});

test('while a payment is on its way, what reads it waits for its answer', async (t) => {
  const { send } = await openRequests(t, local, PAY + STATUS);
  const before = await paymentsOf(local);
  const [payment, status] = await Promise.all([send(PAY_LINE), send(STATUS_LINE)]);
  assert.deepEqual(methods(payment), ['sendTransaction passed']);
  if (status.kind === 'done') assert.deepEqual(methods(status), READ);
  assert.equal(await paymentsOf(local), before + 1);
});

// Requests that run around another and once per row, through the built server on the local service: nothing but the user's
// word sends a transaction. Also the environment that the window has chosen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExecuteResult } from '../../../protocol/lsp';
import { paymentsOf, testLedger } from '../../support/process/localnet';
import { openRequests } from '../../support/lsp/requestFile';

const local = testLedger();

interface Ended {
  readonly titles: readonly string[];
  readonly skipped: readonly string[];
}

function ended(result: ExecuteResult): Ended {
  assert.equal(result.kind, 'done', JSON.stringify(result));
  return {
    titles: result.outcomes.map(({ title, status }) => `${title} ${status}`),
    skipped: (result.skipped ?? []).map(({ line, why }) => `${line} ${why}`),
  };
}

const PAY = '{ "method": "sendTransaction", "params": ["{{$transfer $wallet 5000}}", { "encoding": "base64" }] }\n';
const FILE_TEXT = `### Fund\n# @setup\n${PAY}### Ready\n# @setup\n{ "method": "getHealth" }\n### Slot\n{ "method": "getSlot" }\n### Back\n# @teardown\n${PAY.replace('5000', '6000')}`;
const SLOT_LINE = 6;
const FUND_LINE = 0;

test('a request that is sent alone has around it what only reads; no transaction leaves', async (t) => {
  const { send } = await openRequests(t, local, FILE_TEXT);
  const before = await paymentsOf(local);
  const { titles, skipped } = ended(await send(SLOT_LINE));
  assert.deepEqual(titles, ['Ready passed', 'Slot passed']);
  assert.equal(skipped.length, 2);
  for (const why of skipped) assert.match(why, /sends a transaction/);
  assert.equal(await paymentsOf(local), before);
});

test('Send All and the request itself send them', async (t) => {
  const { send } = await openRequests(t, local, FILE_TEXT);
  const before = await paymentsOf(local);
  assert.deepEqual(ended(await send()).titles, ['Fund passed', 'Ready passed', 'Slot passed', 'Back passed']);
  assert.equal(await paymentsOf(local), before + 2);
  assert.deepEqual(ended(await send(FUND_LINE)).titles, ['Fund passed']);
  assert.equal(await paymentsOf(local), before + 3);
});

test('a request that reads the answer of a setup that sends is stopped, and the setup is offered', async (t) => {
  const text = `### Fund\n# @name fund\n# @setup\n${PAY}### Status\n{ "method": "getSignatureStatuses", "params": [["{{fund.result}}"]] }\n`;
  const { send } = await openRequests(t, local, text);
  const before = await paymentsOf(local);
  const stopped = await send(4);
  assert.ok(stopped.kind === 'refused' && stopped.sendFirst?.name === 'fund', JSON.stringify(stopped));
  assert.equal(await paymentsOf(local), before);
});

test('each row has its own response and title; a skipped row says why', async (t) => {
  const { send } = await openRequests(
    t,
    local,
    '### Each\n# @foreach row in [{"least":0},{"least":1},{"least":99}]\n# @if row.least < 50\n{ "method": "getSlot" }\n?? result >= {{row.least}}\n',
  );
  const result = await send(0);
  assert.deepEqual(ended(result).titles, ['Each [0] passed', 'Each [1] passed']);
  assert.match(ended(result).skipped[0] ?? '', /^0 @if row\.least < 50 does not hold: the value is 99\.$/);
  assert.ok(result.kind === 'done');
  const responses = new Set(result.outcomes.map(({ response }) => response?.request));
  assert.equal(responses.size, 2);
});

test('the variables of the chosen environment are filled in', async (t) => {
  const text =
    '### Slot\n{ "method": "getBlockHeight", "params": [{ "commitment": "{{level}}" }] }\n?? result >= {{least}}\n';
  const { send } = await openRequests(t, local, text, { window: { environment: '{"level":"confirmed","least":0}' } });
  assert.deepEqual(ended(await send(0)).titles, ['Slot passed']);
  const without = await openRequests(t, local, text);
  const refused = await without.send(0);
  assert.ok(refused.kind === 'refused', JSON.stringify(refused));
});

// Limits suggested by a simulation, written into the request by the built server: for version 0, where limits and price are
// instructions, and for version 1, where they are the configuration of the message and an unset limit means 0.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { explain, setLimit, type SuggestionView, type TransactionView } from '../../protocol/explain';
import type { ExecuteResult } from '../../protocol/lsp';
import { startServer, type RunningServer } from '../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../support/lsp/window';
import { startTestLedger, type Localnet } from '../support/process/localnet';

let local: Localnet;
let server: RunningServer;

before(async () => {
  local = await startTestLedger(['--plan', 'Ultra']);
  const broker = grantingBroker(local);
  server = await startServer({ window: localWindow(local), answer: (request) => broker.answer(request) });
});
after(async () => {
  await server.stop();
  await local.stop();
});

const RECEIVER = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
/** A payment with a memo; `more`: further members of the transaction. */
const payment = (version: number, more = ''): string => `### Pay
# @name pay
{ "method": "sendTransaction", "params": [{ "$transaction": { "version": ${version},${more}
  "instructions": [{ "memo": "thanks" }, { "transfer": { "to": "${RECEIVER}", "lamports": 1000000 } }] } },
  { "encoding": "base64" }] }
`;

/** Every file here is a new one, in its first version. */
const open = (uri: string, text: string): Promise<void> =>
  server.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'jsonrpc', version: 1, text },
  });

/** The view of what a file's only request does in a simulation. */
async function simulated(uri: string): Promise<TransactionView> {
  const variant = { kind: 'simulation' } as const;
  const params = { uri, version: 1, lines: [0], variant };
  const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', params);
  const response = result.kind === 'done' ? result.outcomes.at(-1)?.response : undefined;
  assert.ok(response !== undefined, JSON.stringify(result));
  const place = { request: response.request, run: response.run };
  const explained = await server.connection.sendRequest(explain, { source: { kind: 'response', place } });
  assert.ok(explained.kind === 'explained', JSON.stringify(explained));
  return explained.view;
}

/** The file with each suggestion written into it, one after the other. */
async function written(name: string, text: string, suggestions: readonly SuggestionView[]): Promise<string> {
  let now = text;
  for (const [at, suggestion] of suggestions.entries()) {
    const uri = `file:///requests/${name}-${at}.jsonrpc`;
    await open(uri, now);
    const edits = await server.connection.sendRequest(setLimit, { uri, line: 2, ...suggestion });
    assert.ok(edits !== null);
    now = TextDocument.applyEdits(TextDocument.create(uri, 'solana-rpc', 1, now), [...edits]);
  }
  return now;
}

const factsOf = ({ facts }: TransactionView): Readonly<Record<string, string>> =>
  Object.fromEntries(facts.map(({ name, text }) => [name, text]));

const PRICE = { member: 'priorityFee', value: 2_500_000 } as const;

const LIMITED = ' "computeUnitLimit": 400000, "loadedAccountsDataLimit": 1000000, "priorityFee": { "lamports": 7 },';

for (const { version, more = '', before: limit, price } of [
  { version: 0, before: /^[\d,]+$/, price: '2,500,000' },
  { version: 1, before: /^[\d,]+ \/ 67,108,864$/ },
  { version: 1, more: LIMITED, before: /^[\d,]+ \/ 1,000,000$/ },
])
  test(`version ${version}${more === '' ? '' : ' with limits'}: each number is written, and the next simulation runs within them`, async () => {
    const name = `v${version}${more === '' ? '' : '-limited'}`;
    const uri = `file:///requests/${name}.jsonrpc`;
    const text = payment(version, more);
    await open(uri, text);
    const first = await simulated(uri);
    assert.equal(first.outcome.kind, 'succeeded', JSON.stringify(first.outcome));
    assert.match(factsOf(first)['loadedAccountsData'] ?? '', limit);
    const suggested = first.suggested ?? [];
    assert.deepEqual(
      suggested.map(({ member }) => member),
      ['computeUnitLimit', 'loadedAccountsDataLimit'],
    );
    const [units = 0, loaded = 0] = suggested.map(({ value }) => value);

    const limited = await written(name, text, [...suggested, PRICE]);
    assert.match(limited, new RegExp(`"computeUnitLimit": ${units}\\b`));
    assert.match(limited, new RegExp(`"loadedAccountsDataLimit": ${loaded}\\b`));
    assert.match(limited, /"priorityFee": \{ "microLamports": 2500000 \}/);
    assert.equal(limited.match(/priorityFee|computeUnitLimit|loadedAccountsDataLimit/g)?.length, 3);

    const again = `file:///requests/${name}-limited.jsonrpc`;
    await open(again, limited);
    const second = await simulated(again);
    const facts = factsOf(second);
    assert.equal(second.outcome.kind, 'succeeded', JSON.stringify(second.outcome));
    const digits = (value: number): string => value.toLocaleString('en-US');
    assert.ok(facts['computeUnits']?.endsWith(`/ ${digits(units)}`), facts['computeUnits']);
    assert.ok(facts['loadedAccountsData']?.endsWith(`/ ${digits(loaded)}`), facts['loadedAccountsData']);
    assert.equal(facts['price'], price);
    assert.ok(facts['priorityFee']?.startsWith(`${digits(Math.ceil(units * 2.5))} lamports`), facts['priorityFee']);
    assert.deepEqual(
      second.notes,
      first.notes.filter((note) => !/unset|limit/i.test(note)),
    );
  });

// A version 1 transaction of the public client through the built server: simulated from the block that would send it, sent,
// its block as a table, decoded, and as the text that two runs are compared by.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { decodeBase58 } from '../../core/solana/encoding/base58';
import type { ExecuteOutcome, ExecuteParams, ExecuteResult, KeptResponse } from '../../protocol/lsp';
import type { DecodeAccountsResult, TableItemResult, TableOpenResult, TableRowsResult } from '../../protocol/responses';
import { kitV1, newSigner, transferInstruction } from '../support/data/v1Transactions';
import { type RunningServer } from '../support/lsp/serverProcess';
import { startServerOn } from '../support/lsp/requestFile';
import { sendsOf, testLedger } from '../support/process/localnet';

const FILE = 'file:///requests/v1.jsonrpc';
const FEE = 1_501;
const CONFIG = {
  priorityFeeLamports: BigInt(FEE),
  computeUnitLimit: 420_000,
  loadedAccountsDataSizeLimit: 131_072,
  heapSize: 65_536,
};
const FEE_COLUMN = ['transaction', 'message', 'transactionConfig', 'priorityFee'];

const local = testLedger(['--plan', 'Ultra']);

interface Sent {
  readonly server: RunningServer;
  readonly send: (line: number, variant?: ExecuteParams['variant']) => Promise<Answered>;
}

interface Answered {
  readonly outcome: ExecuteOutcome;
  readonly response: KeptResponse;
  /** As the editor shows it and compares it. */
  readonly text: string;
}

async function open(t: TestContext, text: string): Promise<Sent> {
  const { server } = await startServerOn(t, local);
  await server.open(FILE, text);
  return {
    server,
    send: async (line, variant) => {
      const params: ExecuteParams = { uri: FILE, version: 1, lines: [line], ...(variant !== undefined && { variant }) };
      const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', params);
      const outcome = result.kind === 'done' ? result.outcomes.at(-1) : undefined;
      assert.ok(outcome?.response !== undefined, JSON.stringify(result));
      const { response } = outcome;
      const name = path.join(server.storage, 'responses', `${response.request}-${response.run}.json`);
      return { outcome, response, text: await readFile(name, 'utf8') };
    },
  };
}

/** A transfer of the wallet; its text is that of a request file. */
async function transaction(): Promise<string> {
  const payer = await createKeyPairSignerFromBytes(decodeBase58(local.ready.wallet.secretKey) ?? new Uint8Array());
  const { json } = await local.rpc('getLatestBlockhash', [{ commitment: 'confirmed' }]);
  const { result } = json as unknown as { readonly result: { readonly value: { readonly blockhash: string } } };
  const { blockhash } = result.value;
  const instructions = [transferInstruction(payer, (await newSigner()).address, 1_000_000n)];
  return Buffer.from(await kitV1({ payer, blockhash, instructions, config: CONFIG })).toString('base64');
}

const OPTIONS = '"encoding": "base64", "preflightCommitment": "confirmed"';
const READ = '"commitment": "confirmed", "maxSupportedTransactionVersion": 1';

test('it is simulated and not sent, then lands, and its block is a table that has its configuration', async (t) => {
  const text = [
    '### Pay\n# @name pay',
    `{ "method": "sendTransaction", "params": ["${await transaction()}", { ${OPTIONS} }] }`,
    '### Status\n# @name status\n# @retry 60 every 100ms while result == null',
    `{ "method": "getTransaction", "params": ["{{pay.result}}", { "encoding": "json", ${READ} }] }`,
    '### Block',
    `{ "method": "getBlock", "params": [{{status.result.slot}}, { "encoding": "json", "rewards": false, ${READ} }] }`,
  ].join('\n');
  const { server, send } = await open(t, text);

  const simulated = await send(0, { kind: 'simulation' });
  assert.equal(simulated.outcome.status, 'passed', simulated.text);
  assert.match(simulated.text, /"err": null/);
  assert.match(simulated.text, /"unitsConsumed": 150/);
  assert.equal(await sendsOf(local), 0);

  const paid = await send(0);
  assert.equal(paid.outcome.status, 'passed', paid.text);
  const landed = await send(3);
  assert.match(landed.text, new RegExp(`"transactionConfig": \\{[^}]*"priorityFee": ${FEE}\\b`));
  assert.equal((await send(3)).text, landed.text, 'two runs of it do not differ');

  const decoded = await server.connection.sendRequest<DecodeAccountsResult>('solanaRpc/decodeAccounts', {
    request: landed.response.request,
    run: landed.response.run,
    from: 0,
    count: 1,
  });
  assert.ok(decoded.kind === 'decoded', decoded.kind);
  assert.equal(decoded.items[0]?.isDecoded, true);
  assert.match(decoded.text, /version: 1\b/i);
  assert.match(decoded.text, /1,501|1501/);

  const block = await send(7);
  const place = { request: block.response.request, run: block.response.run, decode: false };
  const table = await server.connection.sendRequest<TableOpenResult>('solanaRpc/tableOpen', place);
  assert.ok(table.kind === 'table', table.kind);
  assert.deepEqual(table.path, ['result', 'transactions']);
  const columns = table.columns.filter(({ path: own }) => own.join() === FEE_COLUMN.join() || own.join() === 'version');
  assert.deepEqual(
    columns.map(({ isNumber }) => isNumber),
    [true, true],
  );
  const rows = await server.connection.sendRequest<TableRowsResult>('solanaRpc/tableRows', {
    ...place,
    path: table.path,
    view: { sort: { column: FEE_COLUMN, isDescending: true } },
    from: 0,
    count: 1,
    columns: [['version'], FEE_COLUMN],
  });
  assert.ok(rows.kind === 'rows', rows.kind);
  assert.deepEqual(
    rows.rows[0]?.cells.map(({ text: cell }) => cell),
    ['1', String(FEE)],
  );
  const item = await server.connection.sendRequest<TableItemResult>('solanaRpc/tableItem', {
    ...place,
    path: table.path,
    index: rows.rows[0]?.index ?? 0,
  });
  assert.match(item.text, /"transactionConfig"/);
});

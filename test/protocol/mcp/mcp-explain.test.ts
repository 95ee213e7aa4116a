// The tool `explain_transaction` of `solana-rpc mcp`: for a given transaction, and for a landed one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { testWorkspace } from '../../support/process/cli';
import { McpClient } from '../../support/process/mcpClient';

const TRANSACTION = readFileSync(path.join(__dirname, '..', '..', 'corpus', 'valid', 'transfer.b64'), 'utf8').trim();

interface Row {
  readonly response?: { readonly result?: unknown };
}

const work = testWorkspace();
let client: McpClient;
before(async () => {
  client = await McpClient.start({ folder: work.root });
});
after(() => client.close());

describe('explain_transaction', () => {
  test('says of a transaction that has not run what it asks for', async () => {
    type Explained = {
      readonly outcome: object;
      readonly fee: object;
      readonly calls: readonly { readonly path: string; readonly name: string; readonly accounts: readonly string[] }[];
    };
    const { outcome, fee, calls } = await client.structured<Explained>('explain_transaction', {
      transaction: TRANSACTION,
    });
    assert.deepEqual([outcome, fee], [{ kind: 'notExecuted' }, { base: 5_000, priority: 0 }]);
    assert.deepEqual(
      calls.map(({ path, name }) => [path, name]),
      [['1', 'transfer']],
    );
    assert.match(calls[0]?.accounts.join() ?? '', /^source: \w+,destination: \w+$/);
    assert.match(await client.refusal('explain_transaction', { transaction: 'AAAA' }), /is not a transaction/);
    assert.match(await client.refusal('explain_transaction', {}), /either "transaction" or "signature"/);
    assert.match(await client.refusal('explain_transaction', { signature: 'abc' }), /is not a signature/);
  });

  test('explains a landed transaction', async () => {
    assert.match(await client.refusal('explain_transaction', { signature: '1'.repeat(64) }), /not found/);
    const sent = await client.structured<{ readonly requests: readonly Row[] }>('run_file', {
      text: `### Sent
# @name sent
{ "method": "sendTransaction", "params": ["{{$transfer $wallet 1000}}", { "encoding": "base64" }] }

### Landed
# @retry 200 every 50ms while result == null
{ "method": "getTransaction", "params": ["{{sent.result}}", { "commitment": "confirmed" }] }
`,
    });
    const signature = sent.requests[0]?.response?.result;
    const explained = await client.structured<{ readonly outcome: object; readonly fee: object }>(
      'explain_transaction',
      { signature },
    );
    assert.deepEqual(explained.outcome, { kind: 'succeeded' }, JSON.stringify(sent));
    assert.deepEqual(explained.fee, { base: 5_000, total: 5_000, priority: 0 });
  });

  test('simulates a transaction with its accounts before and after, and the age of its blockhash', async () => {
    type Simulated = {
      readonly ok: boolean;
      readonly accountsAfter: readonly string[];
      readonly notes: readonly string[];
    };
    type Explained = { readonly calls: readonly { readonly accounts: readonly string[] }[] };
    const { calls } = await client.structured<Explained>('explain_transaction', { transaction: TRANSACTION });
    const [from = '', to = ''] = (calls[0]?.accounts ?? []).map((account) => account.replace(/^\w+: /, ''));
    const poor = await client.structured<Simulated>('simulate', { transaction: TRANSACTION });
    assert.deepEqual([poor.ok, poor.accountsAfter], [false, []]);
    const funded = await client.structured<{ readonly ok: boolean }>('run_file', {
      text: [from, to]
        .map(
          (address) => `### Fund
{ "method": "requestAirdrop", "params": ["${address}", 1000000000] }

### Funded
# @retry 200 every 50ms while result.value == 0
{ "method": "getBalance", "params": ["${address}", { "commitment": "confirmed" }] }
`,
        )
        .join('\n'),
    });
    assert.ok(funded.ok, JSON.stringify(funded));
    const { ok, accountsAfter, notes } = await client.structured<Simulated>('simulate', { transaction: TRANSACTION });
    assert.ok(ok);
    assert.deepEqual(accountsAfter, [
      `  ${from}`,
      '    balance: 1 SOL → 0.99999 SOL',
      `  ${to}`,
      '    balance: 1 SOL → 1.000005 SOL',
    ]);
    assert.match(notes.join(), /Its blockhash has expired/);
  });
});

// Wallets of keypair files, by `solana-rpc run` against the real local service: who pays and who signs, and that what is
// signed is shown before the question; off this machine and for named wallets. A no sends nothing.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { type CliResult, testWorkspace } from '../../support/process/cli';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { newKeypair } from '../../support/data/keypairs';
import { awayFrom, type Away } from '../../support/wire/away';

const SHOP = encodeBase58(new Uint8Array(32).fill(0x21));
const sponsor = newKeypair();
const owner = newKeypair();

const work = testWorkspace();
let local: Localnet;
let away: Away;

before(async () => {
  local = await startTestLedger(['--plan', 'Ultra']);
  away = await awayFrom(local);
  mkdirSync(path.join(work.root, 'config', 'solana-rpc'), { recursive: true });
  work.write('id.json', JSON.stringify([...(decodeBase58(local.ready.wallet.secretKey) ?? [])]));
  work.write('sponsor.json', sponsor.file);
  work.write('owner.json', owner.file);
  work.write(
    'config/solana-rpc/config.json',
    JSON.stringify({
      endpoints: [
        { name: 'here', rpcUrl: local.ready.rpcUrl, wsUrl: local.ready.wsUrl, auth: { rpc: 'bearer', ws: 'bearer' } },
        { name: 'away', rpcUrl: away.rpcUrl },
      ],
      wallets: { here: path.join(work.root, 'id.json'), away: '~/id.json', sponsor: '~/sponsor.json' },
    }),
  );
  for (const { address } of [sponsor, owner]) {
    const { text } = await local.rpc('requestAirdrop', [address, 1_000_000_000]);
    assert.match(text, /"result":"/);
  }
  for (const { address } of [sponsor, owner])
    while (!(await local.rpc('getBalance', [address, { commitment: 'confirmed' }])).text.includes('1000000000'))
      await local.slots(1);
});
after(async () => {
  await away.close();
  await local.stop();
});

const sent = (members: string, instructions: string): string =>
  `### Pay\n# @name pay\n{ "method": "sendTransaction", "params": [{ "$transaction": { ${members}"instructions": [${instructions}] } }, { "encoding": "base64", "preflightCommitment": "confirmed" }] }\n?? result isString\n`;
const LANDED =
  '### Landed\n# @name landed\n# @retry 100 every 50ms while result == null\n{ "method": "getTransaction", "params": ["{{pay.result}}", { "commitment": "confirmed", "encoding": "json", "maxSupportedTransactionVersion": 1 }] }\n?? result.meta.err isNull\n';
const PAID = `{ "transfer": { "from": "{{$wallet owner}}", "to": "${SHOP}", "lamports": 7000000 } }, { "memo": "thanks" }`;

const env = (): Record<string, string> => ({ SOLANA_RPC_KEY: local.ready.keys.rpc.key });
const run = (endpoint: string, text: string, ...more: string[]): Promise<CliResult> => {
  work.write('pay.jsonrpc', text);
  return work.run(['run', 'pay.jsonrpc', '--endpoint', endpoint, '--json', ...more], {
    env: endpoint === 'away' ? { ALL_PROXY: away.proxy } : env(),
  });
};

interface Row {
  readonly name: string | null;
  readonly status: string;
  readonly error?: { readonly kind: string; readonly message: string; readonly hint?: string };
  readonly response?: { readonly result?: unknown };
}
const rowsOf = ({ stdout }: CliResult): readonly Row[] =>
  (JSON.parse(stdout) as { readonly requests: readonly Row[] }).requests;

/** No key and no path of a keypair file is in what was printed. */
function keepsSecrets({ stdout, stderr }: Pick<CliResult, 'stdout' | 'stderr'>): void {
  for (const { secret, file } of [sponsor, owner])
    for (const text of [secret, file, file.slice(1, 60), 'sponsor.json', 'owner.json'])
      assert.ok(!(stdout + stderr).includes(text), text.slice(0, 12));
}

describe('wallets that a request names', () => {
  test('pay the fee and sign, and what they signed is printed', async () => {
    const ran = await run(
      'here',
      sent('"feePayer": "sponsor", "signers": ["owner"], ', PAID) + LANDED,
      ...['--wallet', 'owner=owner.json', '--yes'],
    );
    assert.equal(ran.code, 0, ran.stdout.slice(0, 2000) + ran.stderr);
    const { transaction, meta } = rowsOf(ran).find(({ name }) => name === 'landed')?.response?.result as {
      readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
      readonly meta: { readonly fee: number };
    };
    assert.equal(transaction.message.accountKeys[0], sponsor.address);
    assert.equal(meta.fee, 15_000);
    const shop = await local.rpc('getBalance', [SHOP, { commitment: 'confirmed' }]);
    assert.match(shop.text, /"value":7000000[,}]/);
    assert.match(ran.stderr, /^Signed for 127\.0\.0\.1:\d+:\n/);
    assert.ok(ran.stderr.includes('7,000,000 lamports (0.007 SOL)'), ran.stderr);
    assert.ok(
      ran.stderr.includes(`wallet "sponsor": ${sponsor.address}\nwallet "owner": ${owner.address}\n`),
      ran.stderr,
    );
    keepsSecrets(ran);
  });

  test('sign nothing where nobody can be asked', async () => {
    const ran = await run('here', sent('"feePayer": "sponsor", ', '{ "memo": "quiet" }'));
    assert.equal(ran.code, 1, ran.stderr);
    assert.equal(rowsOf(ran)[0]?.error?.kind, 'confirmation', ran.stdout);
    keepsSecrets(ran);
  });

  test('are named by the user, never by the file', async () => {
    const unnamed = await run('here', sent('"feePayer": "owner", ', '{ "memo": "x" }'), '--yes');
    assert.match(rowsOf(unnamed)[0]?.error?.message ?? '', /^There is no wallet "owner"\.$/);
    assert.match(rowsOf(unnamed)[0]?.error?.hint ?? '', /--wallet owner=FILE/);
    const byPath = await run('here', sent('"feePayer": "./owner.json", ', '{ "memo": "x" }'), '--yes');
    assert.match(rowsOf(byPath)[0]?.error?.message ?? '', /feePayer: A wallet goes by its name/);
  });
});

describe('off this machine', () => {
  const PAY = sent('', `{ "transfer": { "to": "${SHOP}", "lamports": 1234567 } }`);
  const terminal = (text: string) => {
    work.write('pay.jsonrpc', text);
    return work.terminal(['run', 'pay.jsonrpc', '--endpoint', 'away'], {
      env: { ALL_PROXY: away.proxy },
      columns: 200,
    });
  };

  test('what will be signed is shown decoded, then the question; a no sends nothing', async () => {
    const before = away.methods.length;
    const shown = terminal(PAY);
    const question = await shown.shows(`Sign a transaction for ${away.host}? [y/N]`);
    const screen = shown.screen.slice(0, question);
    for (const text of ['System Program: transfer', '1,234,567 lamports (0.001234567 SOL)', SHOP])
      assert.ok(screen.includes(text), `${text}\n${screen}`);
    shown.type('n\r');
    assert.equal(await shown.ended(), 1);
    assert.match(shown.screen, /The transaction was not signed/);
    assert.deepEqual(away.methods.slice(before), []);
  });

  const TRANSFER = `### Pay\n{ "method": "sendTransaction", "params": ["{{$transfer ${SHOP} 7654321}}", { "encoding": "base64" }] }\n`;
  for (const [what, text] of [
    ['$transaction', PAY],
    ['{{$transfer}}', TRANSFER],
  ] as const)
    test(`a question that stays open while blockhashes grow too old does not harm ${what}`, async () => {
      const shown = terminal(text);
      await shown.shows('[y/N]');
      await local.slots(320);
      shown.type('y\r');
      assert.equal(await shown.ended(), 0, shown.screen);
    });

  test('a yes signs and sends it', async () => {
    const before = away.methods.length;
    const shown = terminal(PAY);
    await shown.shows('[y/N]');
    shown.type('y\r');
    assert.equal(await shown.ended(), 0, shown.screen);
    assert.deepEqual(away.methods.slice(before), ['getLatestBlockhash', 'sendTransaction']);
  });

  test('{{$transfer}} is shown and asked for, too', async () => {
    const before = away.methods.length;
    const shown = terminal(TRANSFER);
    const question = await shown.shows(`Sign a transaction for ${away.host}? [y/N]`);
    assert.ok(shown.screen.slice(0, question).includes('7,654,321 lamports'), shown.screen);
    shown.type('\r');
    assert.equal(await shown.ended(), 1);
    assert.ok(!away.methods.slice(before).includes('sendTransaction'));
  });
});

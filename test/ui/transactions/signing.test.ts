// Signing for another machine, as a person meets it: the question shows the decoded transaction before anything is
// signed; a no sends nothing, a yes sends it once. The endpoint is a name that only a proxy on loopback knows.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { newKeypair } from '../../support/data/keypairs';
import { openEditor, type Editor } from '../../support/editor/editor';
import { Workspace } from '../../support/process/cli';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { awayFrom, type Away } from '../../support/wire/away';

const SHOP = encodeBase58(new Uint8Array(32).fill(0x21));
const FILE = 'away.jsonrpc';
const NAMED = 'named.jsonrpc';
const paying = (members: string): string =>
  `### Pay\n# @name pay\n{ "method": "sendTransaction", "params": [{ "$transaction": { ${members}"instructions": [{ "transfer": { "to": "${SHOP}", "lamports": 1234567 } }] } }, { "encoding": "base64", "preflightCommitment": "confirmed" }] }\n?? result isString\n`;

describe('a signature for another machine', () => {
  const keys = new Workspace();
  const sponsor = newKeypair();
  let local: Localnet;
  let away: Away;
  let editor: Editor;
  before(async () => {
    local = await startTestLedger(['--plan', 'Ultra']);
    away = await awayFrom(local);
    keys.write('id.json', JSON.stringify([...(decodeBase58(local.ready.wallet.secretKey) ?? [])]));
    keys.write('sponsor.json', sponsor.file);
    await local.rpc('requestAirdrop', [sponsor.address, 1_000_000_000]);
    editor = await openEditor({
      files: { [FILE]: paying(''), [NAMED]: paying('"feePayer": "sponsor", ') },
      settings: {
        'http.proxy': away.proxy,
        'solanaRpc.endpoints': [{ name: 'away', rpcUrl: away.rpcUrl, auth: { rpc: 'none' } }],
        'solanaRpc.endpoint': 'away',
        'solanaRpc.wallets': {
          away: path.join(keys.root, 'id.json'),
          sponsor: path.join(keys.root, 'sponsor.json'),
        },
      },
    });
  });
  after(async () => {
    await editor?.close();
    await away?.close();
    await local?.stop();
    keys.dispose();
  });

  test('shows what will be signed, decoded, and a no sends nothing', async () => {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.lensAction('Send').click();
    const question = workbench.dialog('Sign this transaction?');
    await question.waitFor();
    const text = (await question.innerText()).replace(/\u00a0/g, ' ');
    for (const shown of [
      'System Program: transfer',
      '1,234,567 lamports',
      SHOP,
      `Sign a transaction for ${away.host}?`,
    ])
      assert.ok(text.includes(shown), `${shown}\n${text}`);
    assert.equal(away.methods.length, 0);
    await workbench.pictures('signing-away');
    await question.getByRole('button', { name: 'Cancel', exact: true }).click();
    await workbench.runCommand('View: Focus Problems');
    await workbench.page.getByText('The transaction was not signed.', { exact: true }).first().waitFor();
    assert.ok(!away.methods.some((method) => method === 'sendTransaction'));
    await workbench.screenshot('signing-refused');
  });

  test('a yes signs it and sends it once', async () => {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.lensAction('Send').click();
    const question = workbench.dialog('Sign this transaction?');
    await question.getByRole('button', { name: 'Sign', exact: true }).click();
    await workbench.lens(/^✓ /).first().waitFor();
    assert.equal(away.methods.filter((method) => method === 'sendTransaction').length, 1);
    await workbench.closeEditors();
  });

  test('a wallet that the request names is named in the question', async () => {
    const { workbench } = editor;
    await workbench.openFile(NAMED);
    await workbench.lensAction('Send').click();
    const question = workbench.dialog('Sign this transaction?');
    await question.waitFor();
    const text = (await question.innerText()).replace(/\u00a0/g, ' ');
    assert.ok(text.includes(`wallet "sponsor": ${sponsor.address}`), text);
    await workbench.screenshot('signing-named');
    await question.getByRole('button', { name: 'Sign', exact: true }).click();
    await workbench.lens(/^✓ /).first().waitFor();
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});

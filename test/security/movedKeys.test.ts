// Keys written in request files, in the real editor: each is marked, moves to secret storage by its quick fix, and goes
// out from there as the file had written it, to that host alone. Nothing else keeps it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor/editor';
import { takeQuickFix } from '../support/editor/quickFix';
import { escaped } from '../support/editor/wholeText';
import { statusSays } from '../support/editor/statusMessages';
import { DUMP_STORAGE } from '../support/editor/storage';
import { assertNoLeak, filesWith } from '../support/process/leaks';
import { startDoubles, type Doubles, type Form } from '../support/wire/providers';

interface Written {
  readonly where: string;
  readonly host: string;
  readonly key: string;
  /** The request line and its headers, before and after the move. */
  readonly text: string;
  readonly moved: string;
  readonly form: Pick<Form, 'path' | 'headers'>;
}

const ALCHEMY = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';
const PATH = '7b1c2d3e-4f5a-6b7c-8d9e-0f1a2b3c4d5e';
const QUERY = '91ab72cd53ef34a015b6c7d8e9f00112';
const HEADER = '0a9b8c7d6e5f40312233445566778899';
const SECRETS = [ALCHEMY, PATH, QUERY, HEADER];

const WRITTEN: readonly Written[] = [
  {
    where: 'the path of a provider’s URL',
    host: 'solana-mainnet.g.alchemy.com',
    key: ALCHEMY,
    text: `POST https://solana-mainnet.g.alchemy.com/v2/${ALCHEMY}`,
    moved: 'POST https://solana-mainnet.g.alchemy.com/v2/{key}',
    form: { path: `/v2/${ALCHEMY}` },
  },
  {
    where: 'the path of a URL of nobody known',
    host: 'rpc.path.test',
    key: PATH,
    text: `POST https://rpc.path.test/sol/${PATH}/main?region=eu`,
    moved: 'POST https://rpc.path.test/sol/{key}/main?region=eu',
    form: { path: `/sol/${PATH}/main?region=eu` },
  },
  {
    where: 'a parameter of a URL of nobody known',
    host: 'rpc.query.test',
    key: QUERY,
    text: `POST https://rpc.query.test/sol?token=${QUERY}`,
    moved: 'POST https://rpc.query.test/sol',
    form: { path: `/sol?token=${QUERY}` },
  },
  {
    where: 'a custom header',
    host: 'rpc.header.test',
    key: HEADER,
    text: `POST https://rpc.header.test/sol\nX-API-Key: ${HEADER}`,
    moved: 'POST https://rpc.header.test/sol',
    form: { path: '/sol', headers: { 'x-api-key': HEADER } },
  },
];
const FORMS = WRITTEN.map(({ host, form }): Form => ({ kind: 'http', host, ...form }));
const nameOf = (at: number): string => `moved${at}.jsonrpc`;
const fileOf = (at: number, lines: string): string =>
  `### Slot\n# @name slot${at}\n${lines}\n\n{ "method": "getSlot" }\n?? result == 1\n`;

/** The window without the last words for a screen reader: the editor reads out the line in which a problem is. */
const DRAWN = `(() => {
  const copy = document.documentElement.cloneNode(true);
  for (const said of copy.querySelectorAll('.monaco-aria-container')) said.remove();
  return copy.outerHTML;
})()`;

describe('a key in a request file', () => {
  let doubles: Doubles;
  let editor: Editor;

  before(async () => {
    doubles = await startDoubles(WRITTEN.map(({ host }) => host));
    doubles.serve(FORMS, { status: 401, body: '{"error":"unauthorized","got":{got}}' });
    const { HTTPS_PROXY = '', NODE_EXTRA_CA_CERTS = '' } = doubles.env;
    editor = await openEditor({
      files: Object.fromEntries(WRITTEN.map(({ text }, at) => [nameOf(at), fileOf(at, text)])),
      settings: { 'http.proxy': HTTPS_PROXY, 'solanaRpc.trace.server': 'verbose', 'files.autoSave': 'off' },
      env: { NODE_EXTRA_CA_CERTS },
    });
  });
  after(async () => {
    await editor?.close();
    await doubles?.close();
  });

  for (const [at, { where, host, moved }] of WRITTEN.entries())
    test(`in ${where} is an error; once moved it is sent as it was written, and is in no other place`, async () => {
      const { workbench } = editor;
      const { page } = workbench;
      const seen = doubles.seen.length;
      await workbench.openFile(nameOf(at));
      await workbench.lens('Send').first().waitFor();
      await workbench.runCommand('Go to Next Problem (Error, Warning, Info)');
      await page
        .getByText(/^This file contains a key\./)
        .first()
        .waitFor();
      if (at === 1) await workbench.screenshot('key-in-path');
      await page.keyboard.press('Escape');
      await takeQuickFix(workbench, 'Move the key to secret storage');
      await workbench.quickInput.title('A label for this key').waitFor();
      await statusSays(workbench, new RegExp(`The key is in secret storage, for ${escaped(host)} only\\.`), () =>
        workbench.quickInput.input.press('Enter'),
      );
      assert.equal((await workbench.visibleText(nameOf(at))).trimEnd(), fileOf(at, moved).trimEnd());
      assert.equal(doubles.seen.length, seen, 'nothing is asked before it is sent');
      await workbench.runCommand('File: Save');
      await workbench.runCommandIn(nameOf(at), 'Solana RPC: Send Request');
      await workbench.waitForText(`slot${at}.json`, /"result": 1/);
      const asked = doubles.seen.slice(seen).map((one) => `${one.host} ${one.accepted}`);
      assert.deepEqual(asked, [`${host} true`]);
    });

  test('is on no screen afterwards, in no file, and in the window’s storage only sealed', async () => {
    const { workbench, workspace, profileFolder } = editor;
    assertNoLeak(String(await workbench.page.evaluate(DRAWN)), SECRETS, 'the window');
    assert.deepEqual(filesWith(workspace, SECRETS), []);
    // The editor keeps what a user's file was before it was saved.
    const left = filesWith(profileFolder, SECRETS).filter((file) => !/\/(?:User\/History|Backups)\//.test(file));
    assert.deepEqual(left, []);
    const stored = String(await workbench.page.evaluate(DUMP_STORAGE));
    assertNoLeak(stored, SECRETS, 'the window’s storage');
  });
});

// Responses as a person meets them: compared with the one before, marked where they failed, browsed and searched when they
// are large, found again in the history. Every state leaves its picture.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { idIn, writeAccounts } from '../support/data/accounts';
import { openEditor, type Editor } from '../support/editor/editor';
import { colorOf, contrast } from '../support/editor/contrast';
import { httpServer, type Hostile } from '../support/wire/hostile';

const PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const request = (name: string, body: object): string => `### ${name}\n# @name ${name}\n${JSON.stringify(body)}\n`;
const FILES = {
  'slot.jsonrpc': request('slot', { method: 'getSlot' }),
  'big.jsonrpc': request('big', { method: 'getProgramAccounts', params: [PROGRAM, { commitment: 'finalized' }] }),
  'preflight.jsonrpc': request('preflight', { method: 'getFeeForMessage', params: ['AA=='] }),
};
/** Above the bound of 8 MB. */
const BIG = 24_000;

const PREFLIGHT = {
  code: -32002,
  message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
  data: {
    err: { InstructionError: [0, { Custom: 1 }] },
    logs: [
      'Program 11111111111111111111111111111111 invoke [1]',
      'Program 11111111111111111111111111111111 success',
      'Program 11111111111111111111111111111111 invoke [1]',
      'Transfer: insufficient lamports 5, need 10',
      'Program 11111111111111111111111111111111 failed: custom program error: 0x1',
    ],
    unitsConsumed: 150,
  },
};

describe('responses', () => {
  let service: Hostile;
  let editor: Editor;
  let slot = 1_000;
  /** Delays a large response after its first accounts. */
  let held: Promise<void> = Promise.resolve();

  before(async () => {
    service = await httpServer(async ({ body }, response) => {
      const id = idIn(body);
      const answer = (what: string): void => void response.end(`{"jsonrpc":"2.0",${what},"id":${id}}`);
      response.setHeader('content-type', 'application/json');
      if (body.includes('finalized')) await writeAccounts(response, BIG, id, { wait: () => held, after: 46 });
      else if (body.includes('getFeeForMessage')) answer(`"error":${JSON.stringify(PREFLIGHT)}`);
      else answer(`"result":${slot++}`);
    });
    editor = await openEditor({
      files: FILES,
      settings: {
        'solanaRpc.endpoints': [{ name: 'test', rpcUrl: service.origin, auth: { rpc: 'none' } }],
        'solanaRpc.endpoint': 'test',
      },
    });
  });
  after(async () => {
    await editor.close();
    await service.close();
  });

  async function send(file: string): Promise<void> {
    await editor.workbench.runCommandIn(file, 'Solana RPC: Send Request');
  }

  /** A large response in its viewer, of which the first accounts are here; `go` lets the rest come. */
  async function receiving() {
    let go = (): void => undefined;
    held = new Promise((resolve) => (go = resolve));
    await send('big.jsonrpc');
    const viewer = editor.workbench.webview();
    await viewer
      .getByText(/^Receiving: /)
      .first()
      .waitFor();
    return { viewer, go };
  }

  test('the history says in one sentence what it is for while it is empty', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.page.getByText(/^Responses of requests that you send are kept here/).waitFor();
    await workbench.screenshot('history-empty');
  });

  test('two responses of one request are compared', async () => {
    const { workbench } = editor;
    await send('slot.jsonrpc');
    await workbench.waitForText('slot.json', '"result": 1000');
    await workbench.titleAction('slot.json', 'Save Response…');
    assert.equal(await workbench.page.getByRole('button', { name: /^Diff with Previous Response/ }).count(), 0);
    // A file is opened in the active group, and that is the response's by now.
    await workbench.tab('slot.jsonrpc').click();
    await send('slot.jsonrpc');
    await workbench.waitForText('slot.json', '"result": 1001');
    await (await workbench.titleAction('slot.json', 'Diff with Previous Response')).click();
    await workbench.tab(/^slot: .* ↔ /).waitFor();
    await workbench.page.locator('.monaco-diff-editor').getByText('1000', { exact: true }).first().waitFor();
    await editor.workbench.pictures('response-diff');
    await workbench.closeEditors();
  });

  test('a response leaves the focus in the second editor of its request', async () => {
    const { workbench } = editor;
    const groups = workbench.page.locator('.editor-group-container');
    await workbench.openFile('slot.jsonrpc');
    await workbench.lensAction('Send').waitFor();
    await workbench.runCommand('View: Split Editor Right');
    await workbench.lensAction('Send').nth(1).click();
    await workbench.tab(/^slot\.json(?!rpc)/).waitFor();
    await workbench.until('the editor at the right has the focus', async () => {
      const boxes = await Promise.all((await groups.all()).map((group) => group.boundingBox()));
      const active = await workbench.page.locator('.editor-group-container.active').boundingBox();
      assert.equal(boxes.length, 3);
      return active !== null && boxes.every((box) => box === null || box.x <= active.x) ? true : undefined;
    });
    await workbench.screenshot('response-split');
    await workbench.closeEditors();
  });

  test('the log of a failure is marked where it failed', async () => {
    const { workbench } = editor;
    await send('preflight.jsonrpc');
    await workbench.waitForText('preflight.json', 'insufficient lamports');
    await workbench.lens(/^✗ /).first().waitFor();
    await editor.workbench.pictures('response-preflight');
    const ended = workbench.editor('preflight.json').locator('span', { hasText: /^"Program\s1+\ssuccess"/ });
    const ground = workbench.editor('preflight.json').locator('.monaco-editor-background').first();
    // At least as much as WCAG asks of words.
    for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as const) {
      await workbench.setTheme(theme);
      const [front, back] = [await colorOf(ended.first(), 'color'), await colorOf(ground, 'backgroundColor')];
      assert.ok(contrast(front, back) >= 4.5, `${theme}: ${front} on ${back}`);
    }
    await workbench.closeEditors();
  });

  test('a large response is paged, searched and opened in full when it is here', async () => {
    const { workbench } = editor;
    const { viewer, go } = await receiving();
    go();
    await viewer.getByText(/^24,000 items · /).waitFor();
    await viewer.getByRole('searchbox').fill('Account23456');
    await viewer.getByRole('heading', { name: 'Item 23456', exact: true }).waitFor();
    await editor.workbench.pictures('response-browsed');
    await viewer.getByRole('button', { name: 'Table', exact: true }).click();
    await workbench.tab('big: table').waitFor();
    await workbench.closeEditors();
    await workbench.openContainer('Solana RPC');
    await workbench.clickFor(workbench.treeItem('History', /^big, passed/), workbench.tab('big.json'));
    await workbench.waitForText('big.json', '"pubkey": "Account0"');
    await workbench.titleAction('big.json', 'Browse All of Response');
    await workbench.screenshot('response-head');
    await workbench.closeEditors();
  });

  test('a large response that comes in is cancelled in its viewer, which then says that it is not whole and why', async () => {
    const { workbench } = editor;
    const { viewer, go } = await receiving();
    await viewer.getByRole('option').first().waitFor();
    await workbench.pictures('response-receiving');
    // The service holds the rest back: only the button can end this.
    await viewer.getByRole('button', { name: 'Cancel', exact: true }).click();
    await viewer
      .getByText(/^This response is incomplete: .*cancelled/)
      .locator('visible=true')
      .first()
      .waitFor();
    await viewer.getByRole('progressbar').waitFor({ state: 'hidden' });
    await workbench.lensAction('Send').waitFor();
    await workbench.pictures('response-cancelled');
    go();
    await workbench.openContainer('Solana RPC');
    await workbench.treeItem('History', /^big, failed/).waitFor();
    // The viewer says it all: no document opened next to it to repeat it.
    await workbench.tab(/^big/).nth(1).waitFor();
    assert.equal(await workbench.tab(/^big/).count(), 2);
    await workbench.closeEditors();
  });

  test('the history keeps every response by day and file, and opens one with a click', async () => {
    const { workbench } = editor;
    // High enough for every row: a tree draws those in view alone.
    await workbench.page.setViewportSize({ width: 1280, height: 1300 });
    await workbench.runCommand('Solana RPC: Show History');
    await workbench.treeItem('History', /^Today, \d+ responses/).waitFor();
    await workbench
      .treeItem('History', /^slot, passed/)
      .last()
      .click();
    await workbench.waitForText('slot.json', '"result": 1000');
    await editor.workbench.pictures('history');
    const icon = workbench
      .treeItem('History', /^slot, passed/)
      .last()
      .locator('.codicon-pass');
    const bar = workbench.page.locator('[id="workbench.parts.sidebar"]');
    // At least the contrast that WCAG requires of graphics with a meaning.
    for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as const) {
      await workbench.setTheme(theme);
      const [front, ground] = [await colorOf(icon, 'color'), await colorOf(bar, 'backgroundColor')];
      assert.ok(contrast(front, ground) >= 3, `${theme}: ${front} on ${ground}`);
    }
    await workbench.setSideBarWidth(220);
    await workbench.screenshot('history-220px');
    await workbench.setSideBarWidth(300);
  });

  test('two responses chosen in the history are compared', async () => {
    const { workbench } = editor;
    const runs = workbench.treeItem('History', /^slot, passed/);
    const selected = workbench.page.locator('[aria-selected=true]');
    await workbench.until('both are selected', async () => {
      await runs.first().click();
      await workbench.waitForText('slot.json', /"result": \d+/);
      await runs.last().click({ modifiers: ['ControlOrMeta'] });
      return (await workbench.comes(runs.first().and(selected))) && (await workbench.comes(runs.last().and(selected)));
    });
    await workbench.chooseFromMenu(runs.last(), 'Compare Selected Responses');
    await workbench.tab(/^slot: .* ↔ /).waitFor();
    await workbench.page.locator('.monaco-diff-editor').getByText('1000', { exact: true }).first().waitFor();
    await editor.workbench.pictures('history-compared');
    await workbench.closeEditors();
  });

  test('the history is removed from the disk after a question', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Clear History');
    const question = workbench.dialog(/^Remove all \d+ kept responses\?/);
    await question.waitFor();
    await workbench.screenshot('history-clear');
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    await workbench.page.getByText(/^Responses of requests that you send are kept here/).waitFor();
    const left = await readdir(editor.profileFolder, { recursive: true });
    assert.deepEqual(
      left.filter((name) => /responses[\\/][0-9a-f]+-\d+\./.test(name)),
      [],
    );
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});

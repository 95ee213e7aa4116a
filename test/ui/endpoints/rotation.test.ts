// A key is rotated while streams that use it are watched, over gRPC and over WebSockets: the panels continue with the new
// key, and over gRPC no update is missing.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { openEditor, type Editor, testEditor } from '../../support/editor/editor';
import { statusSays } from '../../support/editor/statusMessages';
import { prepare } from '../../support/shared';

const SLOTS = '### Every slot\nGRPC geyser.Geyser/Subscribe\n{ "slots": { "all": { "filterByCommitment": true } } }\n';

interface Row {
  readonly slot?: { readonly slot: string };
  readonly gap?: { readonly isFilled: boolean };
}

describe('a key that is rotated while a stream runs with it', () => {
  const editor = testEditor({ files: { 'slots.jsonrpc': SLOTS }, size: { width: 1500, height: 850 } });
  let panel: FrameLocator;
  prepare(async () => {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', /^local, active$/).waitFor();
    await workbench.openFile('slots.jsonrpc');
    await workbench.lensAction('Watch').click();
    await workbench.tab('Every slot').waitFor();
    panel = workbench.webview();
    await panel.locator('.state-words', { hasText: /^Live$/ }).waitFor();
    await panel.getByRole('option').nth(2).waitFor();
  });

  test('leaves the stream live, and says that it moved and missed nothing', async () => {
    const { workbench } = editor;
    await workbench.runCommandAndPick('Solana RPC: Rotate Key', /^key gRPC key/);
    const question = workbench.dialog(/^Rotate the gRPC key “default” \(id .+\) of local\?/);
    assert.match(await question.innerText(), /\bEvery\sslot\b/);
    await workbench.screenshot('rotate-question');
    await statusSays(workbench, /Rotated; 1 stream moved, 0 updates missed\./, () =>
      question.getByRole('button', { name: 'Rotate', exact: true }).click(),
    );
    await workbench.screenshot('rotated-with-a-stream');
    await panel.locator('.state-words', { hasText: /^Live$/ }).waitFor();
    await workbench.treeItem('Streams', /^Every slot, Live/).waitFor();
  });

  test('leaves the panel at its place: the rows of before are there, and newer ones come', async () => {
    const last = Number(await panel.getByRole('option').last().getAttribute('aria-posinset'));
    await editor.workbench.until('newer rows are shown', async () => {
      const position = Number(await panel.getByRole('option').last().getAttribute('aria-posinset'));
      return position > last + 3 ? position : undefined;
    });
    await editor.workbench.screenshot('rotated-goes-on');
  });

  test('leaves no gap: what the stream kept is every slot in its order', async () => {
    const { workbench } = editor;
    await panel.getByRole('button', { name: 'Export…', exact: true }).click();
    await panel.getByRole('button', { name: 'Choose File…', exact: true }).click();
    await workbench.quickInput.title('Export stream').waitFor();
    await workbench.quickInput.accept(path.join(editor.workspace, 'Every-slot.ndjson'));
    await panel.getByText(/^Written to .*: [\d,]+ rows/).waitFor();
    const lines = (await readFile(path.join(editor.workspace, 'Every-slot.ndjson'), 'utf8')).trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as Row);
    // The local service drops the old key at once, so a row may report a new connection and a replay.
    assert.ok(rows.every(({ gap }) => gap?.isFilled !== false));
    const slots = rows.flatMap(({ slot }) => slot?.slot ?? []).map(Number);
    assert.ok(slots.length > 5, lines[0]);
    assert.deepEqual(
      slots,
      slots.map((_, at) => (slots[0] ?? 0) + at),
    );
  });
});

describe('a key that is rotated while streams of WebSockets run with it', () => {
  let editor: Editor;
  prepare(async () => {
    const files = {
      'slots.jsonrpc': '### Slots\n{ "method": "slotSubscribe" }\n',
      'roots.jsonrpc': '### Roots\n{ "method": "rootSubscribe" }\n',
    };
    editor = await openEditor({ files, size: { width: 1500, height: 850 } });
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', /^local, active$/).waitFor();
    for (const [file, title] of [
      ['slots.jsonrpc', 'Slots'],
      ['roots.jsonrpc', 'Roots'],
    ] as const) {
      await workbench.openFile(file);
      await workbench.lensAction('Watch').click();
      await workbench.treeItem('Streams', new RegExp(`^${title}, Live`)).waitFor();
    }
  });
  after(() => editor.close());

  test('leaves every one of them live, and says how many moved', async () => {
    const { workbench } = editor;
    await workbench.tab('Slots').last().click();
    const panel = workbench.webview();
    await panel.getByRole('option').nth(2).waitFor();
    const place = async () => Number(await panel.getByRole('option').last().getAttribute('aria-posinset'));
    const last = await place();
    await workbench.runCommandAndPick('Solana RPC: Rotate Key', /^(?!.*(SWQoS|gRPC)).*RPC key/);
    const question = workbench.dialog(/^Rotate the RPC key “default” \(id .+\) of local\?/);
    await statusSays(workbench, /Rotated; 2 streams moved/, () =>
      question.getByRole('button', { name: 'Rotate', exact: true }).click(),
    );
    await workbench.pictures('rotated-with-websockets');
    for (const title of ['Slots', 'Roots'])
      await workbench.treeItem('Streams', new RegExp(`^${title}, Live`)).waitFor();
    await panel.locator('.state-words', { hasText: /^Live$/ }).waitFor();
    await workbench.until('newer rows are shown', async () => ((await place()) > last + 3 ? true : undefined));
    await workbench.screenshot('rotated-with-websockets-goes-on');
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});

// P10 in a real editor with the packaged extension: a panel at 50,000 updates a second for a minute while a person types in
// a request file. Prints what was seen as JSON and leaves pictures in out/screenshots; bench/panelEditor.ts reads it. Run by
// tsx, after bench/run.mjs has built the load generator.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { openEditor, type Editor } from '../../test/support/editor/editor';
import { counterOf } from '../../test/support/editor/floodedPanel';
import { ATTEMPT_MS, inTime } from '../../test/support/editor/patience';
import { wholeText } from '../../test/support/editor/wholeText';
import type { Theme } from '../../test/support/editor/workbench';
import { requestFile } from '../requests';
import { streamLoad } from '../streams/load';

const PACE = 50_000;
const LAST_MS = 60_000;
const LETTER_MS = 250;
const OPENING_MS = 10_000;
const FILE = 'typed.jsonrpc';
const STREAM = 'stream.jsonrpc';
const BLOCK = '### Accounts\nGRPC geyser.Geyser/Subscribe\n{ "accounts": { "all": {} } }\n';
const THEMES: readonly Theme[] = ['light', 'highContrast', 'dark'];

export interface EditorSeen {
  /** Updates sent, and what the panel says at the end. */
  readonly sent: number;
  readonly counted: number;
  readonly dropped: number;
  readonly lastedMs: number;
  /** Messages to the page for each second. */
  readonly messages: number;
  /** Different texts that the last row had when looked at, and how often it was. */
  readonly changes: number;
  readonly looks: number;
  /** How long each list of completions took to appear, in milliseconds. */
  readonly completions: readonly number[];
  /** Resident bytes of the language server once its ring was full, and at the most; absent if the system does not report them. */
  readonly memory?: { readonly before: number; readonly most: number };
}

/** Resident bytes of the language server that runs from this folder. */
function residentBytes(folder: string): number | undefined {
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const command = procFile(pid, 'cmdline');
      if (!command.includes(folder) || !command.includes('server.js')) continue;
      return Number(/VmRSS:\s+(\d+)/.exec(procFile(pid, 'status'))?.[1]) * 1024;
    }
  } catch {
    // Another system.
  }
  return undefined;
}

function procFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

/** In the panel's page: counts its messages. */
const COUNT_MESSAGES = `(() => {
  window.received = 0;
  window.addEventListener('message', () => window.received++);
})()`;
/** Everything that was to be drawn is. */
const DRAWN =
  'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(drawn))))';

const numberIn = async (value: Locator): Promise<number> =>
  Number(((await value.textContent()) ?? '').replace(/\D/g, ''));

async function see({ workbench, profileFolder }: Editor, load: Awaited<ReturnType<typeof streamLoad>>) {
  // Pictures ask for calm; what is measured here is the panel in motion.
  await workbench.page.emulateMedia({ reducedMotion: 'no-preference' });
  await workbench.openFile(STREAM);
  // Lenses are redrawn while the server starts: a click may hit a disappearing lens, without effect. After an
  // effective click the panel has time to open before another one.
  const isOpen = workbench.tab('Accounts');
  await workbench.until('the stream opens', async () => {
    if ((await isOpen.count()) > 0) return true;
    const isPressed = await inTime(workbench.lensAction('Watch').click({ timeout: ATTEMPT_MS }));
    return isPressed && (await inTime(isOpen.waitFor({ timeout: OPENING_MS }))) ? true : undefined;
  });
  const panel = workbench.webview();
  await panel.locator('.state-words', { hasText: /^Live$/ }).waitFor();
  const rows = panel.getByRole('option');
  await rows.nth(3).waitFor();
  const counter = (label: string): Locator => counterOf(workbench, label);
  const page = panel.locator('body');
  await workbench.openFile(FILE);
  const code = workbench.editor(FILE);
  await code
    .locator('.view-line', { hasText: /^###\sRequest/ })
    .first()
    .click();
  await workbench.page.keyboard.press('End');
  const before = residentBytes(profileFolder);
  const completions: number[] = [];
  const texts = new Set<string>();
  let [most, looks] = [before ?? 0, 0];
  await page.evaluate(COUNT_MESSAGES);
  const since = performance.now();
  while (performance.now() - since < LAST_MS) {
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.type('{ "method": "getB', { delay: 20 });
    const typed = performance.now();
    await workbench.page.keyboard.press('Control+Space');
    await workbench.page
      .locator('.suggest-widget')
      .getByRole('option', { name: /^getBalance/ })
      .first()
      .waitFor();
    completions.push(performance.now() - typed);
    await workbench.page.keyboard.press('Escape');
    await workbench.page.keyboard.press('Control+Shift+K');
    await workbench.page.keyboard.press('ArrowUp');
    await workbench.page.keyboard.press('End');
    texts.add((await rows.last().textContent()) ?? '');
    looks++;
    most = Math.max(most, residentBytes(profileFolder) ?? 0);
    await workbench.page.waitForTimeout(LETTER_MS);
  }
  const lastedMs = performance.now() - since;
  const messages = (Number(await page.evaluate('window.received')) / lastedMs) * 1_000;
  const pictures = async (name: string): Promise<void> => {
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      await page.evaluate(DRAWN);
      await workbench.screenshot(`stream-50000-${name}-${theme}`);
    }
  };
  await pictures('live');
  const { updates: sent } = await load.hold();
  const total = sent.toLocaleString('en');
  await counter('Updates')
    .filter({ hasText: wholeText(total) })
    .waitFor();
  const seen: EditorSeen = {
    sent,
    counted: await numberIn(counter('Updates')),
    dropped: await numberIn(counter('Dropped')),
    lastedMs,
    messages,
    changes: texts.size,
    looks,
    completions,
    ...(before !== undefined && { memory: { before, most } }),
  };
  await pictures('held');
  return seen;
}

async function main(): Promise<void> {
  const load = await streamLoad(path.join(__dirname, '..', '..', 'out'), PACE);
  try {
    const profile = { name: 'load', grpcUrl: `http://127.0.0.1:${load.ports.grpc}`, auth: { grpc: 'none' } };
    const editor = await openEditor({
      files: { [STREAM]: BLOCK, [FILE]: requestFile(200, true) },
      size: { width: 1600, height: 900 },
      settings: { 'solanaRpc.endpoints': [profile], 'solanaRpc.endpoint': 'load' },
    });
    try {
      process.stdout.write(JSON.stringify(await see(editor, load)));
    } catch (error) {
      await editor.workbench.screenshot('stream-50000-failed');
      throw error;
    } finally {
      await editor.close();
    }
  } finally {
    await load.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);

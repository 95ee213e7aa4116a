// Shows the editor's workbench in a headless Chromium that can reach loopback and nothing else.
import { chromium } from 'playwright-core';

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** The workbench seals secrets with a key it asks of its server; a constant one lets them outlive a reload. */
const SEALING_KEY = Buffer.alloc(32, 7);

/**
 * @param {import('./install.mjs').Editor} editor
 * @param {{ headless?: boolean }} [options]
 */
export function launchBrowser(editor, { headless = true } = {}) {
  return chromium.launch({ executablePath: editor.browser, headless, args: FLAGS });
}

/**
 * A browser context that the workbench can live in: one per window whose secrets must survive a reload.
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function workbenchContext(browser, options = {}) {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 }, ...options });
  await context.route('**/mint-key', (route) => route.fulfill({ body: SEALING_KEY }));
  return context;
}

/**
 * The workbench's address for a folder (or a `.code-workspace` file) and an extension under development.
 * @param {string} origin of the server
 * @param {{ folder?: string, workspace?: string, payload?: Readonly<Record<string, string>> }} options
 */
export function workbenchUrl(origin, { folder, workspace, payload = {} }) {
  const url = new URL(origin);
  if (folder !== undefined) url.searchParams.set('folder', folder);
  if (workspace !== undefined) url.searchParams.set('workspace', workspace);
  url.searchParams.set('payload', JSON.stringify(Object.entries({ skipWelcome: 'true', ...payload })));
  return url.href;
}

/**
 * A file of this machine as the workbench names it.
 * @param {string} origin
 * @param {string} file absolute
 */
export const remoteUri = (origin, file) => `vscode-remote://${new URL(origin).host}${file.replaceAll('\\', '/')}`;

// One page of a panel alone in Chromium, with a stand-in for the extension that speaks the real messages. The page is the
// built bundle under the real policy; requests for anything else are noted and refused.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { pageHtml } from '../../../client/shared/html';
import type { FromPage, ToPage } from '../../../protocol/webview';
import { launchBrowser } from '../../../scripts/editor/browser.mjs';
import { findHeadlessBrowser } from '../../../scripts/editor/prerequisites.mjs';
import { takeScreenshot } from './screenshots';
import themes from '../../fixtures/themes.json';
import { shared } from '../shared';

const DIST = path.join(__dirname, '..', '..', '..', 'dist', 'webview');
/** The longest wait for anything on a page: long enough for a machine that is busy with much else. */
const PATIENCE_MS = 60_000;
const ORIGIN = 'http://127.0.0.1:1';

export type PageTheme = keyof typeof themes;

/** The extension's side of one page. */
export interface PageHost {
  /** Initial data of the page; called whenever it is loaded. */
  hello(): unknown;
  /** Undefined refuses the question. */
  answer(body: unknown): unknown;
  onCommand?(body: unknown): void;
}

export interface ShownPage {
  readonly page: Page;
  /** All that the page sent, in order. */
  readonly sent: readonly FromPage[];
  /** Messages that went to the page. */
  readonly received: number;
  /** Addresses that the page tried to load besides its own bundle. */
  readonly strays: readonly string[];
  /** The page's console output, errors of the policy included. */
  readonly console: readonly string[];
  post(body: unknown): Promise<void>;
  /** The page's saved state, once it is as the test wants it. */
  kept<T>(isWanted: (kept: T) => boolean): Promise<T>;
  /** Loads the page again, as an editor does that hides it and shows it again. */
  reload(): Promise<void>;
  setTheme(theme: PageTheme): Promise<void>;
  /** To out/screenshots/NAME.png where pictures are wanted. */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface ShowOptions {
  /** The bundle's name. */
  readonly name: string;
  readonly host: PageHost;
  readonly size?: { readonly width: number; readonly height: number };
  readonly theme?: PageTheme;
  /** Before the page's own script: a clock of the test, a spy. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly reducedMotion?: boolean;
  /** A translation of the page's texts. */
  readonly words?: Readonly<Record<string, string>>;
}

export async function openBrowser(): Promise<Browser> {
  const browser = findHeadlessBrowser();
  if (browser === undefined) throw new Error('No Chrome, Chromium or Edge was found.');
  return launchBrowser({ node: '', serverMain: '', browser });
}

/** The browser of a test file or `describe`. */
export const testBrowser = (): Browser => shared(openBrowser, (browser) => browser.close());

/** The editor's interface for pages; what a page keeps outlives its reload, and nothing else does. */
const API = `
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.fromPage(message),
    getState: () => JSON.parse(sessionStorage.getItem('kept') ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem('kept', JSON.stringify(state)),
  });`;

export async function showPage(browser: Browser, options: ShowOptions): Promise<ShownPage> {
  const { name, host, size = { width: 1000, height: 640 } } = options;
  const context: BrowserContext = await browser.newContext({
    viewport: size,
    locale: 'en-US',
    reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const sent: FromPage[] = [];
  const strays: string[] = [];
  const lines: string[] = [];
  let received = 0;
  let theme: PageTheme = options.theme ?? 'dark';
  await context.route('**/*', async (route) => {
    const url = route.request().url();
    if (url === `${ORIGIN}/`) return route.fulfill({ contentType: 'text/html', body: html(name) });
    if (url === `${ORIGIN}/theme.css`) return route.fulfill({ contentType: 'text/css', body: styles(theme) });
    const file = /^\/dist\/([\w.]+)$/.exec(new URL(url).pathname)?.[1];
    if (file === undefined || !url.startsWith(ORIGIN)) {
      strays.push(url);
      return route.abort();
    }
    const contentType = file.endsWith('.css') ? 'text/css' : 'text/javascript';
    return route.fulfill({ contentType, body: await readFile(path.join(DIST, file)) });
  });
  page.on('console', (message) => lines.push(message.text()));
  page.on('pageerror', (error) => lines.push(error.message));

  const post = async (message: ToPage): Promise<void> => {
    received++;
    await page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  };
  await page.exposeFunction('fromPage', async (message: FromPage) => {
    sent.push(message);
    switch (message.kind) {
      case 'ready':
        return post({ kind: 'hello', words: options.words ?? {}, body: host.hello() });
      case 'ask': {
        const body = await host.answer(message.body);
        return post(
          body === undefined ? { kind: 'refused', id: message.id } : { kind: 'answer', id: message.id, body },
        );
      }
      case 'notify':
        host.onCommand?.(message.body);
    }
  });
  await page.addInitScript({ content: API });
  await options.prepare?.(page);
  await page.goto(`${ORIGIN}/`);
  return {
    page,
    sent,
    get received() {
      return received;
    },
    strays,
    console: lines,
    post: (body) => post({ kind: 'notify', body }),
    kept: async <T>(isWanted: (kept: T) => boolean) => {
      const end = performance.now() + PATIENCE_MS;
      while (performance.now() < end) {
        const text = await page.evaluate<string | null>("sessionStorage.getItem('kept')");
        const kept = text === null ? undefined : (JSON.parse(text) as T);
        if (kept !== undefined && isWanted(kept)) return kept;
        await page.evaluate('new Promise(requestAnimationFrame)');
      }
      throw new Error('The page kept nothing of the kind.');
    },
    reload: async () => {
      await page.reload();
    },
    setTheme: async (next) => {
      theme = next;
      await page.reload();
    },
    screenshot: (file) => takeScreenshot(page, file),
    close: () => context.close(),
  };
}

/** The real page with the editor's colours: as a style sheet of the test's origin, since the policy applies. */
function html(name: string): string {
  const parts = {
    styles: ORIGIN,
    nonce: 'test',
    language: 'en',
    scriptUrl: `${ORIGIN}/dist/${name}.js`,
    styleUrl: `${ORIGIN}/dist/${name}.css`,
  };
  return pageHtml(parts).replace('<head>', `<head>\n<link rel="stylesheet" href="${ORIGIN}/theme.css">`);
}

/** The editor's styles that precede a page's own. */
const styles = (theme: PageTheme): string =>
  `:root { ${Object.entries(themes[theme])
    .map(([name, value]) => `${name}: ${value};`)
    .join(' ')} }
@layer editor { body { padding: 0 20px; } ::-webkit-scrollbar { width: 10px; height: 10px; }
::-webkit-scrollbar-thumb { background: var(--vscode-scrollbarSlider-background); } }`;

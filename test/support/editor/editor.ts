// Starts a real VS Code with an empty profile and the packaged extension in it, and opens its workbench in a browser.
// Everything is on loopback and ends with `close()`.
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser, workbenchContext, workbenchUrl } from '../../../scripts/editor/browser.mjs';
import { installEditor } from '../../../scripts/editor/install.mjs';
import { profileIn, startServer, writeSettings } from '../../../scripts/editor/server.mjs';
import { shared } from '../shared';
import { Workbench, type Theme } from './workbench';
import { addExtension } from './packed';
import { addPseudoLanguage, PSEUDO_LANGUAGE } from './pseudo';
import { pictureFailures } from './screenshots';
import { RECORD_STATUS } from './statusMessages';
import '../process/interrupt';

/** The theme follows what the browser says of the system's colours: so it can change while a window is open. */
const THEME_SETTINGS = {
  'window.autoDetectColorScheme': true,
  'window.autoDetectHighContrast': true,
  'workbench.preferredDarkColorTheme': 'Default Dark Modern',
  'workbench.preferredLightColorTheme': 'Default Light Modern',
  'workbench.preferredHighContrastColorTheme': 'Default High Contrast',
  'workbench.preferredHighContrastLightColorTheme': 'Default High Contrast Light',
};

/** Animations cost a tenth of an editor's processor time, and a test run has many editors. */
const STILL_SETTINGS = { 'editor.cursorBlinking': 'solid', 'editor.minimap.enabled': false };

/** Where the mouse rests after a click, a tooltip would lie over what is clicked next. ms: a day */
const NO_TOOLTIPS = { 'workbench.hover.delay': 86_400_000, 'workbench.hover.reducedDelay': 86_400_000 };

/** A page that loads late takes the focus. A list that it closed would look like one whose row was taken. */
const PATIENT_SETTINGS = { 'workbench.quickOpen.closeOnFocusLost': false };

/** A zone in which it is now noon, so that no test runs over midnight: what was sent today is in one row of the History. */
function zoneAtNoon(now: Date): string {
  const west = now.getUTCHours() - 12;
  return west < 0 ? `Etc/GMT${west}` : `Etc/GMT+${west}`;
}

/** Under such names the pages of panels ask for the extension's own files; the window answers, nothing leaves it. */
const PAGE_FILES = '.vscode-resource.vscode-cdn.net';

export interface EditorOptions {
  /** Files of the workspace: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Default true: Restricted Mode is off. With false the window asks, as it does for people. */
  readonly trusted?: boolean;
  readonly theme?: Theme;
  /** In CSS pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  /** User settings, written before the start. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Default false: tooltips of tabs, rows and the status bar do not show. Those over the text of an editor always do. */
  readonly tooltips?: boolean;
  /** Default false. True: the package for any machine, which has no ledger engine in it. */
  readonly universal?: boolean;
  /** Default false. True: the extension speaks the language of long words (pseudo.ts), and the editor English. */
  readonly pseudo?: boolean;
  /** Puts more extensions into the folder of installed ones, before the start. */
  readonly beside?: (extensions: string) => Promise<void>;
  /** Passed on to the extension host. */
  readonly env?: NodeJS.ProcessEnv;
  /** Seconds that an extension host waits for a page that went without a word. Default: the editor's own, three hours. */
  readonly reconnectionGrace?: number;
}

export interface Editor {
  /** The window that is open from the start. */
  readonly workbench: Workbench;
  /** The folder it shows. */
  readonly workspace: string;
  /**
   * Another window on the same profile: its own secrets when `shared` is false, no folder when `isEmpty`, the folders and
   * settings of a `.code-workspace` file when `workspaceFile` names one.
   */
  openWindow(options?: {
    readonly shared?: boolean;
    readonly folder?: string;
    readonly workspaceFile?: string;
    readonly isEmpty?: boolean;
  }): Promise<Workbench>;
  /** Requests of any window that were not for this loopback address. */
  readonly strayRequests: readonly string[];
  /** The folders the editor writes to: settings, logs, storage. */
  readonly profileFolder: string;
  close(): Promise<void>;
}

/** The editor of a test file or `describe`: opens before its tests and closes after them. */
export const testEditor = (options: EditorOptions = {}): Editor =>
  shared(
    () => openEditor(options),
    (editor) => editor.close(),
  );

export async function openEditor(options: EditorOptions = {}): Promise<Editor> {
  const installed = await installEditor();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'workbench-ui-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const close = async () => {
    for (const one of undo.splice(0).reverse()) await one();
  };
  try {
    const workspace = path.join(folder, 'workspace');
    const zone = zoneAtNoon(new Date());
    await writeFiles(workspace, options.files ?? {});
    const profile = profileIn(path.join(folder, 'profile'));
    await writeSettings(profile, {
      'security.workspace.trust.enabled': options.trusted === false,
      ...THEME_SETTINGS,
      ...STILL_SETTINGS,
      ...PATIENT_SETTINGS,
      ...(options.tooltips !== true && NO_TOOLTIPS),
      ...options.settings,
    });
    await addExtension(installed, profile, options.universal);
    if (options.pseudo === true) await addPseudoLanguage(profile.extensions);
    await options.beside?.(profile.extensions);
    const server = await startServer(installed, profile, {
      env: { TZ: zone, ...options.env },
      trustsAll: options.trusted !== false,
      ...(options.reconnectionGrace !== undefined && { reconnectionGrace: options.reconnectionGrace }),
    });
    undo.push(() => server.stop());
    const browser: Browser = await launchBrowser(installed);
    undo.push(() => browser.close());

    const strayRequests: string[] = [];
    const newContext = async () => {
      const context = await workbenchContext(browser, {
        reducedMotion: 'reduce',
        timezoneId: zone,
        ...(options.size ? { viewport: options.size } : {}),
      });
      await context.addInitScript(RECORD_STATUS);
      // As a language pack's messages do; its own texts the editor keeps.
      if (options.pseudo === true)
        await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${PSEUDO_LANGUAGE}'`);
      context.on('request', (request) => {
        const { protocol, host } = new URL(request.url());
        const isOwn = host === new URL(server.origin).host || host.endsWith(PAGE_FILES);
        if (/^(https?|wss?):$/.test(protocol) && !isOwn) strayRequests.push(request.url());
      });
      return context;
    };
    const first = await newContext();
    const open = async (context: BrowserContext, shown: { readonly folder?: string; readonly workspace?: string }) => {
      const page = await context.newPage();
      pictureFailures(page);
      const workbench = new Workbench(page);
      await workbench.asksForTheme(options.theme ?? 'dark');
      await page.goto(workbenchUrl(server.origin, shown));
      await workbench.ready();
      return workbench;
    };
    return {
      workbench: await open(first, { folder: workspace }),
      workspace,
      openWindow: async ({ shared = true, folder = workspace, workspaceFile, isEmpty = false } = {}) => {
        const shown = workspaceFile === undefined ? { folder } : { workspace: workspaceFile };
        const workbench = await open(shared ? first : await newContext(), isEmpty ? {} : shown);
        if (workspaceFile !== undefined) await workbench.workspaceFolders();
        return workbench;
      },
      strayRequests,
      profileFolder: path.join(folder, 'profile'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

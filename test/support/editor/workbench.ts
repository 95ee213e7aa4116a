// The workbench as a person uses it: palette, files, lenses, views, boxes, notifications, webviews.
// Finds things by role and words; every wait is for a condition.
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { ATTEMPT_MS, comes, inTime, Patience, PATIENCE_MS } from './patience';
import { QuickInput } from './quickInput';
import { screenText } from './screenText';
import { screenshotsAreWanted, takeScreenshot } from './screenshots';
import { escaped, wholeText } from './wholeText';

/** A theme by what the system asks for, and the class by which the workbench marks its kind. */
const THEMES = {
  dark: { colorScheme: 'dark', forcedColors: 'none', mark: 'vs-dark' },
  light: { colorScheme: 'light', forcedColors: 'none', mark: 'vs' },
  highContrast: { colorScheme: 'dark', forcedColors: 'active', mark: 'hc-black' },
  highContrastLight: { colorScheme: 'light', forcedColors: 'active', mark: 'hc-light' },
} as const;
export type Theme = keyof typeof THEMES;

/** The part of a line's element in the page that is read. */
interface Line {
  readonly style: { readonly top: string };
  readonly textContent: string | null;
}

export class Workbench {
  readonly #patience: Patience;

  constructor(readonly page: Page) {
    this.#patience = new Patience(page, () => screenText(page, this.quickInput));
    this.quickInput = new QuickInput(page, this.#patience);
  }

  /**
   * The workbench is ready with its settings applied; the count of problems is among the last things to appear. Nothing
   * else an editor does takes as long as its start.
   */
  async ready(): Promise<void> {
    await this.statusItem(/^(No Problems|(Errors|Warnings|Infos): )/)
      .first()
      .waitFor({ timeout: 2 * PATIENCE_MS });
  }

  /**
   * Waits for the folders of a `.code-workspace` file in the Explorer. The editor opens about one in four such windows
   * without them, with or without extensions, and knows them once it is loaded again.
   */
  async workspaceFolders(): Promise<void> {
    const any = this.page.getByRole('tree', { name: 'Files Explorer', exact: true }).getByRole('treeitem').first();
    await this.until('the window shows folders', async () => {
      if (await this.comes(any)) return true;
      await this.page.reload({ timeout: 2 * PATIENCE_MS });
      await this.ready();
      return undefined;
    });
  }

  /** Leaves Restricted Mode, as *Manage* and then *Trust* in its banner do. */
  async trustWorkspace(): Promise<void> {
    await this.runCommand('Workspaces: Manage Workspace Trust');
    await this.page.getByRole('button', { name: 'Trust', exact: true }).click();
    await this.statusItem(/^Restricted Mode/).waitFor({ state: 'detached' });
  }

  /**
   * Reloads the window by the editor's own command, which stores all of the window's state before it reloads. A reload of
   * the browser's page would lose what the editor has not written yet: it writes once a minute.
   */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: 2 * PATIENCE_MS });
    await Promise.all([loaded, this.runCommand('Developer: Reload Window')]);
    await this.ready();
  }

  /** Runs a command by the words that the palette shows, for example `Solana RPC: Send`. */
  async runCommand(title: string): Promise<void> {
    await this.#choose('F1', `>${title}`, title);
  }

  /** Runs a command if the palette offers it now. */
  async tryCommand(title: string): Promise<boolean> {
    return this.#tryToChoose('F1', `>${title}`, title);
  }

  /** Runs a command and picks a row of the list it opens; again if the row was not offered in time. */
  async runCommandAndPick(title: string, row: RegExp): Promise<void> {
    await this.until(`${row.source} can be picked after "${title}"`, async () => {
      if (!(await this.tryCommand(title))) return undefined;
      return (await this.quickInput.tryPick(row)) ? true : undefined;
    });
  }

  /**
   * Runs a command that the palette offers only while an editor of this file is active. Each try activates it again:
   * editors that a loaded window restores one after the other may take its place between two looks.
   */
  async runCommandIn(name: string, title: string): Promise<void> {
    await this.openFile(name);
    await this.until(`"${title}" can be chosen in ${name}`, async () => {
      // A list in front of the tab would take the click.
      if (!(await this.quickInput.close())) return undefined;
      await this.tab(name).first().click();
      await this.#restMouse();
      return (await this.#tryToChoose('F1', `>${title}`, title)) ? true : undefined;
    });
  }

  /**
   * Opens a file of the workspace by its name and waits for its editor; asks again if none came, for instance because
   * a list closed for another reason and looked as if the file had been chosen.
   */
  async openFile(name: string): Promise<void> {
    const tab = this.tab(path.basename(name)).and(this.page.locator('[aria-selected=true]')).first();
    await this.until(`the editor of "${name}" is open`, async () => {
      const isChosen = await this.#tryToChoose('ControlOrMeta+P', name, path.basename(name));
      return isChosen ? this.comes(tab) : undefined;
    });
  }

  /** Opens a list by its key, types the words of a row and takes it by Enter: by keyboard alone. */
  async type(key: string, words: string): Promise<void> {
    await this.page.keyboard.press(key);
    await this.quickInput.input.waitFor();
    await this.page.keyboard.type(words);
    await this.quickInput.row(words).waitFor();
    await this.page.keyboard.press('Enter');
    await this.quickInput.input.waitFor({ state: 'hidden' });
  }

  /** Opens a list by its key and takes a row; again when it was not offered in time. */
  async #choose(key: string, typed: string, row: string): Promise<void> {
    await this.until(`"${row}" can be chosen`, async () =>
      (await this.#tryToChoose(key, typed, row)) ? true : undefined,
    );
  }

  /** False when the row is not offered in time; then the list is closed: asked the same again, an open one looks for nothing new. */
  async #tryToChoose(key: string, typed: string, row: string): Promise<boolean> {
    await this.page.keyboard.press(key);
    if (await this.quickInput.take(typed, row)) return true;
    // A list that opens only now is closed before the next try, or filled by it.
    await this.quickInput.close();
    return false;
  }

  /** Opens the context menu of a row and takes an item of it; again where rows moved, or the menu closed, meanwhile. */
  async chooseFromMenu(row: Locator, title: string): Promise<void> {
    const item = this.page.getByRole('menuitem', { name: title, exact: true });
    await this.until(`"${title}" is chosen from the menu`, async () => {
      // A click that ended late has opened the menu all the same.
      if (!(await item.isVisible())) await inTime(row.click({ button: 'right', timeout: ATTEMPT_MS }));
      if ((await this.comes(item)) !== true) {
        await this.page.keyboard.press('Escape');
        return undefined;
      }
      // For 100 ms a menu ignores a click, which it takes for the release of the button that opened it.
      if (!(await inTime(item.click({ timeout: ATTEMPT_MS })))) return undefined;
      return (await inTime(item.waitFor({ state: 'hidden', timeout: ATTEMPT_MS }))) ? true : undefined;
    });
  }

  /** Clicks until the result shows: a view that is drawn again meanwhile loses a click. A late result gets no second click. */
  async clickFor(clicked: Locator, result: Locator): Promise<void> {
    await this.until(`${String(result)} comes of a click on ${String(clicked)}`, async () => {
      if (!(await result.isVisible())) await inTime(clicked.click({ timeout: ATTEMPT_MS }));
      return this.comes(result);
    });
  }

  /** Starts the local service by the first button that offers it, and waits until it is the endpoint in use. */
  async startLocalService(): Promise<void> {
    await this.clickFor(this.button('Start Local Service'), this.statusItem(/^Solana RPC endpoint: local/));
  }

  /** Closes every editor, an answer that opens meanwhile too; texts that were never saved are thrown away. */
  async closeEditors(): Promise<void> {
    const discard = this.page.getByRole('button', { name: "Don't Save", exact: true });
    const empty = this.page.locator('.editor-group-container.empty');
    const tabs = this.page.locator('.tabs-container').getByRole('tab');
    await this.until('every editor is closed', async () => {
      if ((await tabs.count()) > 0 && !(await discard.isVisible())) await this.tryCommand('View: Close All Editors');
      await this.comes(discard.or(empty).first());
      if (await discard.isVisible()) await discard.click();
      return (await tabs.count()) === 0 ? true : undefined;
    });
  }

  /** The tab of an open editor; the two files of a comparison, its state and its group may follow the name. */
  tab(name: string | RegExp): Locator {
    const whole = typeof name === 'string' ? new RegExp(`^${escaped(name)}(, | \\(|$)`) : name;
    return this.page.locator('.tabs-container').getByRole('tab', { name: whole, exact: true });
  }

  /** The text area of an editor, by the name of its file. */
  editor(name: string): Locator {
    return this.page.locator('.editor-instance', { has: this.page.locator(`[aria-label^="${name}"]`) }).last();
  }

  /** The lines of an editor that are on the screen. */
  async visibleText(name: string): Promise<string> {
    const lines = this.editor(name).locator('.view-line');
    const placed = await lines.evaluateAll((all: readonly Line[]) =>
      all.map((line) => ({ top: Number.parseFloat(line.style.top), text: line.textContent ?? '' })),
    );
    const inOrder = placed.toSorted((a, b) => a.top - b.top).map(({ text }) => text);
    // The editor shows spaces as no-break spaces.
    return inOrder.join('\n').replaceAll('\u00a0', ' ');
  }

  /** Waits until an editor shows the text. */
  async waitForText(name: string, wanted: string | RegExp): Promise<string> {
    return this.until(`${name} shows ${String(wanted)}`, async () => {
      const text = await this.visibleText(name);
      const shown = typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
      return shown ? text : undefined;
    });
  }

  /** Moves the mouse onto the first word or string that begins so, until the hover there says everything. */
  async hoverOver(name: string, text: string, says: readonly RegExp[]): Promise<Locator> {
    const place = this.editor(name)
      .locator('.view-line')
      .getByText(new RegExp(`^\\s*"?${escaped(text)}`))
      .first();
    await place.waitFor();
    const hover = says.reduce(
      (shown, part) => shown.filter({ hasText: wholeText(part) }),
      this.page.locator('.monaco-hover:visible'),
    );
    return this.until(`the hover over ${text.slice(0, 20)} says ${says.join(', ')}`, async () => {
      const box = await place.boundingBox();
      if (box === null) return undefined;
      // A mouse that stays where it is asks for nothing.
      await this.page.mouse.move(0, 0);
      // A long text extends beyond the editor; where it begins a line, the box begins with the line's indent.
      await this.page.mouse.move(box.x + Math.min(box.width, 200) / 2, box.y + box.height / 2);
      return (await this.comes(hover)) === true ? hover : undefined;
    });
  }

  /** The code lenses that read exactly so, from top to bottom. */
  lens(text: string | RegExp): Locator {
    return this.page.locator('.codelens-decoration').getByText(text, { exact: true });
  }

  /**
   * The same ones as far as they can be pressed: what the editor remembers of a file that it opens again reads like its
   * lenses and does nothing until they have come.
   */
  lensAction(text: string | RegExp): Locator {
    return this.page.locator('.codelens-decoration').getByRole('button', { name: text, exact: true });
  }

  /** An action in the title bar of the editor with this tab: those of a group show once it is active. */
  async titleAction(file: string, title: string): Promise<Locator> {
    // "a.json" must not match "a.jsonrpc".
    const tab = this.tab(new RegExp(`^${escaped(file)}(?!\\w)`)).first();
    const group = this.page.locator('.editor-group-container', { has: tab }).first();
    // A key binding may follow the title.
    const name = new RegExp(`^${escaped(title)}( \\(|$)`);
    const action = group.locator('.editor-actions').getByRole('button', { name, exact: true }).first();
    return this.until(`${file} offers ${title}`, async () => {
      await tab.click();
      await this.#restMouse();
      return (await this.comes(action)) === true ? action : undefined;
    });
  }

  /** Shows a view container by the words of its activity bar item. */
  async openContainer(name: string): Promise<void> {
    const bar = this.page.locator('[id="workbench.parts.activitybar"]');
    // A key binding and a badge's words may follow the name.
    const item = bar.getByRole('tab', { name: new RegExp(`^${escaped(name)}`) });
    await item.waitFor();
    if ((await item.getAttribute('aria-selected')) === 'true') return;
    await item.click();
    await this.#restMouse();
  }

  /** Drags the side bar's edge until it is so wide, in CSS pixels. */
  async setSideBarWidth(width: number): Promise<void> {
    const bar = this.page.locator('[id="workbench.parts.sidebar"]');
    await this.until(`the side bar is ${width} px wide`, async () => {
      const box = await bar.boundingBox();
      if (box === null || Math.abs(box.width - width) <= 2) return box ?? undefined;
      const middle = box.y + box.height / 2;
      await this.page.mouse.move(box.x + box.width, middle);
      await this.page.mouse.down();
      await this.page.mouse.move(box.x + width, middle, { steps: 4 });
      await this.page.mouse.up();
      await this.page.mouse.move(box.x + width + 300, middle);
      return undefined;
    });
  }

  /** A tree view by its whole name. */
  tree(name: string | RegExp): Locator {
    return this.page.getByRole('tree', { name, exact: true });
  }

  /** A row of a tree view, by all that it says. */
  treeItem(tree: string | RegExp, name: string | RegExp): Locator {
    return this.tree(tree).getByRole('treeitem', { name, exact: true });
  }

  /** The status bar's item with exactly these words. */
  statusItem(name: string | RegExp): Locator {
    return this.page.locator('[id="workbench.parts.statusbar"]').getByRole('button', { name, exact: true });
  }

  /** The first button or link with these words, in a view or a page. */
  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true }).first();
  }

  /**
   * The notification with this text, in the list behind the bell: a window under a driver shows none by itself. The
   * list closes with its last entry, as when a progress ends before its result is said: it is opened again until then.
   */
  async notification(text: string | RegExp): Promise<Locator> {
    const said = this.page.locator('.notification-list-item-message', { hasText: wholeText(text) });
    const found = this.page.locator('.notifications-center .notification-list-item').filter({ has: said });
    return this.until(`a notification says ${String(text)}`, async () => {
      await this.tryCommand('Notifications: Show Notifications');
      return (await this.comes(found)) === true ? found : undefined;
    });
  }

  /** A modal question with this text, or with details that read so. */
  dialog(text: string | RegExp): Locator {
    const asked = this.page.locator('.dialog-message-text, .dialog-message-detail', { hasText: wholeText(text) });
    return this.page.locator('.monaco-dialog-box', { has: asked });
  }

  /** The list and the box at the top of the window. */
  readonly quickInput: QuickInput;

  /** The content of the only webview of an editor or view. */
  webview(nth = 0): FrameLocator {
    return this.page.locator('iframe.webview.ready').nth(nth).contentFrame().locator('#active-frame').contentFrame();
  }

  /** The heading of a page of the extension, whichever of the window's webviews shows it. */
  async pageHeading(name: string | RegExp): Promise<Locator> {
    return this.until(`a page is headed ${String(name)}`, async () => {
      for (const frame of this.page.frames()) {
        const heading = frame.getByRole('heading', { name, exact: true }).first();
        // A frame may go while it is looked at.
        if (await heading.isVisible().catch(() => false)) return heading;
      }
      return undefined;
    });
  }

  /** The picture next to a walkthrough's step, by the beginning of its alternative text. */
  walkthroughPicture(alternative: string): Locator {
    return this.webview().getByRole('img', { name: new RegExp(`^${escaped(alternative)}`) });
  }

  /** Makes the browser say that the system has these colours, and wants no motion: a picture shows no half-way state. */
  asksForTheme(theme: Theme): Promise<void> {
    const { colorScheme, forcedColors } = THEMES[theme];
    return this.page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
  }

  /** Changes the system's colours and waits until the window is drawn in them. */
  async setTheme(theme: Theme): Promise<void> {
    await this.asksForTheme(theme);
    await this.page.locator(`.monaco-workbench.${THEMES[theme].mark}`).waitFor();
  }

  /** Saves a screenshot of the window as out/screenshots/NAME.png if pictures are wanted. */
  screenshot(name: string): Promise<void> {
    return takeScreenshot(this.page, name);
  }

  /** The same in light, high contrast and dark, to out/screenshots/NAME-THEME.png; dark stays. */
  async pictures(name: string): Promise<void> {
    if (!screenshotsAreWanted) return;
    for (const theme of ['light', 'highContrast', 'dark'] as const) {
      await this.setTheme(theme);
      await this.screenshot(`${name}-${theme}`);
    }
  }

  /** True when it shows within an attempt's time, else undefined: for `until`. */
  comes(shown: Locator): Promise<true | undefined> {
    return comes(shown);
  }

  /** Looks again until `look` finds something; fails with the sentence. A wait inside `look` has an attempt's time. */
  until<T>(sentence: string, look: () => Promise<T | undefined>): Promise<T> {
    return this.#patience.until(sentence, look);
  }

  /** Takes the mouse from what it clicked: a tooltip there would lie over what is clicked next. */
  async #restMouse(): Promise<void> {
    await this.page.mouse.move(0, 0);
  }
}

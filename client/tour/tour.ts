// The tour: the steps of the manifest's walkthrough as a view in the side bar, so that the editors stay visible. It opens by
// itself with the first request file after the installation, once per user, and never takes the keyboard focus.
import * as vscode from 'vscode';
import { tourCommand, type TourCommand, type TourView } from '../../protocol/tourPage';
import type { CommandTable } from '../shared/command';
import type { Contexts } from '../shared/contexts';
import { showCopy, type OpenCopy } from './guide';
import { attach, type PanelPage } from '../shared/page';
import { isDone, stepsOf, type TourSteps, type WalkthroughManifest } from './steps';

export interface TourDeps {
  readonly context: vscode.ExtensionContext;
  readonly contexts: Contexts;
  readonly log: vscode.LogOutputChannel;
  readonly startLocal: () => Promise<unknown>;
  /** Opens the sample as a document of the user's own. */
  readonly opened: OpenCopy;
}

/** Marks in the storage of the user that the tour was open. */
const SEEN = 'tourSeen';

/** Where the storage of the user keeps how far the tour is. */
const MEMORY = 'tour';

interface Progress {
  readonly isRunning: boolean;
  /** The ids of the steps that are done. */
  readonly done: readonly string[];
}

/** The walkthrough's id in the manifest. */
const WALKTHROUGH = 'start';

export class Tour implements vscode.Disposable {
  readonly #tour: TourSteps;
  readonly #parts: readonly vscode.Disposable[];
  #isNew = false;
  #shown: { readonly view: vscode.WebviewView; readonly page: PanelPage } | undefined;

  constructor(private readonly deps: TourDeps) {
    const manifest = deps.context.extension.packageJSON as WalkthroughManifest;
    this.#tour = stepsOf(manifest, WALKTHROUGH) ?? { title: '', steps: [] };
    deps.contexts.set('solanaRpc.touring', this.#progress.isRunning);
    const look = (): void => void this.#look();
    this.#parts = [
      vscode.window.registerWebviewViewProvider('solanaRpc.tour', {
        resolveWebviewView: (view) => this.#serve(view),
      }),
      deps.contexts.onDidChange(() => void this.#note()),
      vscode.window.onDidChangeActiveTextEditor(look),
      vscode.window.onDidChangeWindowState(look),
      vscode.workspace.onDidGrantWorkspaceTrust(look),
    ];
    look();
  }

  dispose(): void {
    this.#parts.forEach((part) => void part.dispose());
  }

  get commands(): CommandTable {
    return {
      openWalkthrough: async () => {
        await this.deps.context.globalState.update(SEEN, true);
        const category = `${this.deps.context.extension.id}#${WALKTHROUGH}`;
        await vscode.commands.executeCommand('workbench.action.openWalkthrough', category, false);
      },
      startTour: async () => {
        await this.#begin();
        await this.deps.opened(showCopy);
        await this.deps.startLocal();
      },
      endTour: () => this.#keep({ ...this.#progress, isRunning: false }),
    };
  }

  get #progress(): Progress {
    return this.deps.context.globalState.get<Progress>(MEMORY) ?? { isRunning: false, done: [] };
  }

  /**
   * Opens the tour with the first request file. Of several windows the one that the user is in opens it; where nothing can
   * be sent, or no page is wanted at the start, none does.
   */
  async #look(): Promise<void> {
    const { globalState } = this.deps.context;
    if (vscode.window.activeTextEditor?.document.languageId !== 'jsonrpc' || globalState.get(SEEN) === true) return;
    if (!vscode.window.state.focused || !vscode.workspace.isTrusted) return;
    const settings = vscode.workspace.getConfiguration('workbench');
    const wantsNone =
      settings.get('startupEditor') === 'none' || settings.get('welcomePage.walkthroughs.openOnInstall') === false;
    if (wantsNone) return;
    await this.#begin();
    // Where the file was chosen in the side bar, the keyboard was in what the tour has replaced.
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  }

  /** Brings the view up. A tour that was taken to its end begins again. */
  async #begin(): Promise<void> {
    const { done } = this.#progress;
    const isOver = this.#tour.steps.every(({ id }) => done.includes(id));
    this.#isNew = true;
    await this.deps.context.globalState.update(SEEN, true);
    await this.#keep({ isRunning: true, done: isOver ? [] : done });
    await this.#note();
    await vscode.commands.executeCommand('solanaRpc.tour.focus', { preserveFocus: true });
  }

  /** Ticks what has been done since. */
  async #note(): Promise<void> {
    const { isRunning, done } = this.#progress;
    if (!isRunning) return;
    const { contexts } = this.deps;
    const more = this.#tour.steps.filter((step) => !done.includes(step.id) && isDone(step, (key) => contexts.get(key)));
    if (more.length > 0) await this.#keep({ isRunning, done: [...done, ...more.map(({ id }) => id)] });
  }

  async #keep(progress: Progress): Promise<void> {
    // The next read returns this already: the editor caches a change before it has written it.
    const written = this.deps.context.globalState.update(MEMORY, progress);
    this.deps.contexts.set('solanaRpc.touring', progress.isRunning);
    this.#draw();
    await written;
  }

  #serve(view: vscode.WebviewView): void {
    const { extensionUri } = this.deps.context;
    const page = attach(view.webview, {
      name: 'tour',
      extensionUri,
      log: this.deps.log,
      hello: () => {
        const hello = this.#view();
        this.#isNew = false;
        return hello;
      },
      command: tourCommand,
      onCommand: (command) => this.#take(command),
    });
    const shown = { view, page };
    this.#shown = shown;
    this.#draw();
    view.onDidDispose(() => {
      if (this.#shown === shown) this.#shown = undefined;
    });
  }

  #draw(): void {
    if (this.#shown === undefined) return;
    const shown = this.#view();
    const done = shown.steps.filter((step) => step.isDone).length;
    this.#shown.view.description = vscode.l10n.t('{0} of {1}', done, shown.steps.length);
    this.#shown.page.post(shown);
  }

  /** Runs what the manifest links to at this place, and nothing else. */
  async #take(command: TourCommand): Promise<void> {
    if (command.kind === 'end') await vscode.commands.executeCommand('solanaRpc.endTour');
    else {
      const action = this.#tour.steps[command.step]?.actions[command.action];
      if (action !== undefined) await vscode.commands.executeCommand(action.command);
    }
  }

  #view(): TourView {
    const { done } = this.#progress;
    return {
      title: this.#tour.title,
      steps: this.#tour.steps.map(({ id, title, text, actions }) => ({
        title,
        text,
        actions: actions.map((action) => action.title),
        isDone: done.includes(id),
      })),
      isNew: this.#isNew,
    };
  }
}

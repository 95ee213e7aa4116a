// The panels of one kind of page: one for each thing shown, brought up again rather than opened twice, restored with the
// window. Knows nothing of what its pages show.
import * as vscode from 'vscode';
import { attach, type PageDeps, type PageMessages } from './page';

/** An open panel. */
export interface ShownPanel<Content> {
  readonly panel: vscode.WebviewPanel;
  readonly content: Content;
  /** Notifies the page, as `PanelPage` does. */
  readonly post: (update: unknown) => void;
}

export interface PanelOptions<Content, Ask, Command> extends PageDeps {
  /** The bundle's name. */
  readonly name: string;
  /** The type of its panels: it stays, since restored windows ask for it. */
  readonly type: string;
  /** Each key has one panel. */
  readonly key: (content: Content) => unknown;
  /** Reads what a page kept over a reload of the window; undefined closes its panel. */
  readonly restore: (state: unknown) => Content | undefined;
  readonly serve: (shown: ShownPanel<Content>) => PageMessages<Ask, Command>;
  /** The current state, for a page that was hidden and heard nothing; absent: the page asks for it. */
  readonly current?: (content: Content) => unknown;
  readonly onClose?: (content: Content) => void;
}

export class Panels<Content, Ask, Command> implements vscode.Disposable {
  readonly #shown = new Map<unknown, ShownPanel<Content>>();
  readonly #serializer: vscode.Disposable;

  constructor(private readonly options: PanelOptions<Content, Ask, Command>) {
    this.#serializer = vscode.window.registerWebviewPanelSerializer(options.type, {
      deserializeWebviewPanel: async (panel, state) => {
        const kept = options.restore(state);
        if (kept === undefined) panel.dispose();
        else this.#serve(panel, kept);
      },
    });
  }

  /** The panels stay: a window that is loaded again restores them. */
  dispose(): void {
    this.#serializer.dispose();
  }

  get all(): readonly ShownPanel<Content>[] {
    return [...this.#shown.values()];
  }

  of(key: unknown): ShownPanel<Content> | undefined {
    return this.#shown.get(key);
  }

  open(content: Content, title: string, place: Parameters<typeof vscode.window.createWebviewPanel>[2]): void {
    this.#serve(vscode.window.createWebviewPanel(this.options.type, title, place), content);
  }

  #serve(panel: vscode.WebviewPanel, content: Content): void {
    const { options } = this;
    const shown: ShownPanel<Content> = { panel, content, post: (update) => page.post(update) };
    const page = attach(panel.webview, { ...options, ...options.serve(shown) });
    const key = options.key(content);
    this.#shown.set(key, shown);
    panel.onDidDispose(() => {
      if (this.#shown.get(key) === shown) this.#shown.delete(key);
      options.onClose?.(content);
    });
    const { current } = options;
    if (current !== undefined)
      panel.onDidChangeViewState(() => {
        if (panel.visible) page.post(current(content));
      });
  }
}

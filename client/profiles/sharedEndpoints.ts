// Shares the user's endpoints between the user's windows, by a file in the extension's own storage: not
// every editor notices that another of its windows wrote the settings. Decides nothing; the settings stay what holds.
import * as vscode from 'vscode';
import { writeWhole } from '../../process/files';
import { Queue } from '../shared/queue';

const FILE = 'endpoints.json';
/** A larger file was not written by this extension. Bytes. */
const MAX_FILE = 1_000_000;

export interface SharedEndpointsOptions {
  /** The extension's storage that all its windows have in common. */
  readonly folder: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  /** Another window has this list in its settings now. */
  readonly onShared: (endpoints: readonly unknown[]) => void;
}

export class SharedEndpoints implements vscode.Disposable {
  readonly #file: vscode.Uri;
  readonly #subscriptions: vscode.Disposable[];
  #isDisposed = false;
  /** The text of the file when it was last read: only another text is news. */
  #seen: string | undefined;
  /** Looks and writes. */
  readonly #queue = new Queue();

  constructor(private readonly options: SharedEndpointsOptions) {
    this.#file = vscode.Uri.joinPath(options.folder, FILE);
    this.#subscriptions = [
      // A window that was asleep may have missed it.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#lookSoon();
      }),
    ];
    this.#then(() => this.#watch());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscriptions.forEach((one) => void one.dispose());
  }

  /** Sends the other windows the list as the settings have it; writes nothing if they have it already. */
  publish(endpoints: unknown): void {
    // Windows on different machines may share a storage, for example over SSH, but each machine has its own settings.
    const text = JSON.stringify({ machine: vscode.env.machineId, endpoints: endpoints ?? [] });
    this.#then(async () => {
      this.#seen = text;
      // Another window never reads half of it.
      if ((await this.#read()) !== text) await writeWhole(this.#file.fsPath, text, { overwrite: true });
    });
  }

  #then(work: () => Promise<void>): void {
    this.#queue.add(work).catch((error: unknown) => {
      this.options.log.warn(`Endpoints could not be shared: ${error instanceof Error ? error.name : 'unknown error'}`);
    });
  }

  async #watch(): Promise<void> {
    const { folder } = this.options;
    // A folder that is not there yet could not be watched.
    await vscode.workspace.fs.createDirectory(folder);
    if (this.#isDisposed) return;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, FILE));
    const look = (): void => this.#lookSoon();
    this.#subscriptions.push(watcher, watcher.onDidChange(look), watcher.onDidCreate(look));
    this.#seen = await this.#read();
  }

  #lookSoon(): void {
    this.#then(() => this.#look());
  }

  async #look(): Promise<void> {
    const text = await this.#read();
    if (text === undefined || text === this.#seen) return;
    const shared = readShared(text);
    // Not written by this extension, or half of it by an earlier version: another event follows.
    if (shared === undefined) return;
    this.#seen = text;
    if (shared.machine === vscode.env.machineId) this.options.onShared(shared.endpoints);
  }

  /** Undefined where there is no such file. */
  async #read(): Promise<string | undefined> {
    try {
      const bytes = await vscode.workspace.fs.readFile(this.#file);
      return bytes.length > MAX_FILE ? undefined : new TextDecoder().decode(bytes);
    } catch {
      return undefined;
    }
  }
}

function readShared(text: string): { readonly machine: unknown; readonly endpoints: readonly unknown[] } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { machine, endpoints } = value as Readonly<Record<string, unknown>>;
    return Array.isArray(endpoints) ? { machine, endpoints } : undefined;
  } catch {
    return undefined;
  }
}

// The tests of the workspace: a file with assertions is an item, and so is each of its blocks that has some. The server
// reads the files; nothing is looked for before the Test Explorer asks, but for files that are open.
import * as vscode from 'vscode';
import type { BlocksResult } from '../../protocol/lsp';
import { plain } from '../shared/words';

/** Request files of one workspace that are looked through. */
const MAX_FILES = 2_000;
/** A request file is written by people. Bytes. */
const MAX_BYTES = 16_000_000;

const PATTERN = '**/*.jsonrpc';

/** Asks for the requests of a file, whose text on disk is given. */
export type BlocksOf = (uri: string, text: string) => Promise<BlocksResult>;

export class TestTree implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable[] = [];
  /** Files that are being read, and whether they changed meanwhile. */
  readonly #reading = new Map<string, { again: boolean; done: Promise<void> }>();
  #watching = false;

  constructor(
    private readonly controller: vscode.TestController,
    private readonly blocksOf: BlocksOf,
    private readonly log: vscode.LogOutputChannel,
  ) {
    controller.resolveHandler = (item) => (item?.uri === undefined ? this.all() : this.refresh(item.uri));
    controller.refreshHandler = () => this.all();
    this.#subscriptions.push(
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#opened(document)),
      // Another program wrote the file, and the editor has read it again: what is shown is what is on disk.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!document.isDirty) this.#opened(document);
      }),
    );
    for (const document of vscode.workspace.textDocuments) this.#opened(document);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Looks through every request file of the workspace, and from then on follows what happens to them. */
  async all(): Promise<void> {
    this.#watch();
    const found = await vscode.workspace.findFiles(PATTERN, undefined, MAX_FILES);
    await Promise.all(found.map((uri) => this.refresh(uri)));
  }

  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    const watcher = vscode.workspace.createFileSystemWatcher(PATTERN);
    this.#subscriptions.push(
      watcher,
      watcher.onDidCreate((uri) => void this.refresh(uri)),
      watcher.onDidChange((uri) => void this.refresh(uri)),
      watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
    );
  }

  #opened({ uri, languageId }: vscode.TextDocument): void {
    if (languageId !== 'jsonrpc' || vscode.workspace.getWorkspaceFolder(uri) === undefined) return;
    this.#watch();
    void this.refresh(uri);
  }

  /** Reads a file again; requests during a read are combined into one more read. */
  async refresh(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const current = this.#reading.get(key);
    if (current !== undefined) {
      current.again = true;
      return current.done;
    }
    const reading = { again: true, done: Promise.resolve() };
    this.#reading.set(key, reading);
    const read = async (): Promise<void> => {
      try {
        while (reading.again) {
          reading.again = false;
          await this.#readOnce(uri);
        }
      } finally {
        this.#reading.delete(key);
      }
    };
    reading.done = read();
    return reading.done;
  }

  async #readOnce(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const say = (error: unknown): void =>
      this.log.debug(`No tests of ${key}: ${error instanceof Error ? error.message : String(error)}`);
    let text: string;
    try {
      text = await textOf(uri);
    } catch (error) {
      this.controller.items.delete(key);
      say(error);
      return;
    }
    // A server that ended says nothing of the file: its tests are those of before.
    await this.blocksOf(key, text).then((blocks) => this.#put(uri, blocks), say);
  }

  #put(uri: vscode.Uri, blocks: BlocksResult): void {
    const key = uri.toString();
    const tests = blocks.filter(({ assertions }) => assertions > 0);
    if (tests.length === 0) {
      this.controller.items.delete(key);
      return;
    }
    const known = this.controller.items.get(key);
    const file = known ?? this.controller.createTestItem(key, vscode.workspace.asRelativePath(uri), uri);
    if (known === undefined) this.controller.items.add(file);
    file.children.replace(this.#itemsOf(file, tests));
  }

  /** The same block keeps its item, and with it its last result, for as long as its name or title stays. */
  #itemsOf(file: vscode.TestItem, blocks: BlocksResult): vscode.TestItem[] {
    const seen = new Map<string, number>();
    return blocks.map(({ name, title, line, endLine }, index) => {
      const words = name ?? title;
      const nth = (seen.get(words) ?? 0) + 1;
      seen.set(words, nth);
      const id = `${file.id}#${nth}#${words}`;
      const item = file.children.get(id) ?? this.controller.createTestItem(id, '', file.uri);
      // No description: a screen reader would read it in place of the label.
      item.label = plain(title);
      item.range = new vscode.Range(line, 0, endLine, 0);
      item.sortText = String(index).padStart(6, '0');
      return item;
    });
  }
}

/** The file's text: from an open editor, else from disk. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  const { size, type } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) throw new Error('it is not a file');
  if (size > MAX_BYTES) throw new Error(`the file is larger than ${MAX_BYTES} bytes`);
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

// The responses as read-only documents: `solana-response://REQUEST/TITLE.json` serves the newest file the server kept for
// that request, so that it survives a reload and is reused by the next run. Writes nothing.
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ExecuteOutcome, StoredResponse } from '../protocol/lsp';

export const SCHEME = 'solana-response';

/** Names the server gives: anything else in the folder is not a response. */
const FILE = /^([0-9a-f]+)-(\d+)\.json$/;
const REQUEST = /^[0-9a-f]+$/;
/** The server bounds what it writes for showing; this bound is for a file that somebody else put there. Bytes. */
const MAX_SHOWN = 64_000_000;

export class Responses implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #folder: string;

  readonly onDidChangeFile = this.#changed.event;

  /** `storage`: the folder the server writes to. */
  constructor(storage: string) {
    this.#folder = path.join(storage, 'responses');
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** The document of an outcome; its viewers are told that there is something new. */
  refresh(outcome: ExecuteOutcome, stored: StoredResponse): vscode.Uri {
    const uri = responseUri(outcome, stored);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    return uri;
  }

  /** The first bytes of a response, as text. */
  async head(outcome: ExecuteOutcome, { request, run }: StoredResponse, bytes: number): Promise<string> {
    try {
      const head = await readWhole(path.join(this.#folder, `${request}-${run}.json`), bytes);
      return new TextDecoder().decode(head) + (head.length < outcome.bytes ? '…' : '');
    } catch {
      return '';
    }
  }

  /** What the newest run of this document's request came to; undefined where it was pruned. */
  async outcome(uri: vscode.Uri): Promise<ExecuteOutcome | undefined> {
    try {
      const name = await this.#newest(uri);
      const text = await readWhole(path.join(this.#folder, name.replace(/\.json$/, '.meta.json')));
      return JSON.parse(new TextDecoder().decode(text)) as ExecuteOutcome;
    } catch {
      return undefined;
    }
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { size, mtimeMs, birthtimeMs } = await stat(path.join(this.#folder, await this.#newest(uri)));
    return {
      type: vscode.FileType.File,
      permissions: vscode.FilePermission.Readonly,
      ctime: birthtimeMs,
      mtime: mtimeMs,
      size,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return readWhole(path.join(this.#folder, await this.#newest(uri)));
  }

  watch(): vscode.Disposable {
    // Changes are told by `refresh`.
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  async #newest(uri: vscode.Uri): Promise<string> {
    const request = uri.authority;
    if (!REQUEST.test(request)) throw vscode.FileSystemError.FileNotFound(uri);
    const names = await readdir(this.#folder).catch(() => []);
    const runs = names.flatMap((name) => {
      const match = FILE.exec(name);
      return match?.[1] === request ? [{ name, run: Number(match[2]) }] : [];
    });
    const newest = runs.sort((left, right) => right.run - left.run)[0];
    if (newest === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return newest.name;
  }
}

/** Titled by the request's name; a slash or a control character in it would not be a file name. */
export function responseUri(outcome: ExecuteOutcome, stored: StoredResponse): vscode.Uri {
  const title =
    outcome.title
      .replace(/[\p{Cc}\p{Cf}/\\?#:]+/gu, ' ')
      .trim()
      .slice(0, 80) || outcome.method;
  return vscode.Uri.from({ scheme: SCHEME, authority: stored.request, path: `/${title}.json` });
}

/** Shows a response beside the file it came from, without taking the focus; a tab that shows it already is reused. */
export async function showResponse(uri: vscode.Uri): Promise<void> {
  const shown = vscode.window.tabGroups.all.find((group) =>
    group.tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
  await vscode.window.showTextDocument(uri, {
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: true,
  });
}

async function readWhole(file: string, bound = MAX_SHOWN): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const buffer = new Uint8Array(Math.min(size, bound));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

// The responses as read-only documents: `solana-response://REQUEST/TITLE.json` serves the newest file the server kept for
// that request, so that it survives a reload and is reused by the next run; with `?run=N` that of one run. Writes nothing;
// removes all when asked to.
import { open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { mayCover, openAsResponse } from '../shared/editorGroups';
import { Queue } from '../shared/queue';
import type { HistoryRun, KeptRun } from './historyRows';
import type { ExecuteOutcome, ResponsePlace, KeptResponse } from '../../protocol/lsp';

export const SCHEME = 'solana-response';

/** Names the server gives: anything else in the folder is not a response. */
const FILE = /^([0-9a-f]+)-(\d+)\.json$/;
const REQUEST = /^[0-9a-f]+$/;
/** All files the server keeps of a run, and the `.part` left by a server that died while writing. */
const KEPT = /^[0-9a-f]+-\d+\.(?:json|meta\.json|full|index|part)$/;
const META = '.meta.json';
const ENDINGS = ['.json', META, '.full', '.index'];
/** The server bounds what it writes for showing; this bound is for a file that somebody else put there. Bytes. */
const MAX_SHOWN = 64_000_000;

const denied = (uri: vscode.Uri): never => {
  throw vscode.FileSystemError.NoPermissions(uri);
};

export class Responses implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #folder: string;
  /** Those that this window waits for the end of, with the file whose run is in progress. */
  readonly #unended = new Map<string, string>();

  readonly onDidChangeFile = this.#changed.event;
  readonly #historyChanged = new vscode.EventEmitter<void>();
  /** Fires when a response is added, removed or completed; not each time that one grows. */
  readonly onDidChangeHistory = this.#historyChanged.event;

  /** `storage`: the folder the server writes to. */
  constructor(storage: string) {
    this.#folder = path.join(storage, 'responses');
  }

  dispose(): void {
    this.#changed.dispose();
    this.#historyChanged.dispose();
  }

  /** The document of an outcome; its viewers are notified of the change. */
  refresh(outcome: ExecuteOutcome, stored: KeptResponse): vscode.Uri {
    const uri = responseUri(outcome, stored);
    const uris = [uri, runUri(outcome, stored)];
    this.#changed.fire(uris.map((each) => ({ type: vscode.FileChangeType.Changed, uri: each })));
    if (!goesOn(outcome)) this.#historyChanged.fire();
    return uri;
  }

  /** Records the current outcome of a run of `file`: the response may still be arriving. */
  follow(file: string, outcome: ExecuteOutcome, stored: KeptResponse): void {
    const isNews = goesOn(outcome) !== this.#unended.has(placeKey(stored));
    if (goesOn(outcome)) this.#unended.set(placeKey(stored), file);
    else this.#unended.delete(placeKey(stored));
    if (isNews) this.#historyChanged.fire();
  }

  /** No run of `file` is in progress any more, however it ended. */
  endAll(file: string): void {
    const ended = [...this.#unended].filter(([, of]) => of === file);
    for (const [place] of ended) this.#unended.delete(place);
    if (ended.length > 0) this.#historyChanged.fire();
  }

  /** Calls back when a response was kept or removed, by whichever window, until it is disposed of. */
  watchDisk(onChange: () => void): vscode.Disposable {
    const kept = new vscode.RelativePattern(vscode.Uri.file(this.#folder), `*${META}`);
    const watcher = vscode.workspace.createFileSystemWatcher(kept);
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(onChange),
      watcher.onDidChange(({ path: file }) => {
        if (!this.#unended.has(path.posix.basename(file, META))) onChange();
      }),
      watcher.onDidDelete(onChange),
    );
  }

  /** The outcomes of all kept runs, newest first. */
  async history(): Promise<readonly HistoryRun[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const read = names.filter((name) => name.endsWith(META)).map((name) => this.#meta(name));
    const kept = (await Promise.all(read)).flatMap((outcome): HistoryRun[] =>
      outcome === undefined ? [] : [{ ...outcome, state: this.stateOf(outcome) }],
    );
    return kept.sort((left, right) => right.response.at - left.response.at || right.response.run - left.response.run);
  }

  /** One in progress may be another window's, or of a window that was closed meanwhile. */
  stateOf(outcome: KeptOutcome): HistoryRun['state'] {
    if (goesOn(outcome)) return this.#unended.has(placeKey(outcome.response)) ? 'running' : 'unfinished';
    return outcome.status === 'failed' ? 'failed' : 'passed';
  }

  /** The previous run of the same request; undefined if it never ran before or that run was pruned. */
  async previous({ request, run }: ResponsePlace): Promise<KeptOutcome | undefined> {
    const before = (await this.#runs(request)).find((each) => each < run);
    return before === undefined ? undefined : this.#meta(`${request}-${before}${META}`);
  }

  /** Removes one kept response from the disk. */
  async remove({ response }: KeptOutcome): Promise<void> {
    const base = path.join(this.#folder, `${response.request}-${response.run}`);
    await Promise.all(ENDINGS.map((ending) => rm(base + ending, { force: true })));
    const open = vscode.workspace.textDocuments
      .map(({ uri }) => uri)
      .filter(({ scheme, authority }) => scheme === SCHEME && authority === response.request);
    const gone = open.filter(({ query }) => query === `run=${response.run}`);
    const others = open.filter(({ query }) => query === '');
    this.#changed.fire([
      ...gone.map((uri) => ({ type: vscode.FileChangeType.Deleted, uri })),
      ...others.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })),
    ]);
    this.#historyChanged.fire();
  }

  /** Removes every kept response from the disk; those being received are ended. */
  async clear(): Promise<void> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => KEPT.test(name));
    await Promise.all(names.map((name) => rm(path.join(this.#folder, name), { force: true })));
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME);
    this.#changed.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Deleted, uri })));
    this.#historyChanged.fire();
  }

  /** The first bytes of a response, as text. */
  async head(outcome: ExecuteOutcome, { request, run }: KeptResponse, bytes: number): Promise<string> {
    try {
      const head = await readWhole(path.join(this.#folder, `${request}-${run}.json`), bytes);
      return new TextDecoder().decode(head) + (head.length < outcome.bytes ? '…' : '');
    } catch {
      return '';
    }
  }

  /** The outcome of the run that this document shows; undefined if it was pruned. */
  async outcome(uri: vscode.Uri): Promise<KeptOutcome | undefined> {
    const name = await this.#fileOf(uri).catch(() => undefined);
    return name === undefined ? undefined : this.#meta(name.replace(/\.json$/, META));
  }

  /** The outcome of a run; undefined if it was pruned. */
  outcomeOf({ request, run }: ResponsePlace): Promise<KeptOutcome | undefined> {
    return this.#meta(`${request}-${run}${META}`);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { size, mtimeMs, birthtimeMs } = await stat(path.join(this.#folder, await this.#fileOf(uri)));
    return {
      type: vscode.FileType.File,
      permissions: vscode.FilePermission.Readonly,
      ctime: birthtimeMs,
      mtime: mtimeMs,
      size,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return readWhole(path.join(this.#folder, await this.#fileOf(uri)));
  }

  watch(): vscode.Disposable {
    // `refresh` reports changes.
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  readonly createDirectory = denied;
  readonly writeFile = denied;
  readonly delete = denied;
  readonly rename = denied;

  /** The file that a document shows: that of its run, else of the request's newest. */
  async #fileOf(uri: vscode.Uri): Promise<string> {
    const named = /^run=(\d+)$/.exec(uri.query)?.[1];
    const request = uri.authority;
    const runs = await this.#runs(request);
    const run = named === undefined ? runs[0] : runs.find((each) => each === Number(named));
    if (run === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return `${request}-${run}.json`;
  }

  /** The numbers of a request's runs that can be shown, the newest first. */
  async #runs(request: string): Promise<readonly number[]> {
    if (!REQUEST.test(request)) return [];
    const names = await readdir(this.#folder).catch(() => []);
    const runs = names.flatMap((name) => {
      const match = FILE.exec(name);
      return match?.[1] === request ? [Number(match[2])] : [];
    });
    return runs.sort((left, right) => right - left);
  }

  /** An outcome by the name of its file; undefined for a run that is not done and for what was pruned. */
  async #meta(name: string): Promise<KeptOutcome | undefined> {
    try {
      const text = await readWhole(path.join(this.#folder, name));
      const outcome = JSON.parse(new TextDecoder().decode(text)) as ExecuteOutcome;
      return isKept(outcome) ? outcome : undefined;
    } catch {
      return undefined;
    }
  }
}

/** An outcome whose response is kept. */
export type KeptOutcome = KeptRun;
const isKept = (outcome: ExecuteOutcome): outcome is KeptOutcome => outcome.response !== undefined;

/** Titled by the request's name; a slash or a control character in it would not be a file name. */
export function responseUri(outcome: ExecuteOutcome, stored: KeptResponse): vscode.Uri {
  const title =
    outcome.title
      .replace(/[\p{Cc}\p{Cf}/\\?#:]+/gu, ' ')
      .trim()
      .slice(0, 80) || outcome.method;
  // A gateway's error page is not JSON; as JSON it would be reported as a problem.
  const ending = stored.isText === true ? 'txt' : 'json';
  return vscode.Uri.from({ scheme: SCHEME, authority: stored.request, path: `/${title}.${ending}` });
}

/** The document of one run; later runs do not change it. */
export const runUri = (outcome: ExecuteOutcome, stored: KeptResponse): vscode.Uri =>
  responseUri(outcome, stored).with({ query: `run=${stored.run}` });

const showing = new Queue();

/**
 * Shows a response where the user wants them, without taking the focus. A tab that shows the same request's response is
 * reused, unless it would cover what has to stay in front. One after the other: of two that open in the same place at once
 * the editor refuses one.
 */
export const showResponse = (uri: vscode.Uri, request: vscode.Uri | undefined): Promise<void> =>
  showing.add(() => showNow(uri, request));

async function showNow(uri: vscode.Uri, request: vscode.Uri | undefined): Promise<void> {
  const open = (viewColumn: vscode.ViewColumn): Thenable<unknown> =>
    vscode.window.showTextDocument(uri, { viewColumn, preserveFocus: true, preview: true });
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => isOfRequest(tab, uri));
  const reused = tabs.find((tab) => tab.isActive || mayCover(tab.group));
  // If the title changed, or the answer is not JSON, the same request has another document.
  const stale = tabs.filter((tab) => tab !== reused || !showsUri(tab, uri));
  if (reused === undefined) await openAsResponse(request, open);
  else await open(reused.group.viewColumn);
  await vscode.window.tabGroups.close(stale, true);
}

const uriOf = ({ input }: vscode.Tab): vscode.Uri | undefined =>
  input instanceof vscode.TabInputText ? input.uri : undefined;
const showsUri = (tab: vscode.Tab, uri: vscode.Uri): boolean => uriOf(tab)?.toString() === uri.toString();

/** A document of the newest response of the same request; those of single runs stay as they are. */
function isOfRequest(tab: vscode.Tab, { authority, query }: vscode.Uri): boolean {
  const uri = uriOf(tab);
  return uri?.scheme === SCHEME && uri.authority === authority && uri.query === query;
}

const placeKey = ({ request, run }: ResponsePlace): string => `${request}-${run}`;

/** A stream that is open, or a transaction that is not final. */
const goesOn = ({ stream, landing }: ExecuteOutcome): boolean => stream?.isOpen === true || landing?.isWatched === true;

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

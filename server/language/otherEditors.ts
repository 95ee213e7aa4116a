// The server behind an editor that is not ours (`solana-rpc lsp`): endpoints come from the terminal's configuration, and
// one command runs a request. Nothing here is served to our own client, where any extension could call a command.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CodeActionKind,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  type Connection,
  type InitializeParams,
  type ServerCapabilities,
} from 'vscode-languageserver/node';
import { parseDocument } from '../../core/requests/document/document';
import { placeAt } from '../../core/requests/document/lines';
import { FILE_BYTES } from '../../core/service/fileKinds';
import { isSendable } from '../../core/requests/language/features/structure';
import { readRegularText } from '../../process/files';
import type { BlockAnswer, EditorHost } from '../../runner/host';
import type { WindowState } from '../../protocol/lsp';
import type { Documents } from '../lsp/connection';
import { badParameters, responseError, requireMembers } from '../lsp/serve';
import { ExactResult } from '../lsp/exact';
import type { Adapter } from './language';
import type { Log } from '../lsp/log';
import { Shown } from './shown';
import { signalOf } from '../lsp/signal';
import { UNKNOWN_WINDOW, type Window } from '../window';

/** Advertised to other editors only: `[uri, line]`, answered with the `requests[0]` of `solana-rpc run --json`. */
export const RUN_COMMAND = 'solanaRpc.run';

export interface OtherEditorDeps {
  readonly connection: Connection;
  readonly documents: Documents;
  readonly window: Window;
  readonly host: EditorHost;
  readonly log: Log;
  /** Endpoints or settings changed, and with them possibly the meaning of files. */
  readonly refresh: () => void;
}

export interface OtherEditor {
  /** Records the editor's capabilities. */
  capabilities(params: InitializeParams): ServerCapabilities;
  /** Reads the configuration; called once the editor is ready. */
  start(): Promise<void>;
}

export function serveOtherEditor(deps: OtherEditorDeps): OtherEditor {
  const { connection, window, host, log } = deps;
  let folders: readonly string[] = [process.cwd()];
  let watches = false;
  let changesFolders = false;
  let shows = false;
  const documents = new Shown(connection);

  const configure = async (): Promise<void> => {
    const found = await host.project(folders[0] ?? process.cwd());
    if (!found.ok) log('error', `${found.error.message} ${found.error.hint ?? ''}`.trim());
    const { active, ...named } = found.ok ? found.value : { active: undefined };
    window.update({ ...windowOf(folders, active), ...named });
    deps.refresh();
  };

  return {
    capabilities(params) {
      folders = foldersOf(params);
      watches = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
      changesFolders = params.capabilities.workspace?.workspaceFolders === true;
      shows = params.capabilities.window?.showDocument?.support === true;
      window.update(windowOf(folders, undefined));
      connection.onExecuteCommand(async (asked, token) => {
        requireMembers(asked, ['command']);
        try {
          if (asked.command !== RUN_COMMAND) throw badParameters(`There is no command ${asked.command.slice(0, 80)}.`);
          const place = placeIn(asked.arguments);
          const answer = await runBlock(deps, folders, place, signalOf(token));
          void showReport(connection, answer.report);
          if (place.show && shows) void documents.show(answer);
          return new ExactResult(answer.json);
        } catch (error) {
          throw responseError(error, token, (message) => log('error', `${RUN_COMMAND}: ${message}`));
        }
      });
      connection.onDidChangeWatchedFiles(() => void configure());
      return {
        executeCommandProvider: { commands: [RUN_COMMAND] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      };
    },
    async start() {
      if (watches) void watch(connection);
      if (changesFolders)
        connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
          const gone = new Set(pathsOf(removed));
          const left = folders.filter((folder) => !gone.has(folder));
          folders = orHere([...new Set([...left, ...pathsOf(added)])]);
          void configure();
        });
      await configure();
    },
  };
}

/** Opening a file in the editor trusts it just as passing it to `solana-rpc run` does. */
function windowOf(folders: readonly string[], active: WindowState['profiles'][number] | undefined): WindowState {
  return {
    ...UNKNOWN_WINDOW,
    trusted: true,
    folders,
    profiles: active === undefined ? [] : [active],
    endpoint: active?.profile.name,
  };
}

/** The lenses' `Send` as the available command, and as a code action for editors without lenses. */
export const otherEditorAdapter: Adapter = {
  lenses: (lenses) =>
    lenses.flatMap((lens) =>
      lens.command?.command === 'solanaRpc.send'
        ? [{ ...lens, command: { ...lens.command, command: RUN_COMMAND, arguments: shown(lens.command.arguments) } }]
        : [],
    ),
  actions(document, { line }) {
    const at = placeAt(document, line).placed;
    if (!isSendable(at.block)) return [];
    const title = 'Send this request';
    return [
      {
        title,
        kind: CodeActionKind.Source,
        command: { title, command: RUN_COMMAND, arguments: shown([document.uri, at.line]) },
      },
    ];
  },
};

/** A third argument requests the answer as a document: the editor does not show a command's result. */
const shown = (place: readonly unknown[] = []): unknown[] => [...place, { show: true }];

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  const folders = pathsOf(workspaceFolders ?? []);
  return orHere(folders.length > 0 || rootUri === null ? folders : pathsOf([{ uri: rootUri }]));
}

const pathsOf = (folders: readonly { readonly uri: string }[]): readonly string[] => [
  ...new Set(folders.flatMap(({ uri }) => pathOf(uri) ?? [])),
];

/** An editor without a folder works where it was started. */
const orHere = (folders: readonly string[]): readonly string[] => (folders.length === 0 ? [process.cwd()] : folders);

/** The path of a `file:` URI. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly show: boolean;
}

function placeIn(given: unknown): Place {
  const [uri, line, options] = Array.isArray(given) ? (given as readonly unknown[]) : [];
  const file = typeof uri === 'string' ? pathOf(uri) : undefined;
  if (file === undefined || typeof line !== 'number' || !Number.isSafeInteger(line) || line < 0)
    throw badParameters(`${RUN_COMMAND} takes the URI of a file on disk and a line that counts from 0.`);
  const show = typeof options === 'object' && options !== null && 'show' in options && options.show === true;
  return { file, line, show };
}

async function runBlock(
  { connection, documents, host }: OtherEditorDeps,
  folders: readonly string[],
  { file, line }: Place,
  signal: AbortSignal,
): Promise<BlockAnswer> {
  const openText = (wanted: string): string | undefined =>
    documents
      .all()
      .find(({ uri }) => pathOf(uri) === wanted)
      ?.lines.join('\n');
  const text = openText(file) ?? (await readRegularText(file, FILE_BYTES.request).catch(() => undefined));
  if (text === undefined) throw badParameters('This file cannot be read.');
  if (!isSendable(placeAt(parseDocument(file, 1, text), line).placed.block))
    throw badParameters(`There is no request on line ${line + 1}.`);
  const inside = folders.filter((folder) => file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep));
  const folder = inside.sort((a, b) => b.length - a.length)[0] ?? folders[0] ?? process.cwd();
  const answer = await host.run(
    { file, line, folder, openText, confirm: (question) => confirm(connection, question) },
    signal,
  );
  if (answer.ok) return answer.value;
  const { message, hint } = answer.error;
  throw new ResponseError(ErrorCodes.InvalidRequest, hint === undefined ? message : `${message} ${hint}`);
}

/** An editor that cannot ask has not agreed. */
async function confirm({ window }: Connection, message: string): Promise<boolean> {
  const send = { title: 'Send' };
  const asked = window.showWarningMessage(message, send, { title: 'Cancel' });
  return (await asked.catch(() => undefined))?.title === send.title;
}

/** Registers for changes of the project's configuration. */
async function watch({ client }: Connection): Promise<void> {
  const watchers = [{ globPattern: '**/*.json' }];
  // An editor that promised and then refuses only has to be started again after a change.
  await client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch(() => undefined);
}

/** One line for editors that do not show a command's result. */
async function showReport(connection: Connection, report: BlockAnswer['report']): Promise<void> {
  const { name, title, method, status, httpStatus, durationMs, error, assertions } = report;
  const what = name ?? (title === '' ? method : title);
  const how = httpStatus === undefined ? '' : `, HTTP ${httpStatus}`;
  const unmet = assertions.find(({ passed }) => !passed);
  const why =
    error !== undefined ? ` ${error.message} ${error.hint ?? ''}` : unmet === undefined ? '' : ` Failed: ${unmet.text}`;
  await connection.sendNotification(ShowMessageNotification.type, {
    type: status === 'failed' ? MessageType.Error : MessageType.Info,
    message: `${what}: ${status} in ${Math.round(durationMs)} ms${how}.${why}`.trim(),
  });
}

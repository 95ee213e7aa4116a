// `solana-rpc lsp --stdio` as another editor starts it: the built command, with its own folder and environment.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageWriter, type MessageConnection } from 'vscode-jsonrpc/node';
import { PASSED_ON, type Workspace } from '../process/cli';
import '../process/interrupt';
import { messageReader } from './messageReader';

const PROGRAM = path.join(__dirname, '..', '..', '..', 'dist', 'cli.js');

export interface EditorLike {
  readonly connection: MessageConnection;
  readonly child: ChildProcess;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The exact text of every message that came from the server. */
  wire(): string;
  uri(name: string): string;
  open(name: string, text: string): Promise<void>;
  run(name: string, line: number, options?: unknown): Promise<Row>;
  stop(): Promise<void>;
}

/** The members of a row that the tests look at. */
export interface Row {
  readonly status: string;
  readonly endpoint: string;
  readonly response?: { readonly result: unknown };
  readonly error?: { readonly kind: string; readonly message: string };
}

export interface EditorOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Further members of the parameters of `initialize`. */
  readonly params?: Readonly<Record<string, unknown>>;
}

export async function startEditor(workspace: Workspace, options: EditorOptions = {}): Promise<EditorLike> {
  const { root } = workspace;
  const child = spawn(process.execPath, [PROGRAM, 'lsp', '--stdio', ...(options.args ?? [])], {
    cwd: root,
    env: { ...PASSED_ON, HOME: root, XDG_CONFIG_HOME: path.join(root, 'config'), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const killer = (): boolean => child.kill('SIGKILL');
  process.once('exit', killer);
  let wire = '';
  child.stdout.on('data', (part: Buffer) => (wire += part.toString()));
  const connection = createMessageConnection(messageReader(child.stdout), new StreamMessageWriter(child.stdin));
  connection.onError(() => undefined);
  connection.listen();
  const { capabilities } = await connection.sendRequest<{ capabilities: Record<string, unknown> }>('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: {},
    ...options.params,
  });
  await connection.sendNotification('initialized', {});
  const uri = (name: string): string => pathToFileURL(path.join(root, name)).href;
  return {
    connection,
    child,
    capabilities,
    wire: () => wire,
    uri,
    open: (name, text) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uri(name), languageId: 'jsonrpc', version: 1, text },
      }),
    run: (name, line, more) =>
      connection.sendRequest('workspace/executeCommand', {
        command: 'solanaRpc.run',
        arguments: [uri(name), line, ...(more === undefined ? [] : [more])],
      }),
    async stop() {
      process.off('exit', killer);
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        // As an editor that is gone: the server removes what it has shown.
        child.stdin.end();
        await gone;
      }
      connection.dispose();
    },
  };
}

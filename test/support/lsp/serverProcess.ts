// The built language server as a child process, spoken to over vscode-jsonrpc, with a key broker of the test's own on IPC.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMessageConnection, StreamMessageWriter, type MessageConnection } from 'vscode-jsonrpc/node';
import type { InitializationOptions, WindowState } from '../../../protocol/lsp';
import { DEFAULT_SETTINGS } from '../../../protocol/settings';
import type { FromServer, SecretReply, SecretRequest } from '../../../protocol/secrets';
import '../process/interrupt';
import { messageReader } from './messageReader';

export const SERVER = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'server.js');

/** A trusted window without folders or profiles. */
export const WINDOW: WindowState = {
  trusted: true,
  folders: [],
  profiles: [],
  endpoint: undefined,
  schemas: [],
  packs: [],
  idls: [],
  settings: DEFAULT_SETTINGS,
};

export type Answer = (request: SecretRequest) => SecretReply | Promise<SecretReply>;

export interface RunningServer {
  readonly connection: MessageConnection;
  readonly child: ChildProcess;
  /** The server's answer to `initialize`. */
  readonly capabilities: Record<string, unknown>;
  /** Folder for response files; removed by `stop`. */
  readonly storage: string;
  /** Everything the server wrote to stderr so far. */
  stderr(): string;
  /** Opens or replaces a `.jsonrpc` text. */
  open(uri: string, text: string): Promise<void>;
  push(message: SecretReply): void;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly window?: Partial<WindowState>;
  readonly answer?: Answer;
  readonly capabilities?: Record<string, unknown>;
  readonly env?: NodeJS.ProcessEnv;
  /** A folder for response files that stays when the server ends. */
  readonly storage?: string;
}

const denyAll: Answer = ({ id }) => ({ kind: 'denied', id, reason: 'none' });

export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const storage = options.storage ?? (await mkdtemp(path.join(tmpdir(), 'solana-rpc-server-')));
  const child = fork(SERVER, [], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    env: options.env ?? process.env,
  });
  // A test file that dies must not leave its server behind.
  const killer = (): boolean => child.kill('SIGKILL');
  process.once('exit', killer);
  const answer = options.answer ?? denyAll;
  child.on('message', (message: FromServer) => {
    if (message.kind !== 'delivery') void Promise.resolve(answer(message)).then((reply) => child.send(reply));
  });
  const { stdin, stdout, stderr: errors } = child;
  if (stdin === null || stdout === null || errors === null) throw new Error('The server has no pipes.');
  let stderr = '';
  errors.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const connection = createMessageConnection(messageReader(stdout), new StreamMessageWriter(stdin));
  // A server that is killed on purpose closes its pipes while we may still write.
  connection.onError(() => undefined);
  connection.listen();
  const initializationOptions: InitializationOptions = { window: { ...WINDOW, ...options.window }, storage };
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${code}: ${stderr.slice(-2_000)}`);
  });
  // After the handshake the end of the server is the test's own affair.
  died.catch(() => undefined);
  const answered = connection.sendRequest<{ capabilities: Record<string, unknown> }>('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: options.capabilities ?? { textDocument: { diagnostic: {} } },
    initializationOptions,
  });
  const { capabilities } = await Promise.race([answered, died]);
  await connection.sendNotification('initialized', {});
  let version = 0;
  return {
    connection,
    child,
    capabilities,
    storage,
    stderr: () => stderr,
    open: (uri, text) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'jsonrpc', version: ++version, text },
      }),
    push: (message) => void child.send(message),
    async stop() {
      process.removeListener('exit', killer);
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      connection.dispose();
      if (options.storage === undefined) await rm(storage, { recursive: true, force: true });
    },
  };
}

// Owns the language server: forks it with LSP on stdio and the IPC channel free for keys, restarts it, ends it.
// The LanguageClient never holds the child. Starts on first need.
import { fork, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { LanguageClient, StreamInfo } from 'vscode-languageclient/node';
import { logged, type InitializationOptions } from '../../protocol/lsp';
import type { FromServer, SecretDelivery, SecretReply, SecretRequest } from '../../protocol/secrets';
import { childEnvironment } from '../../process/environment';
import type { ServerState } from '../shared/health';
import { RestartBudget } from './restarts';

/** As long as a server may need to stop. ms */
const STOP_MS = 2_000;

export interface ServerDeps {
  /** Absolute path of dist/server.js. */
  readonly module: string;
  readonly log: vscode.LogOutputChannel;
  /** Answers what the server asks for over IPC. */
  readonly answer: (request: SecretRequest) => Promise<SecretReply>;
  /** Takes in a key that the local service made. */
  readonly deliver: (delivery: SecretDelivery) => void;
  /** Read at every start, so that a restarted server gets the window's current state. */
  readonly initialization: () => InitializationOptions;
}

export class Server implements vscode.Disposable {
  readonly #budget = new RestartBudget();
  readonly #stateChanged = new vscode.EventEmitter<ServerState>();
  readonly #attached: ((client: LanguageClient) => void)[] = [];
  #child: ChildProcess | undefined;
  #client: LanguageClient | undefined;
  #starting: Promise<LanguageClient> | undefined;
  #state: ServerState = 'stopped';
  #disposed = false;

  /** Fires with every change of `state`; a listener that sees `restarting` knows that every run was interrupted. */
  readonly onDidChangeState = this.#stateChanged.event;

  constructor(private readonly deps: ServerDeps) {}

  get state(): ServerState {
    return this.#state;
  }

  /** The process id of the running server; undefined if it is not running. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The running server, started on first use. Rejects when it cannot be started. */
  readonly ready = async (): Promise<LanguageClient> => {
    if (this.#state === 'gaveUp') throw new Error(vscode.l10n.t('The language server has stopped.'));
    this.#starting ??= this.#start();
    return this.#starting;
  };

  /** Registers handlers of what the server sends, before its first start; `attach` is called once, with its connection. */
  onAttach(attach: (client: LanguageClient) => void): void {
    this.#attached.push(attach);
  }

  /** The server where one is running already; nothing is started. */
  running(): LanguageClient | undefined {
    return this.#client?.isRunning() === true ? this.#client : undefined;
  }

  /** Pushes a message on the key channel; nothing happens where no server runs. */
  push(reply: SecretReply): void {
    if (this.#child?.connected === true) this.#child.send(reply);
  }

  /** Starts again, after it gave up or because the user wants it. Requests under way are rejected. */
  async restart(): Promise<void> {
    this.#budget.reset();
    this.#setState('restarting');
    const child = this.#child;
    // Only the end of its process settles the requests to a server that does not answer, its shutdown among them.
    const late = setTimeout(() => child?.kill('SIGKILL'), STOP_MS);
    try {
      await this.running()?.stop(2 * STOP_MS);
    } catch (error) {
      this.deps.log.warn(
        `The language server was ended: ${error instanceof Error ? error.message : 'it did not stop'}`,
      );
    } finally {
      clearTimeout(late);
    }
    this.#starting = this.#start();
    await this.#starting;
  }

  dispose(): void {
    this.#disposed = true;
    this.#stateChanged.dispose();
    const child = this.#child;
    // A server that does not answer the shutdown request in time is ended all the same.
    void this.#client
      ?.dispose()
      .catch(() => undefined)
      .finally(() => child?.kill('SIGKILL'));
  }

  async #start(): Promise<LanguageClient> {
    this.#setState('starting');
    try {
      const client = (this.#client ??= await this.#create());
      // The window may have closed meanwhile.
      if (this.#disposed) throw new Error(vscode.l10n.t('The language server has stopped.'));
      await client.start();
      return client;
    } catch (error) {
      this.#starting = undefined;
      this.#setState('stopped');
      throw error;
    }
  }

  async #create(): Promise<LanguageClient> {
    // Loading the library takes a while; yields first, so that callers such as the activation are not blocked.
    await nextTurn();
    const { createLanguageClient } = await import('./languageClient');
    const { log, initialization } = this.deps;
    const client = createLanguageClient({
      log,
      streams: () => this.#fork(),
      initialization,
      onRunning: () => this.#setState('ready'),
      onClosed: () => this.#closed(),
      isOver: () => this.#disposed,
    });
    client.onNotification(logged, ({ level, text }) => log[level](text));
    for (const attach of this.#attached) attach(client);
    return client;
  }

  #fork(): Promise<StreamInfo> {
    const child = fork(this.deps.module, [], {
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      env: { ...childEnvironment(), ELECTRON_NO_ASAR: '1' },
      execArgv: [],
    });
    this.#child = child;
    child.on('message', (message: FromServer) => {
      if (message.kind === 'delivery') {
        this.deps.deliver(message);
        return;
      }
      void this.deps.answer(message).then((reply) => {
        // The asker may be gone, and its successor asks again by itself.
        if (child.connected) child.send(reply);
      });
    });
    child.on('error', (error) => this.deps.log.error(`The language server could not run: ${error.message}`));
    child.on('exit', (code, signal) => {
      if (!this.#disposed) this.deps.log.info(`The language server ended (${signal ?? `exit code ${code}`}).`);
    });
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) throw new Error('The server was forked without pipes.');
    createInterface({ input: stderr }).on('line', (line) => this.deps.log.error(line));
    // `detached`: the LanguageClient must not look after this child; we do.
    return Promise.resolve({ reader: stdout, writer: stdin, detached: true });
  }

  /** True where the server is to be started again. */
  #closed(): boolean {
    if (this.#disposed || this.#budget.spend(Date.now())) {
      this.#setState('restarting');
      return true;
    }
    this.#setState('gaveUp');
    void this.#offerRestart();
    return false;
  }

  async #offerRestart(): Promise<void> {
    const showLog = vscode.l10n.t('Show Log');
    const restart = vscode.l10n.t('Restart');
    const message = vscode.l10n.t('The Solana RPC language server ended five times in three minutes and stays off.');
    const choice = await vscode.window.showErrorMessage(message, showLog, restart);
    if (choice === showLog) this.deps.log.show();
    if (choice === restart) await this.restart();
  }

  #setState(state: ServerState): void {
    if (this.#disposed || state === this.#state) return;
    this.#state = state;
    this.#stateChanged.fire(state);
  }
}

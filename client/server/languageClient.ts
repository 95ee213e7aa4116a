// The LanguageClient as this extension sets it up. Loaded when the server is first needed: its library is most of what
// the extension would otherwise load at its activation. Starts nothing.
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State } from 'vscode-languageclient/node';
import type { CancellationToken, LogOutputChannel } from 'vscode';
import type { MessageSignature, StreamInfo } from 'vscode-languageclient/node';
import type { InitializationOptions } from '../../protocol/lsp';
import { COPY_VALUE } from '../shared/copyValue';

export interface LanguageClientDeps {
  readonly log: LogOutputChannel;
  /** Starts the server and gives its streams. */
  readonly streams: () => Promise<StreamInfo>;
  readonly initialization: () => InitializationOptions;
  readonly onRunning: () => void;
  /** Called when the connection is gone; true where the server is to be started again. */
  readonly onClosed: () => boolean;
  /** Whether the window closes: its log is closed then too. */
  readonly isOver: () => boolean;
}

class WorkbenchClient extends LanguageClient {
  #isOver: (() => boolean) | undefined;

  /** Nobody waits for answers once `isOver`. */
  endsWith(isOver: () => boolean): this {
    this.#isOver = isOver;
    return this;
  }

  /** A request that the closing window cut off has not failed: its answer is the empty one. */
  override handleFailedRequest<T>(
    type: MessageSignature,
    token: CancellationToken | undefined,
    error: unknown,
    ...[defaultValue, ...more]: [defaultValue: T, showNotification?: boolean, throwOnCancel?: boolean]
  ): T {
    if (this.#isOver?.() === true) return defaultValue;
    return super.handleFailedRequest(type, token, error, defaultValue, ...more);
  }
}

export function createLanguageClient(deps: LanguageClientDeps): LanguageClient {
  const client = new WorkbenchClient('solanaRpc', 'Solana RPC', deps.streams, {
    documentSelector: [{ language: 'jsonrpc' }],
    // Hovers link to one command, which copies what they show.
    markdown: { isTrusted: { enabledCommands: [COPY_VALUE] } },
    outputChannel: deps.log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: deps.initialization,
    diagnosticPullOptions: { onChange: true, onSave: true },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: deps.onClosed() ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true }),
    },
  }).endsWith(deps.isOver);
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) deps.onRunning();
  });
  return client;
}

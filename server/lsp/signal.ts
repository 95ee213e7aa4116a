// `$/cancelRequest` as the signal that reaches the socket.
import type { CancellationToken } from 'vscode-languageserver/node';

export function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

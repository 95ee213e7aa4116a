// Reads a fork's accounts from its endpoint: the local service asks over IPC, the language server reads with the endpoint's
// key.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { SourceReader } from '../../process/sourceQuestions';
import { readSource } from '../../protocol/source';

/** `profile`: the endpoint's name. */
export function forkSource(server: () => Promise<LanguageClient>, profile: string): SourceReader {
  return async (question, signal) => {
    const cancel = new vscode.CancellationTokenSource();
    const stop = (): void => cancel.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await (await server()).sendRequest(readSource, { profile, question }, cancel.token);
    } catch {
      return { ok: false, message: vscode.l10n.t('The language server did not answer.') };
    } finally {
      signal.removeEventListener('abort', stop);
      cancel.dispose();
    }
  };
}

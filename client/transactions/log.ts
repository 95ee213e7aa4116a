// The whole log of a transaction as a document of the editor: every line as the node gave it.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { transactionLog } from '../../protocol/explain';
import type { TransactionHello } from '../../protocol/transactionPanel';
import type { TransactionTexts } from './texts';

export interface LogDeps {
  readonly server: () => Promise<LanguageClient>;
  readonly texts: TransactionTexts;
}

export async function openLog({ server, texts }: LogDeps, { source, title }: TransactionHello): Promise<void> {
  const log = await (await server()).sendRequest(transactionLog, { source });
  if (log === null) {
    await vscode.window.showWarningMessage(vscode.l10n.t('The log of this transaction is no longer kept.'));
    return;
  }
  const document = await vscode.workspace.openTextDocument(texts.add(`${title}.log`, log));
  await vscode.window.showTextDocument(document, { preview: false });
}

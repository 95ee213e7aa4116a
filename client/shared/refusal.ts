// Says why something was not sent or not answered, and offers the step that mends it.
import * as vscode from 'vscode';
import type { ServiceError } from '../../core/service/errors';
import { plain, sentences } from './words';

/** Says why something was refused, with the step that mends it where there is one. */
export async function sayRefused(error: ServiceError): Promise<void> {
  if (error.kind === 'cancelled') return;
  const step = error.kind === 'noKey' ? vscode.l10n.t('Add Key…') : undefined;
  const text = plain(sentences(error));
  const chosen = await vscode.window.showWarningMessage(text, ...(step === undefined ? [] : [step]));
  if (chosen !== undefined) await vscode.commands.executeCommand('solanaRpc.addKey');
}

/** Why nothing is sent in Restricted Mode, and what to do. */
export const restrictedText = (): string =>
  vscode.l10n.t('Nothing is sent in Restricted Mode. Trust this workspace to send requests from it.');

/** The user asked for something that Restricted Mode keeps back: says so, and offers the way out. */
export async function offerTrust(): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  if ((await vscode.window.showInformationMessage(restrictedText(), manage)) === manage)
    await vscode.commands.executeCommand('workbench.trust.manage');
}

/** The server's answer; a failure where it ended, or could not be started. */
export async function serverAnswer<T>(ask: () => Promise<T>): Promise<T | Unanswered> {
  try {
    return await ask();
  } catch {
    const message = vscode.l10n.t('The language server did not answer.');
    return { kind: 'failed', error: { kind: 'network', message } };
  }
}

interface Unanswered {
  readonly kind: 'failed';
  readonly error: ServiceError;
}

// Says why a service refused something.
import * as vscode from 'vscode';
import type { ServiceError } from '../../core/service/errors';
import { plain } from './words';

/** Says why something was refused, with the step that mends it where there is one. */
export async function sayRefused({ kind, message, hint }: ServiceError): Promise<void> {
  if (kind === 'cancelled') return;
  const step = kind === 'noKey' ? vscode.l10n.t('Add Key…') : undefined;
  const text = plain(hint === undefined ? message : `${message} ${hint}`);
  const chosen = await vscode.window.showWarningMessage(text, ...(step === undefined ? [] : [step]));
  if (chosen !== undefined) await vscode.commands.executeCommand('solanaRpc.addKey');
}

// Copy as: which tool a request is written down for, and the clipboard. The text holds no key: its place is taken by a
// variable of the environment.
import * as vscode from 'vscode';
import type { CopyForm } from '../../core/requests/copy/request';
import type { CopyAsResult } from '../../protocol/lsp';
import { plain } from '../shared/words';

interface FormWords {
  readonly label: string;
  readonly icon: string;
  readonly description: string;
}

const words = (): Readonly<Record<CopyForm, FormWords>> => ({
  curl: { label: 'curl', icon: 'terminal', description: vscode.l10n.t('a command for the shell') },
  kit: { label: '@solana/kit', icon: 'symbol-namespace', description: vscode.l10n.t('a JavaScript module') },
  web3: {
    label: '@solana/web3.js',
    icon: 'symbol-namespace',
    description: vscode.l10n.t('a JavaScript module, for version 1'),
  },
  wscat: { label: 'wscat', icon: 'terminal', description: vscode.l10n.t('a command for the shell') },
  websocat: { label: 'websocat', icon: 'terminal', description: vscode.l10n.t('a command for the shell') },
  grpcurl: {
    label: 'grpcurl',
    icon: 'terminal',
    description: vscode.l10n.t('a command for the shell; needs geyser.proto'),
  },
});

/** Asks which form, where there are several, and copies it. */
export async function copyOneOf(copies: CopyAsResult): Promise<void> {
  if (copies.kind === 'refused') {
    await vscode.window.showWarningMessage(plain(copies.reason));
    return;
  }
  const known = words();
  const rows = copies.offers.map(({ form, written }) => ({
    label: `$(${known[form].icon}) ${known[form].label}`,
    description: known[form].description,
    detail: written.kind === 'refused' ? `$(circle-slash) ${plain(written.reason)}` : '',
    form,
    written,
  }));
  const choice =
    rows.length === 1 ? rows[0] : await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Copy as') });
  if (choice === undefined) return;
  if (choice.written.kind === 'refused') {
    await vscode.window.showWarningMessage(plain(choice.written.reason));
    return;
  }
  await vscode.env.clipboard.writeText(choice.written.text);
  const { label } = known[choice.form];
  const text =
    copies.open.length === 0
      ? vscode.l10n.t('Copied for {0}, without its key.', label)
      : vscode.l10n.t('Copied for {0}. Fill in {1} before you run it.', label, copies.open.join(', '));
  vscode.window.setStatusBarMessage(`$(copy) ${text}`, 8_000);
}

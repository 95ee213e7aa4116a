// The first line of a response: status, time, size, slot and transport as lenses, and the next step after a failure.
import * as vscode from 'vscode';
import type { ExecuteOutcome } from '../protocol/lsp';
import { SCHEME, type Responses } from './responses';
import { plain, sizeText } from './words';

export function createResponseLenses(responses: Responses): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      const outcome = await responses.outcome(document.uri);
      return outcome === undefined ? [] : lensesOf(outcome);
    },
  };
  return vscode.Disposable.from(
    changed,
    responses.onDidChangeFile(() => changed.fire()),
    vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, provider),
  );
}

function lensesOf(outcome: ExecuteOutcome): vscode.CodeLens[] {
  const { httpStatus, slot, response, error, stream } = outcome;
  const told = (title: string, command = ''): vscode.Command => ({ title, command });
  const failing = outcome.assertions.filter(({ passed }) => !passed).length;
  const rows: (vscode.Command | undefined)[] = [
    stream?.isOpen === true
      ? told(vscode.l10n.t('● live'))
      : told(`${outcome.status === 'passed' ? '✓' : '✗'} ${httpStatus ?? outcome.status}`),
    stream === undefined ? undefined : told(vscode.l10n.t('{0} messages', stream.count)),
    stream === undefined || stream.dropped === 0 ? undefined : told(vscode.l10n.t('{0} dropped', stream.dropped)),
    told(`${outcome.durationMs.toFixed(outcome.durationMs < 10 ? 1 : 0)} ms`),
    told(sizeText(outcome.bytes)),
    slot === undefined ? undefined : told(vscode.l10n.t('slot {0}', slot)),
    told(outcome.transport),
    error === undefined ? undefined : told(plain(error.message)),
    error?.hint === undefined ? undefined : told(plain(error.hint), NEXT_STEP[error.kind] ?? ''),
    failing === 0 ? undefined : told(vscode.l10n.t('{0} assertions failed', failing)),
    response?.fullFile === undefined
      ? undefined
      : {
          title: vscode.l10n.t('Only the head is shown: open all of it'),
          command: 'vscode.open',
          arguments: [vscode.Uri.file(response.fullFile)],
        },
  ];
  const first = new vscode.Range(0, 0, 0, 0);
  return rows.filter((row) => row !== undefined).map((row) => new vscode.CodeLens(first, row));
}

/** The command a click on the hint of an error runs. */
const NEXT_STEP: Readonly<Record<string, string>> = {
  noKey: 'solanaRpc.addKey',
  keyRejected: 'solanaRpc.rotateKey',
  wrongKeyType: 'solanaRpc.addKey',
};

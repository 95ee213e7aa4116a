// The first line of a response: status, time and size as lenses, what can be done with it, slot and transport, and the next
// step after a failure.
import * as vscode from 'vscode';
import type { ExecuteOutcome } from '../../protocol/lsp';
import { SCHEME, type KeptOutcome, type Responses } from './responses';
import { plain, sizeText } from '../app/words';

export function createResponseLenses(responses: Responses): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      const outcome = await responses.outcome(document.uri);
      if (outcome === undefined) return [];
      const previous = await responses.previous(outcome.response);
      return [...lensesOf(outcome, document, previous !== undefined), ...errorLenses(outcome, document)];
    },
  };
  return vscode.Disposable.from(
    changed,
    responses.onDidChangeFile(() => changed.fire()),
    vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, provider),
  );
}

function lensesOf(outcome: KeptOutcome, document: vscode.TextDocument, hasPrevious: boolean): vscode.CodeLens[] {
  const { httpStatus, slot, response, stream, landing } = outcome;
  const { items, isDecodable } = response;
  const offered = (title: string, name: string): vscode.Command => ({
    title,
    command: `solanaRpc.${name}`,
    arguments: [document.uri.toString()],
  });
  const failing = outcome.assertions.filter(({ passed }) => !passed).length;
  const rows: (vscode.Command | undefined)[] = [
    stream?.isOpen === true
      ? told(vscode.l10n.t('● live'))
      : told(`${outcome.status === 'passed' ? '✓' : '✗'} ${httpStatus ?? outcome.status}`),
    stream === undefined ? undefined : told(vscode.l10n.t('{0} messages', stream.count)),
    stream === undefined || stream.dropped === 0 ? undefined : told(vscode.l10n.t('{0} dropped', stream.dropped)),
    told(`${outcome.durationMs.toFixed(outcome.durationMs < 10 ? 1 : 0)} ms`),
    told(sizeText(outcome.bytes)),
    landing === undefined ? undefined : told(`${landing.isWatched ? '● ' : ''}${plain(landing.text)}`),
    failing === 0
      ? undefined
      : told(failing === 1 ? vscode.l10n.t('1 assertion failed') : vscode.l10n.t('{0} assertions failed', failing)),
    ...(response.fullFile === undefined
      ? []
      : [
          offered(vscode.l10n.t('Only the head is shown: browse all of it'), 'browseResponse'),
          offered(vscode.l10n.t('Open in full'), 'openInFull'),
        ]),
    items === undefined
      ? undefined
      : offered(vscode.l10n.t('Table ({0})', items.toLocaleString(vscode.env.language)), 'openTable'),
    isDecodable === true ? offered(vscode.l10n.t('Decode accounts'), 'decodeAccounts') : undefined,
    hasPrevious ? offered(vscode.l10n.t('Diff with previous'), 'diffWithPrevious') : undefined,
    offered(vscode.l10n.t('Save'), 'saveResponse'),
    // A narrow editor cuts the end of the line: what can be done stands before what is only told.
    slot === undefined ? undefined : told(vscode.l10n.t('slot {0}', slot)),
    told(outcome.transport),
  ];
  const first = new vscode.Range(0, 0, 0, 0);
  return rows.filter((row) => row !== undefined).map((row) => new vscode.CodeLens(first, row));
}

/**
 * What went wrong, and under it the next step, each on a line of its own at the error in the body: side by side with the
 * rest a narrow editor would cut them.
 */
function errorLenses(
  { error, endpoint, key, lostSignature }: ExecuteOutcome,
  document: vscode.TextDocument,
): vscode.CodeLens[] {
  if (error === undefined) return [];
  const lines = Array.from(
    { length: Math.min(document.lineCount, HEAD_LINES) },
    (_, line) => document.lineAt(line).text,
  );
  const line = Math.max(
    0,
    lines.findIndex((text) => /^\s*"error":/.test(text)),
  );
  const at = (line: number): vscode.Range => {
    const column = document.lineAt(line).firstNonWhitespaceCharacterIndex;
    return new vscode.Range(line, column, line, column);
  };
  const last = Math.min(line + 1, document.lineCount - 1);
  const { message, hint } = error;
  const step =
    lostSignature === undefined
      ? nextStep(error.kind, endpoint)
      : {
          title: vscode.l10n.t('Look up its signature…'),
          command: 'solanaRpc.send',
          arguments: [{ lookUp: lostSignature }],
        };
  const lenses = [new vscode.CodeLens(at(line), told(`✗ ${plain(message)}`))];
  if (step !== undefined)
    lenses.push(
      new vscode.CodeLens(at(last), {
        ...step,
        title: `→ ${step.title}`,
        tooltip: plain(hint ?? step.title),
        // The endpoint that the request went to, which need not be the active one; a missing key is for its host alone.
        ...(step.command === 'solanaRpc.addKey' && {
          arguments: [error.kind === 'noKey' && key !== undefined ? { key } : endpoint],
        }),
      }),
    );
  else if (hint !== undefined) lenses.push(new vscode.CodeLens(at(last), told(`→ ${plain(hint)}`)));
  return lenses;
}

/** A narrow editor cuts a lens; its tooltip is the whole. */
const told = (title: string): vscode.Command => ({ title, command: '', tooltip: title });

/** Where an answer's error is looked for: it stands near the top. */
const HEAD_LINES = 50;

/** For errors that a command answers: that command, in words short enough for a lens. */
function nextStep(kind: string, endpoint: string): vscode.Command | undefined {
  switch (kind) {
    case 'noKey':
      return { title: vscode.l10n.t('Add key for {0}…', plain(endpoint)), command: 'solanaRpc.addKey' };
    case 'keyRejected':
      return { title: vscode.l10n.t('Rotate key…'), command: 'solanaRpc.rotateKey' };
    case 'wrongKeyType':
      return { title: vscode.l10n.t('Add key…'), command: 'solanaRpc.addKey' };
    default:
      return undefined;
  }
}

// Moves a key out of a request file into secret storage. The key is read from the document here: no caller hands it in,
// and none gets it back. It is stored for the host that the line's request goes to. The file changes only once it is stored.
import { trailingRun } from '../../core/solana/common/ends';
import * as vscode from 'vscode';
import { unescaped } from '../../core/service/providers/urlText';
import { Secret } from '../../core/service/keys/secret';
import { plain } from '../shared/words';
import { destination } from '../../protocol/lsp';
import { count, list, record, type ReadBy } from '../../protocol/shapes';
import { hostsOf, placeAsWritten, placeFor, type KeyUse } from './keyPlace';
import { enteredLabel, labelsAt, pickedPlace, storedAt, type AddKeyDeps } from './addKey';

/** From the language server's quick fix: the file, the key's place, and what to remove. */
interface Move {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly edits: readonly vscode.TextEdit[];
}

export async function moveSecret(deps: AddKeyDeps, args: readonly unknown[]): Promise<void> {
  const move = moveIn(args);
  if (move === undefined) return;
  const document = await vscode.workspace.openTextDocument(move.uri);
  const { version } = document;
  const secret = secretIn(document, move.range);
  if (document.languageId !== 'jsonrpc' || secret === undefined) return;
  const { start, end } = move.range;
  const found = await placeOfLine(deps, document.uri, start.line);
  if (found === undefined) return;
  const place = placeAsWritten(found, document.lineAt(start.line).text, {
    start: start.character,
    end: end.character,
  });
  const label = await enteredLabel(place.type, await labelsAt(deps, place));
  if (label === undefined) return;
  const result = await storedAt(deps, place, { type: place.type, label, tested: false }, secret);
  if (!result.ok) {
    await vscode.window.showWarningMessage(
      vscode.l10n.t('The key stays in the file: {0}', plain(result.error.message)),
    );
    return;
  }
  const change = new vscode.WorkspaceEdit();
  change.set(move.uri, [...move.edits]);
  // The edits are of the text as it was before the label was asked for.
  if (document.version !== version || !(await vscode.workspace.applyEdit(change))) {
    await vscode.window.showWarningMessage(
      vscode.l10n.t('The key is stored, but still in the file, which the editor did not change: remove it there.'),
    );
    return;
  }
  const text = vscode.l10n.t(
    'The key is in secret storage, for {0} only. Rotate it if anybody else has seen the file.',
    plain(hostsOf(place.origins).join(', ')),
  );
  vscode.window.setStatusBarMessage(`$(key) ${text}`, 8_000);
}

/** The place of the request that contains the key; for a key of the whole file the active endpoint, of a type the user picks. */
async function placeOfLine(deps: AddKeyDeps, uri: vscode.Uri, line: number): Promise<KeyUse | undefined> {
  const query = await (await deps.server()).sendRequest(destination, { uri: uri.toString(), line });
  return query === null ? pickedPlace(deps.profiles.active()) : placeFor(deps.profiles.find(query.profile), query);
}

/** The key in a header, a URL or a JSON string; undefined if there is no key or it contains a variable. */
function secretIn(document: vscode.TextDocument, range: vscode.Range): Secret | undefined {
  const bare = document
    .getText(range)
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/^(?:Bearer|Token)\s+/i, '');
  const before = document.lineAt(range.start.line).text.slice(0, range.start.character);
  // A key is stored as it was issued, not as a URL has to write it.
  const key = isInUrl(before) ? unescaped(bare) : bare;
  return key === '' || key.includes('{{') ? undefined : new Secret(key);
}

/** A line up to a part of its URL, or of the query behind a gRPC method. */
function isInUrl(line: string): boolean {
  const word = trailingRun(line, /\S/);
  return word.includes('://') || (word.startsWith('?') && word.length < line.length);
}

const position = record({ line: count, character: count });
const span = record({ start: position, end: position });
const edits = list(record({ range: span, newText: 'string' }), Infinity);

function moveIn([uri, place, changes]: readonly unknown[]): Move | undefined {
  const [range, texts] = [span(place), edits(changes)];
  if (typeof uri !== 'string' || range === undefined || texts === undefined) return undefined;
  return {
    uri: vscode.Uri.parse(uri),
    range: rangeOf(range),
    edits: texts.map((edit) => new vscode.TextEdit(rangeOf(edit.range), edit.newText)),
  };
}

const rangeOf = ({ start, end }: ReadBy<typeof span>): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

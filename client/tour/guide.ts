// The first steps: the tour, its sample and the other examples as files of the user's own, and a new request file.
import * as vscode from 'vscode';
import type { CommandTable } from '../shared/command';
import { columnShowing, isGuideInFront } from '../shared/editorGroups';

/** Opens an example as a copy of the user's own, which can be edited and thrown away, and shows it; the sample unless named. */
export type OpenCopy = (
  show: (document: vscode.TextDocument) => Thenable<unknown>,
  name?: string,
) => Promise<vscode.TextDocument>;

/** @param examples the folder of files the extension brings */
export function exampleCopies(examples: vscode.Uri): OpenCopy {
  /** In a window without a folder: the copies that are open already, so that none is opened twice. */
  const unnamed = new Map<string, vscode.TextDocument>();
  const documentOf = async (name: string): Promise<vscode.TextDocument> => {
    const known = unnamed.get(name);
    if (known?.isClosed === false) return known;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (folder !== undefined) return namedCopy(vscode.Uri.joinPath(folder, name));
    const copy = await vscode.workspace.openTextDocument({ language: 'jsonrpc' });
    unnamed.set(name, copy);
    return copy;
  };
  return async (show, name = SAMPLE) => {
    const content = await textOf(vscode.Uri.joinPath(examples, name));
    const document = await documentOf(name);
    await show(document);
    // Written once it is shown: a changed text that no editor shows is opened by the editor itself, in another place.
    if (document.isUntitled && document.getText() === '') {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), content);
      await vscode.workspace.applyEdit(edit);
      toFirstRequest(document);
    }
    return document;
  };
}

export interface GuideDeps {
  readonly examples: vscode.Uri;
  readonly opened: OpenCopy;
  /** Resolves once the language server answers. */
  readonly ready: () => Promise<unknown>;
  /** Sends every request of a file. */
  readonly sendAll: (document: vscode.TextDocument) => Promise<void>;
}

export function guideCommands({ examples, opened, ready, sendAll }: GuideDeps): CommandTable {
  return {
    async newRequestFile(target) {
      const document =
        target instanceof vscode.Uri
          ? await emptyIn(target)
          : await vscode.workspace.openTextDocument({ language: 'jsonrpc' });
      await vscode.window.showTextDocument(document, { preview: false });
      // Offers the methods at once.
      await ready();
      await vscode.commands.executeCommand('editor.action.triggerSuggest');
    },
    async openExample() {
      const found = await vscode.workspace.fs.readDirectory(examples);
      const names = found.map(([name]) => name).filter((name) => name.endsWith('.jsonrpc'));
      const rows = await Promise.all(
        names
          .sort((a, b) => Number(b === SAMPLE) - Number(a === SAMPLE) || a.localeCompare(b))
          .map(async (name) => ({
            label: name,
            detail: /^# (.*)$/m.exec(await textOf(vscode.Uri.joinPath(examples, name)))?.[1] ?? '',
          })),
      );
      const title = vscode.l10n.t('Open an example as a copy');
      const row = await vscode.window.showQuickPick(rows, { title, matchOnDetail: true });
      if (row !== undefined)
        await opened((document) => vscode.window.showTextDocument(document, { preview: false }), row.label);
    },
    async openSample() {
      await opened(showCopy);
    },
    async sendSample() {
      await sendAll(await opened(showCopy));
    },
  };
}

/** An insertion takes the cursor along; reading begins at the top, and what can be sent at the first request. */
function toFirstRequest(document: vscode.TextDocument): void {
  const first = document
    .getText()
    .split('\n')
    .findIndex((line) => line.startsWith('###'));
  const place = new vscode.Position(Math.max(first, 0), 0);
  for (const editor of vscode.window.visibleTextEditors) {
    if (editor.document !== document) continue;
    editor.selection = new vscode.Selection(place, place);
    editor.revealRange(new vscode.Range(0, 0, 0, 0), vscode.TextEditorRevealType.AtTop);
  }
}

/** Shows a copy where it is already open; else in the active group, or next to the guide if that is in front. */
export const showCopy = (document: vscode.TextDocument): Thenable<vscode.TextEditor> =>
  vscode.window.showTextDocument(document, {
    viewColumn: columnShowing(document) ?? (isGuideInFront() ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active),
    preview: false,
  });

/** The tour. */
const SAMPLE = 'quickstart.jsonrpc';

const textOf = async (file: vscode.Uri): Promise<string> =>
  new TextDecoder().decode(await vscode.workspace.fs.readFile(file));

/** An empty request file that saving puts into `folder`, under a name that is free. */
async function emptyIn(folder: vscode.Uri): Promise<vscode.TextDocument> {
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name));
  for (const { uri } of vscode.workspace.textDocuments)
    if (uri.scheme === 'untitled') taken.add(uri.path.split('/').at(-1) ?? '');
  let name = 'requests.jsonrpc';
  for (let number = 2; taken.has(name); number++) name = `requests-${number}.jsonrpc`;
  const file = vscode.Uri.joinPath(folder, name).with({ scheme: 'untitled', authority: '' });
  return vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(file), 'jsonrpc');
}

/** An unsaved copy that will be saved as `file`; the existing file if it was saved before. */
async function namedCopy(file: vscode.Uri): Promise<vscode.TextDocument> {
  const saved = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (saved) return vscode.workspace.openTextDocument(file);
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: 'untitled', authority: '' }));
  return vscode.languages.setTextDocumentLanguage(document, 'jsonrpc');
}

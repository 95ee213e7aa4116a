// Saves on the user's request: asks where and writes the text there. A link at that place is replaced, never followed: a
// repository may contain a link that leads anywhere.
import * as vscode from 'vscode';

/** Asks for a file or folder, by default one of this name in the first folder. */
export function askWhere(
  name: string,
  title: string,
  filters?: Readonly<Record<string, string[]>>,
): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title,
    ...(filters !== undefined && { filters }),
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}

/** Writes what the user agreed to write over. */
export async function saveText(target: vscode.Uri, text: string): Promise<void> {
  const { fs } = vscode.workspace;
  const found = await fs.stat(target).then(
    ({ type }) => type,
    () => vscode.FileType.Unknown,
  );
  // As the editor's own copy over a link does.
  if ((found & vscode.FileType.SymbolicLink) !== 0) await fs.delete(target);
  await fs.writeFile(target, new TextEncoder().encode(text));
}

// Where what belongs to the opened folder is kept: one place for all windows on it. The editor's own storage of a workspace
// is another one in each window.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type * as vscode from 'vscode';

/** The parts of the workspace that its storage folder is named after. */
export interface OpenedWorkspace {
  /** For a saved workspace file; an unsaved workspace has no storage. */
  readonly file: vscode.Uri | undefined;
  readonly folders: readonly vscode.Uri[];
}

/** The folder on disk, inside the storage shared by all windows; the shared folder itself if nothing is open. */
export function storageFor(shared: string, { file, folders }: OpenedWorkspace): string {
  const isSaved = file !== undefined && file.scheme !== 'untitled';
  const names = isSaved ? [file.toString()] : folders.map((folder) => folder.toString()).sort();
  if (names.length === 0) return shared;
  const name = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16);
  return path.join(shared, 'folders', name);
}

// Files of the workspace for a run. Refuses everything in a window that is not trusted, and for a text without a file.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { failed, invalidRequest, ok } from '../../core/service/errors';
import { createWorkspaceFiles } from '../../process/workspaceFiles';
import type { FilePort } from '../../runner/ports';
import type { Window } from '../window';

/** `text` of a file that is open in the editor comes before what is on disk. */
export function createFiles(window: Window, openText: (uri: string) => string | undefined): FilePort {
  return createWorkspaceFiles({
    roots: () => window.state.folders,
    resolve(name, from) {
      const permit = window.permit();
      if (!permit.ok) return permit;
      if (!from.startsWith('file:')) return failed(invalidRequest('Only a file on disk can name other files.'));
      try {
        return ok(path.resolve(path.dirname(fileURLToPath(from)), name));
      } catch {
        const message = `${shown(from)} does not name a file on this machine.`;
        return failed(invalidRequest(message, 'Rename the file, without a percent sign.'));
      }
    },
    openText: (place) => openText(pathToFileURL(place).href),
    shown,
    outside: (name) => invalidRequest(`${shown(name)} is outside the workspace.`, 'Move it into the workspace.'),
  });
}

const shown = (name: string): string => (name.length > 200 ? `${name.slice(0, 199)}…` : name);

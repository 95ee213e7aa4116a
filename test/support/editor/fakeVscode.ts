// Loads a module of the client outside of an editor, over as much of `vscode` as a test makes.
import Module, { createRequire } from 'node:module';
import path from 'node:path';

const CLIENT = path.join(__dirname, '..', '..', '..', 'client', path.sep);

/**
 * `file`: absolute, or relative to the file `from`. Modules of the client are loaded again: another test of the process has
 * loaded some of them over its own `vscode`.
 */
export function loadOver<T>(editor: object, file: string, from: string): T {
  for (const loaded of Object.keys(require.cache)) if (loaded.startsWith(CLIENT)) delete require.cache[loaded];
  const loader = Module as unknown as { _load: (request: string, ...more: readonly unknown[]) => unknown };
  const original = loader._load;
  loader._load = (request, ...more) => (request === 'vscode' ? editor : original.call(loader, request, ...more));
  try {
    return createRequire(from)(file) as T;
  } finally {
    loader._load = original;
  }
}

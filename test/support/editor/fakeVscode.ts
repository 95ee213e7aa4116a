// Loads a module of the client outside of an editor, over as much of `vscode` as a test makes.
import Module, { createRequire } from 'node:module';

/** `file`: absolute, or relative to the file `from`. */
export function loadOver<T>(editor: object, file: string, from: string): T {
  const loader = Module as unknown as { _load: (request: string, ...more: readonly unknown[]) => unknown };
  const original = loader._load;
  loader._load = (request, ...more) => (request === 'vscode' ? editor : original.call(loader, request, ...more));
  try {
    return createRequire(from)(file) as T;
  } finally {
    loader._load = original;
  }
}

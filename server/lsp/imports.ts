// Imported request files, read ahead so that names can be looked up at once: open files as they are in the editor,
// others from disk as `files` allows.
import { parseDocument } from '../../core/requests/document/document';
import { holdsMoreReferences } from '../../core/requests/document/variables/reference';
import { MAX_FILE_REFERENCES } from '../../core/service/fileKinds';
import { holdsHalf } from '../../core/solana/common/surrogates';
import type { RequestDocument } from '../../core/requests/document/model';
import type { ImportPort } from '../../core/requests/document/variables/variables';
import type { FilePort } from '../../runner/ports';
import type { Documents } from './connection';

/** Files that one file may pull in; more than this is a mistake. */
const MAX_FILES = 200;

/** The files that are known once imports have been followed, and the look-up of one by its path. */
export interface Imported extends ImportPort {
  readonly documents: readonly RequestDocument[];
}

/** Reads the files that `roots` import, transitively; an unreadable file is absent. */
export async function importsOf(
  roots: readonly RequestDocument[],
  documents: Documents,
  files: FilePort,
): Promise<Imported> {
  const known = new Map<string, RequestDocument>(roots.map((root) => [root.uri, root]));

  const failures = new Map<string, string>();
  const follow = async (from: RequestDocument): Promise<void> => {
    for (const { text: name } of from.first.kind === 'preamble' ? from.first.settings.imports : []) {
      const uri = uriOf(name, from.uri);
      if (uri === undefined || known.has(uri) || known.size >= MAX_FILES) continue;
      const text = await files.read(name, from.uri, 'request');
      if (!text.ok) {
        failures.set(uri, text.error.message);
        continue;
      }
      if (holdsMoreReferences(text.value, MAX_FILE_REFERENCES)) {
        failures.set(uri, `${name} holds more than ${MAX_FILE_REFERENCES} references ({{…}}); split it.`);
        continue;
      }
      const document = documents.get(uri) ?? parseDocument(uri, 0, text.value);
      known.set(uri, document);
      await follow(document);
    }
  };

  for (const root of roots) await follow(root);
  return {
    documents: [...known.values()],
    documentOf: (name, from) => known.get(uriOf(name, from) ?? ''),
    whyNone: (name, from) => failures.get(uriOf(name, from) ?? ''),
  };
}

/** The URI of a path that the file `from` names; undefined if the path is invalid. */
export function uriOf(name: string, from: string): string | undefined {
  // No URI, and no file, has half of a character in its name.
  if (holdsHalf(name)) return undefined;
  const path = encodeURI(name.replace(/\\/g, '/'));
  return URL.canParse(path, from) ? new URL(path, from).href : undefined;
}

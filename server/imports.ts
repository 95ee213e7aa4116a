// Request files that other ones import, read ahead so that names can be looked up at once: open files as they stand in
// the editor, others from disk as `files` allows.
import { parseDocument } from '../core/document/document';
import type { RequestDocument } from '../core/document/model';
import type { ImportPort } from '../core/document/variables';
import type { FilePort } from '../runner/ports';
import type { Documents } from './documents';

/** Files that one file may pull in; more than this is a mistake. */
const MAX_FILES = 200;

/** Reads what `root` imports, and what that imports; a file that cannot be read is absent. */
export async function importsOf(root: RequestDocument, documents: Documents, files: FilePort): Promise<ImportPort> {
  const known = new Map<string, RequestDocument>([[root.uri, root]]);

  const follow = async (from: RequestDocument): Promise<void> => {
    for (const { text: name } of from.first.kind === 'preamble' ? from.first.settings.imports : []) {
      const uri = uriOf(name, from.uri);
      if (uri === undefined || known.has(uri) || known.size >= MAX_FILES) continue;
      const text = await files.read(name, from.uri);
      if (!text.ok) continue;
      const document = documents.get(uri) ?? parseDocument(uri, 0, text.value);
      known.set(uri, document);
      await follow(document);
    }
  };

  await follow(root);
  return {
    documentOf(name, from) {
      const uri = uriOf(name, from);
      return uri === undefined ? undefined : known.get(uri);
    },
  };
}

function uriOf(name: string, from: string): string | undefined {
  const path = encodeURI(name.replace(/\\/g, '/'));
  return URL.canParse(path, from) ? new URL(path, from).href : undefined;
}

// A file with everything it imports, for a run: open files as they stand in the editor, others from disk. A file that
// cannot be read is part of the answer, with its reason.
import { parseDocument } from '../core/document/document';
import type { RequestDocument } from '../core/document/model';
import type { ImportedFile, SourceFile } from '../core/run/source';
import type { FilePort } from '../runner/ports';

/** Files that one run may pull in; more than this is a mistake. */
const MAX_FILES = 200;

export async function sourceOf(root: RequestDocument, files: FilePort): Promise<SourceFile> {
  const known = new Map<string, SourceFile>();

  const load = async (document: RequestDocument): Promise<SourceFile> => {
    const imports: ImportedFile[] = [];
    const file: SourceFile = { path: document.uri, document, imports };
    known.set(document.uri, file);
    const preamble = document.blocks[0]?.block;
    for (const directive of preamble?.kind === 'preamble' ? preamble.settings.imports : [])
      imports.push({ directive, ...(await follow(document.uri, directive.text)) });
    return file;
  };

  const follow = async (from: string, name: string): Promise<Pick<ImportedFile, 'file' | 'reason'>> => {
    const uri = URL.canParse(name, from) ? new URL(encodeURI(name), from).href : undefined;
    const loaded = uri === undefined ? undefined : known.get(uri);
    if (uri === undefined) return { reason: 'This is no path.' };
    if (loaded !== undefined) return { file: loaded };
    if (known.size >= MAX_FILES) return { reason: `More than ${MAX_FILES} files are imported.` };
    const text = await files.read(name, from);
    return text.ok ? { file: await load(parseDocument(uri, 0, text.value)) } : { reason: text.error.message };
  };

  return load(root);
}

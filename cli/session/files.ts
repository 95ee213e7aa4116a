// Files of the terminal: request files with their imports, and the file port of a run. The workspace is the working
// directory.
import path from 'node:path';
import { parseDocument } from '../../core/requests/document/document';
import { invalidRequest, ok } from '../../core/service/errors';
import { isRequest } from '../../core/requests/run/plan';
import { holdsMoreReferences } from '../../core/requests/document/variables/reference';
import { FILE_BYTES, MAX_FILE_REFERENCES } from '../../core/service/fileKinds';
import { fileRefused, readGivenText } from '../../process/files';
import { createWorkspaceFiles } from '../../process/workspaceFiles';
import { escapeLine } from '../terminal';
import { UsageError } from '../exit';
import type { GivenFile } from './given';
import type { ReadFiles } from './readFiles';
import type { RequestDocument } from '../../core/requests/document/model';
import type { ImportPort } from '../../core/requests/document/variables/variables';
import type { FilePort } from '../../runner/ports';

const TOO_MANY = `holds more than ${MAX_FILE_REFERENCES} references ({{…}}); split it`;

export interface Loaded {
  /** In the order given; `uri` is the path as it was given. */
  readonly files: readonly RequestDocument[];
  readonly imports: ImportPort;
}

/** The text of a file that an editor has open, by its absolute path. */
export type OpenText = (file: string) => string | undefined;

export interface Loading {
  /** Comes before what is on disk. */
  readonly openText?: OpenText;
  /** Records each file before it is read. */
  readonly read?: ReadFiles | undefined;
}

/** Reads the files and everything they import. Throws UsageError for a file that is not there. */
export async function loadFiles(
  given: readonly GivenFile[],
  root: string,
  { openText, read }: Loading = {},
): Promise<Loaded> {
  const documents = new Map<string, RequestDocument>();
  const files: RequestDocument[] = [];
  for (const { name, text: own } of given) {
    if (own === undefined) read?.reading(name);
    const text = own ?? openText?.(path.resolve(name)) ?? (await readGiven(name));
    if (holdsMoreReferences(text, MAX_FILE_REFERENCES)) throw new UsageError(`${escapeLine(name)} ${TOO_MANY}.`);
    const document = parseDocument(name, 1, text);
    documents.set(path.resolve(name), document);
    files.push(document);
  }
  const port = createFilePort(root, openText);
  const failures = new Map<string, string>();
  const pending = [...files];
  for (let document = pending.pop(); document !== undefined; document = pending.pop()) {
    for (const { text } of document.first.settings.imports) {
      const target = resolvedFrom(text, document.uri);
      if (documents.has(target)) continue;
      read?.reading(target);
      const found = await port.read(text, document.uri, 'request');
      if (!found.ok) {
        failures.set(target, found.error.message);
        continue;
      }
      if (holdsMoreReferences(found.value, MAX_FILE_REFERENCES)) {
        failures.set(target, `${escapeLine(text)} ${TOO_MANY}.`);
        continue;
      }
      const imported = parseDocument(path.relative(process.cwd(), target), 1, found.value);
      documents.set(target, imported);
      pending.push(imported);
    }
  }
  return {
    files,
    imports: {
      documentOf: (name, from) => documents.get(resolvedFrom(name, from)),
      whyNone: (name, from) => failures.get(resolvedFrom(name, from)),
    },
  };
}

async function readGiven(name: string): Promise<string> {
  try {
    return await readGivenText(name, FILE_BYTES.request);
  } catch (error) {
    const { message } = fileRefused(error, 'read');
    throw new UsageError(`${name === '' ? 'A file without a name' : escapeLine(name)} ${message}.`);
  }
}

/** Reports files without a request on standard error: a named file is expected to contain one. */
export function sayEmpty(files: readonly RequestDocument[]): void {
  for (const { uri, blocks } of files)
    if (!blocks.some(({ block }) => isRequest(block) || block.problems.length > 0))
      process.stderr.write(`${escapeLine(uri)} holds no request.\n`);
}

/** The absolute path that `name` means in the file `from`. */
export const resolvedFrom = (name: string, from: string): string => path.resolve(path.dirname(from), name);

/** `root` is the workspace: an absolute path. */
export const createFilePort = (root: string, openText: OpenText = () => undefined): FilePort =>
  createWorkspaceFiles({
    roots: () => [root],
    resolve: (name, from) => ok(resolvedFrom(name, from)),
    openText,
    shown: (name) => escapeLine(name),
    outside: (name) =>
      invalidRequest(`${escapeLine(name)} is outside the working directory.`, 'Run from a folder that holds the file.'),
  });

/** The same port; `read` records what it reads and what it has written. */
export const followed = (files: FilePort, read: ReadFiles): FilePort => ({
  ...files,
  read(name, from, kind) {
    read.reading(resolvedFrom(name, from));
    return files.read(name, from, kind);
  },
  async write(name, from, content, overwrite) {
    const written = await files.write(name, from, content, overwrite);
    if (written.ok) read.written(resolvedFrom(name, from));
    return written;
  },
});

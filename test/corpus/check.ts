// Checks the corpus with the language service as the editor does: real files next to it, nothing else from outside.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver-types';
import { parseDocument } from '../../core/requests/document/document';
import { rowsOfFile } from '../../core/requests/document/variables/rows';
import type { RequestDocument } from '../../core/requests/document/model';
import { createLanguageService, type LanguageService } from '../../core/requests/language/service';
import { inTextOrder, type Finding } from './marks';

export const CORPUS = import.meta.dirname;

const SEVERITY: Readonly<Record<DiagnosticSeverity, string>> = {
  [DiagnosticSeverity.Error]: 'error',
  [DiagnosticSeverity.Warning]: 'warning',
  [DiagnosticSeverity.Information]: 'information',
  [DiagnosticSeverity.Hint]: 'hint',
};

/** The path of a file that `name` names in the file `from`; undefined outside the corpus. */
function resolved(name: string, from: string): string | undefined {
  const target = path.resolve(path.dirname(fileURLToPath(from)), name);
  return target.startsWith(CORPUS + path.sep) ? target : undefined;
}

function documentOf(name: string, from: string): RequestDocument | undefined {
  const target = resolved(name, from);
  return target === undefined || !existsSync(target) ? undefined : readDocument(target);
}

export const imports = { documentOf };

export const readDocument = (file: string, text = readFileSync(file, 'utf8')): RequestDocument =>
  parseDocument(pathToFileURL(file).href, 1, text);

/** The language service as a trusted workspace has it; a feature that fails fails the test. */
export const service: LanguageService = createLanguageService({
  surroundings: () => ({ imports, endpoints: ['local', 'mainnet'] }),
  files: {
    whyNotRead: (name, from) => {
      const target = resolved(name, from);
      return target !== undefined && existsSync(target) ? undefined : `The file ${name} is not there.`;
    },
    rows: (name, from) => {
      const target = resolved(name, from);
      return target === undefined || !existsSync(target) ? undefined : rowsOfFile(name, readFileSync(target, 'utf8'));
    },
    whyNotSaved: (name, from) =>
      resolved(name, from) === undefined ? 'A response is saved inside the workspace only.' : undefined,
  },
  log: (message) => assert.fail(message),
});

export const findingOf = ({ severity, code, range }: Diagnostic): Finding => ({
  severity: SEVERITY[severity ?? DiagnosticSeverity.Error],
  code: String(code),
  start: range.start,
  end: range.end,
});

export const findings = (document: RequestDocument): Finding[] =>
  service.diagnostics(document).map(findingOf).sort(inTextOrder);

/** A text as a file of the corpus that is not there. */
export const documentFor = (text: string): RequestDocument =>
  readDocument(path.join(CORPUS, 'valid', 'made.jsonrpc'), text);

/** The request files of a folder of the corpus, by name. */
export function filesOf(
  folder: 'valid' | 'faulty',
): readonly { readonly name: string; readonly file: string; readonly text: string }[] {
  return readdirSync(path.join(CORPUS, folder))
    .filter((name) => name.endsWith('.jsonrpc'))
    .map((name) => {
      const file = path.join(CORPUS, folder, name);
      return { name, file, text: readFileSync(file, 'utf8') };
    });
}

/** How many requests a document holds: blocks with a body or a request line. */
export const requestsIn = (document: RequestDocument): number =>
  document.blocks.filter(({ block }) => block.body !== undefined || block.requestLine !== undefined).length;

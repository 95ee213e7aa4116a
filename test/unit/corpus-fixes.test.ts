// A quick fix keeps its promise: applied to any faulty block of the corpus, the finding it belongs to is gone, and the
// file is none the worse for its grammar.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CodeAction, Diagnostic, TextEdit } from 'vscode-languageserver-types';
import { applyEdit } from '../../core/document/document';
import type { RequestDocument } from '../../core/document/model';
import { documentFor, filesOf, findingOf, readDocument, service } from '../corpus/check';
import { FAULTY_MESSAGES, geyserBlock } from '../corpus/geyser';
import { printFinding, readMarks } from '../corpus/marks';
import { MUTATIONS } from '../corpus/mutations';

/** Codes for which some finding of the corpus has to offer a fix. */
const FIXED = `trailing-comma bare-variable second-body stray-text unknown-directive bad-assertion duplicate-name
  duplicate-id unresolved-variable unknown-method deprecated-method wrong-transport params-by-name missing-param
  too-many-params too-many-items missing-field conflicting-fields filter-shape unknown-field wrong-type enum-value
  encoding-unsupported commitment-unsupported out-of-range transaction-encoding swqos-settings legacy-only
  unbounded-scan secret-in-file`.split(/\s+/);
const GRAMMAR = new Set(['json-syntax', 'second-body', 'stray-text', 'bad-directive', 'bad-assertion']);

const whole = (document: RequestDocument): Parameters<typeof service.codeActions>[1] => ({
  start: { line: 0, character: 0 },
  end: { line: document.lines.length, character: 0 },
});

function applied(document: RequestDocument, action: CodeAction): RequestDocument {
  const edits: readonly TextEdit[] = action.edit?.changes?.[document.uri] ?? [];
  const last = (edit: TextEdit): number => edit.range.start.line * 1e6 + edit.range.start.character;
  return [...edits]
    .sort((a, b) => last(b) - last(a))
    .reduce((text, edit) => applyEdit(text, text.version + 1, edit.range, edit.newText), document);
}

const seen = new Set<string>();

/** What is wrong with the fixes of a document, one line each. */
function broken(document: RequestDocument): string[] {
  const before = service.diagnostics(document);
  const count = (found: readonly Diagnostic[], test: (code: string) => boolean): number =>
    found.filter(({ code }) => test(String(code))).length;
  return service.codeActions(document, whole(document)).flatMap((action) => {
    const [diagnostic] = action.diagnostics ?? [];
    if (diagnostic === undefined) return [];
    const code = String(diagnostic.code);
    seen.add(code);
    if (action.edit === undefined) return [];
    const after = service.diagnostics(applied(document, action));
    const line = `“${action.title}” for ${printFinding(findingOf(diagnostic))} in ${document.lines.join('\n')}`;
    const isGone = count(after, (one) => one === code) < count(before, (one) => one === code);
    const isWorse = count(after, (one) => GRAMMAR.has(one)) > count(before, (one) => GRAMMAR.has(one));
    return [...(isGone ? [] : [`not gone: ${line}`]), ...(isWorse ? [`worse: ${line}`] : [])];
  });
}

const brokenIn = (source: string): string[] => broken(documentFor(readMarks(`### a\n${source}`).text));

describe('each fix mends what it belongs to', () => {
  for (const { name, file, text } of filesOf('faulty'))
    test(name, () => {
      assert.deepEqual(
        broken(readDocument(file, readMarks(text).text)).map((line) => line.split(' in ')[0]),
        [],
      );
    });
  for (const method of new Set(MUTATIONS.map((one) => one.method)))
    test(method, () => {
      const sources = MUTATIONS.filter((one) => one.method === method).map(({ source }) => source);
      assert.deepEqual(sources.flatMap(brokenIn), []);
    });
  test('messages of gRPC', () => {
    assert.deepEqual(FAULTY_MESSAGES.map(geyserBlock).flatMap(brokenIn), []);
  });
});

test('every code that can be mended offers a fix somewhere in the corpus', () => {
  assert.deepEqual(
    FIXED.filter((code) => !seen.has(code)),
    [],
  );
});

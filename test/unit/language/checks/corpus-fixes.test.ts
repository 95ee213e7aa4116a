// A quick fix keeps its promise: applied to any faulty block of the corpus, the finding it belongs to is gone, and the
// file has no new faults of grammar.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CodeAction, Diagnostic, TextEdit } from 'vscode-languageserver-types';
import { applyEdit } from '../../../../core/requests/document/document';
import type { RequestDocument } from '../../../../core/requests/document/model';
import { FIXES } from '../../../../core/requests/diagnostics/codes';
import { documentFor, filesOf, findingOf, readDocument, service } from '../../../corpus/check';
import { FAULTY_MESSAGES, geyserBlock } from '../../../corpus/geyser';
import { printFinding, readMarks } from '../../../corpus/marks';
import { MUTATIONS } from '../../../corpus/mutations';

const GRAMMAR = new Set(['json-syntax', 'second-body', 'stray-text', 'bad-directive', 'bad-assertion']);

const whole = (document: RequestDocument): Parameters<typeof service.codeActions>[1] => ({
  start: { line: 0, character: 0 },
  end: { line: document.lines.length, character: 0 },
});

/** The edits of an action; those of a key's move are made by the client, once the key is stored. */
function editsOf({ uri }: RequestDocument, { edit, command }: CodeAction): readonly TextEdit[] {
  return edit?.changes?.[uri] ?? (command?.arguments?.[2] as readonly TextEdit[] | undefined) ?? [];
}

function applied(document: RequestDocument, action: CodeAction): RequestDocument {
  const edits = editsOf(document, action);
  const last = (edit: TextEdit): number => edit.range.start.line * 1e6 + edit.range.start.character;
  return [...edits]
    .sort((a, b) => last(b) - last(a))
    .reduce((text, edit) => applyEdit(text, text.version + 1, edit.range, edit.newText), document);
}

const seen = new Set<string>();

/** Faults in the fixes of a document, one line each. */
function broken(document: RequestDocument): string[] {
  const before = service.diagnostics(document);
  const count = (found: readonly Diagnostic[], test: (code: string) => boolean): number =>
    found.filter(({ code }) => test(String(code))).length;
  return service.codeActions(document, whole(document)).flatMap((action) => {
    const [diagnostic] = action.diagnostics ?? [];
    if (diagnostic === undefined) return [];
    const code = String(diagnostic.code);
    // Silencing a finding mends nothing, but is checked all the same.
    if (action.title !== 'Silence This Finding') seen.add(code);
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

test('the codes that offer a fix somewhere in the corpus are those that the table says have one', () => {
  assert.deepEqual([...seen].sort(), Object.keys(FIXES).sort());
});

// Numbers that a simulation suggests, written into the request that was simulated: each is there, however fast they are
// chosen, and no matter what is typed meanwhile.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import type { LimitDeps, LimitWriter } from '../../../client/transactions/limits';
import { parseDocument } from '../../../core/requests/document/document';
import { transactionMemberEdits, type MemberEdit } from '../../../core/requests/language/features/transactionMembers';
import type { SetLimitParams } from '../../../protocol/explain';
import type { ResponsePlace } from '../../../protocol/lsp';
import { loadOver } from '../../support/editor/fakeVscode';

const FILE = 'file:///project/pay.jsonrpc';
const REQUEST = `### Pay
{ "method": "sendTransaction", "params": [{ "$transaction": { "instructions": [] } }] }
`;

/** An editor with one open file; edits take a turn of the loop, and refer to the text that is there then. */
class Editor {
  readonly document = { uri: FILE, version: 1 };
  readonly said: string[] = [];
  text = REQUEST;
  isReadOnly = false;

  change(text: string): void {
    this.text = text;
    this.document.version++;
  }

  apply({ ranges }: WorkspaceEdit): boolean {
    if (this.isReadOnly) return false;
    const lines = this.text.split('\n');
    const offset = ([line = 0, character = 0]: readonly number[]): number =>
      lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + character;
    let { text } = this;
    for (const { at, newText } of [...ranges].toSorted((a, b) => offset(b.at) - offset(a.at)))
      text = text.slice(0, offset(at.slice(0, 2))) + newText + text.slice(offset(at.slice(2)));
    this.change(text);
    return true;
  }
}

interface Replacement {
  /** Line and character of its start and its end. */
  readonly at: readonly number[];
  readonly newText: string;
}

class WorkspaceEdit {
  readonly ranges: Replacement[] = [];
  replace(_uri: unknown, { at }: Range, newText: string): void {
    this.ranges.push({ at, newText });
  }
}

class Range {
  readonly at: readonly number[];
  constructor(...at: readonly number[]) {
    this.at = at;
  }
}

/** The one that is open now. */
let editor: Editor;
const vscode = {
  l10n: { t: (text: string, ...values: readonly unknown[]) => text.replace('{0}', String(values[0])) },
  Uri: { parse: (text: string) => text },
  WorkspaceEdit,
  Range,
  window: {
    setStatusBarMessage: (text: string) => void editor.said.push(text),
    // Nobody answers it.
    showWarningMessage: (text: string) => new Promise(() => void editor.said.push(text)),
  },
  workspace: {
    openTextDocument: () => Promise.resolve(editor.document),
    applyEdit: async (edit: WorkspaceEdit) => {
      await setImmediate();
      return editor.apply(edit);
    },
  },
};
const { LimitWriter: Writer } = loadOver<{ readonly LimitWriter: new (deps: LimitDeps) => LimitWriter }>(
  vscode,
  '../../../client/transactions/limits',
  __filename,
);

function opened() {
  editor = new Editor();
  let onAsked = (): void => undefined;
  const server = {
    sendRequest: async (
      _type: unknown,
      { line, member, value }: SetLimitParams,
    ): Promise<readonly MemberEdit[] | null> => {
      const { text } = editor;
      onAsked();
      await setImmediate();
      const written = member === 'priorityFee' ? { microLamports: value } : value;
      return transactionMemberEdits(parseDocument(FILE, 1, text), line, { [member]: written }) ?? null;
    },
  };
  const deps = {
    responses: { outcomeOf: () => Promise.resolve({ uri: FILE, line: 0 }) },
    server: () => Promise.resolve(server),
  } as unknown as LimitDeps;
  return {
    writer: new Writer(deps),
    /** Once, while the server looks at the text. */
    whileAsked: (work: () => void): void => {
      onAsked = () => {
        onAsked = () => undefined;
        work();
      };
    },
  };
}

const PLACE = {} as ResponsePlace;
const transactionIn = (text: string): unknown => {
  const [, body = ''] = /^(\{.*\})$/m.exec(text) ?? [];
  const { params } = JSON.parse(body) as { readonly params: readonly { readonly $transaction: unknown }[] };
  return params[0]?.$transaction;
};

test('all that are chosen at once are there', async () => {
  const { writer } = opened();
  await Promise.all([
    writer.write(PLACE, { member: 'computeUnitLimit', value: 1_880 }),
    writer.write(PLACE, { member: 'loadedAccountsDataLimit', value: 32_768 }),
    writer.write(PLACE, { member: 'priorityFee', value: 7 }),
    writer.write(PLACE, { member: 'computeUnitLimit', value: 2_000 }),
  ]);
  assert.deepEqual(transactionIn(editor.text), {
    instructions: [],
    computeUnitLimit: 2_000,
    loadedAccountsDataLimit: 32_768,
    priorityFee: { microLamports: 7 },
  });
});

test('what is typed meanwhile moves no edit to a wrong place', async () => {
  const { writer, whileAsked } = opened();
  whileAsked(() => editor.change(REQUEST.replace('### Pay\n', '### Pay\n# a note of several words\n')));
  await writer.write(PLACE, { member: 'computeUnitLimit', value: 1_880 });
  assert.match(editor.text, /^### Pay\n# a note of several words\n\{/);
  assert.deepEqual(transactionIn(editor.text), { instructions: [], computeUnitLimit: 1_880 });
});

test('a limit that cannot be written is reported, and the next one is tried all the same', async () => {
  const { writer } = opened();
  editor.isReadOnly = true;
  await writer.write(PLACE, { member: 'computeUnitLimit', value: 1_880 });
  assert.deepEqual(editor.said, [
    'computeUnitLimit could not be written into the request: the editor did not change the file.',
  ]);
  editor.isReadOnly = false;
  await writer.write(PLACE, { member: 'computeUnitLimit', value: 1_880 });
  assert.deepEqual(transactionIn(editor.text), { instructions: [], computeUnitLimit: 1_880 });
  editor.change('### Gone\n');
  await writer.write(PLACE, { member: 'computeUnitLimit', value: 1 });
  assert.match(editor.said.at(-1) ?? '', /^There is no "\$transaction" to write into/);
});

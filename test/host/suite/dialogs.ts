// Answers the editor's dialogs in place of a person, in the order they come, and keeps what each had asked.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** One answer: a text for a box, the beginning of a row's label for a list, a button for a question; undefined leaves it. */
export type DialogAnswer = string | undefined;

export interface Dialogs {
  /** The options of every input box so far. */
  readonly boxes: readonly vscode.InputBoxOptions[];
  /** The words of every question so far. */
  readonly questions: readonly string[];
  restore(): void;
}

type Row = string | vscode.QuickPickItem;
type Asked = (...args: unknown[]) => Promise<unknown>;

/** Where a file goes: left alone, always. */
const PLACES = ['showSaveDialog', 'showOpenDialog'] as const;
const QUESTIONS = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const;

/** Answers the question where a file goes with this one, while something is done. */
export async function savingTo(target: vscode.Uri, act: () => Thenable<unknown>): Promise<void> {
  const window = vscode.window as unknown as Record<string, Asked>;
  const before = window['showSaveDialog'];
  window['showSaveDialog'] = () => Promise.resolve(target);
  try {
    await act();
  } finally {
    if (before !== undefined) window['showSaveDialog'] = before;
  }
}

/** Dialogs beyond the given answers are left. */
export function answerDialogs(answers: readonly DialogAnswer[] = []): Dialogs {
  const left = [...answers];
  const boxes: vscode.InputBoxOptions[] = [];
  const questions: string[] = [];
  const window = vscode.window as unknown as Record<string, Asked>;
  const before = { ...window };

  window['showInputBox'] = async (options) => {
    const asked = (options ?? {}) as vscode.InputBoxOptions;
    boxes.push(asked);
    const answer = left.shift();
    if (answer !== undefined) assert.ok(!(await asked.validateInput?.(answer)), 'the box takes what is typed');
    return answer;
  };
  window['showQuickPick'] = async (rows) => {
    const answer = left.shift();
    if (answer === undefined) return undefined;
    const labelOf = (row: Row): string => (typeof row === 'string' ? row : row.label);
    const all = (await rows) as readonly Row[];
    const chosen = all.find((row) => labelOf(row).startsWith(answer));
    assert.ok(chosen !== undefined, `"${answer}" is on offer: ${all.map(labelOf).join(', ')}`);
    return chosen;
  };
  for (const name of QUESTIONS)
    window[name] = (message) => {
      questions.push(String(message));
      return Promise.resolve(left.shift());
    };

  // A list that offers what is typed as well: left as soon as it shows.
  const createQuickPick = vscode.window.createQuickPick.bind(vscode.window);
  Object.assign(vscode.window, {
    createQuickPick: () => {
      const box = createQuickPick();
      const show = box.show.bind(box);
      box.show = () => {
        show();
        box.hide();
      };
      return box;
    },
  });

  for (const name of PLACES) window[name] = () => Promise.resolve(undefined);

  return {
    boxes,
    questions,
    restore() {
      for (const name of ['showInputBox', 'showQuickPick', 'createQuickPick', ...PLACES, ...QUESTIONS]) {
        const original = before[name];
        if (original !== undefined) window[name] = original;
      }
      assert.deepEqual(left, [], 'every answer was asked for');
    },
  };
}

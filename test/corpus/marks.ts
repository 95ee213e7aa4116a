// Reads the marks of a text: `⟦code|text⟧` says that exactly `text` is found with this code. Marks may hold others;
// `⟦warning code|text⟧` says the severity where it is not the code's usual one.
import assert from 'node:assert/strict';

export interface Finding {
  readonly severity: string;
  readonly code: string;
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** The severities that the format gives; every other code is an error. */
const SEVERITY: Readonly<Record<string, string>> = {
  'unknown-directive': 'warning',
  'unknown-field': 'warning',
  'ambiguous-name': 'warning',
  'transaction-too-large': 'warning',
  'unstable-method': 'information',
  'swqos-settings': 'information',
  'method-pack': 'hint',
  'legacy-only': 'warning',
  'empty-answer': 'warning',
  'no-effect': 'warning',
  'wrong-account': 'warning',
  'base58-limit': 'warning',
  'base58-bytes': 'warning',
  'unknown-path': 'warning',
  'unknown-endpoint': 'warning',
  'unused-variable': 'hint',
  'duplicate-variable': 'hint',
  'useless-silence': 'hint',
  'base58-version': 'warning',
  'unbounded-scan': 'information',
  'empty-subscription': 'information',
  'confirmed-commitment': 'hint',
  'trailing-comma': 'hint',
  'bare-variable': 'hint',
};

/** Codes that need a node's answer or an endpoint besides the file (language-answers.test.ts, language-releases.test.ts, tips.test.ts). */
export const BEYOND_THE_FILE: readonly string[] = ['newer-node', 'blockhash-expired', 'sender-tip'];

const OPEN = /⟦(?:(error|warning|information|hint) )?([a-z0-9-]+)\|/y;

export interface MarkedText {
  readonly text: string;
  /** In the order of the text; of two that begin together the shorter first. */
  readonly expected: readonly Finding[];
}

/** Takes the marks out of a text. Positions are in UTF-16 units, lines end with LF. */
export function readMarks(source: string): MarkedText {
  const open: Omit<Finding, 'end'>[] = [];
  const expected: Finding[] = [];
  let text = '';
  let line = 0;
  let lineStart = 0;
  for (let at = 0; at < source.length;) {
    const here = { line, character: text.length - lineStart };
    OPEN.lastIndex = at;
    const mark = OPEN.exec(source);
    if (mark !== null) {
      const code = mark[2] ?? '';
      open.push({ severity: mark[1] ?? SEVERITY[code] ?? 'error', code, start: here });
      at = OPEN.lastIndex;
      continue;
    }
    const unit = source.charAt(at++);
    if (unit === '⟧') {
      const mark = open.pop();
      assert.ok(mark !== undefined, `A mark is closed and not opened in: ${source}`);
      expected.push({ ...mark, end: here });
      continue;
    }
    text += unit;
    if (unit === '\n') {
      line++;
      lineStart = text.length;
    }
  }
  assert.equal(open.length, 0, `A mark is not closed in: ${source}`);
  return { text, expected: expected.sort(inTextOrder) };
}

export function inTextOrder(a: Finding, b: Finding): number {
  return (
    a.start.line - b.start.line ||
    a.start.character - b.start.character ||
    a.end.line - b.end.line ||
    a.end.character - b.end.character ||
    a.code.localeCompare(b.code)
  );
}

/** `error wrong-type 3:13-3:25`. */
export const printFinding = ({ severity, code, start, end }: Finding): string =>
  `${severity} ${code} ${start.line}:${start.character}-${end.line}:${end.character}`;

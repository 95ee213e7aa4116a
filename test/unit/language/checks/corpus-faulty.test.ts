// Nothing missed and nothing misplaced: each marked fault of the corpus is found at exactly its place, and nothing else
// is. CONTRIBUTING.md, "The corpus".
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CODES } from '../../../../core/requests/diagnostics/codes';
import { documentFor, filesOf, findings, readDocument } from '../../../corpus/check';
import { FAULTY_MESSAGES, geyserBlock } from '../../../corpus/geyser';
import { BEYOND_THE_FILE, printFinding, readMarks, type Finding } from '../../../corpus/marks';
import { MUTATIONS } from '../../../corpus/mutations';

/** Blocks that were looked at, and those of them in which all was found; the last test reads it. */
const score = { blocks: 0, found: 0 };
const shown = new Set<string>();

/** Missed, misplaced, surplus and repeated findings, one line each. */
function differences(text: string, expected: readonly Finding[], found: readonly Finding[]): string[] {
  const isSame = (a: Finding) => (b: Finding) => printFinding(a) === printFinding(b);
  const missed = expected.filter((one) => !found.some(isSame(one)));
  const surplus = found.filter((one) => !expected.some(isSame(one)));
  const twice = found.length - new Set(found.map(printFinding)).size;
  for (const { code } of expected) shown.add(code);
  const lines = text.split('\n');
  return [
    ...missed.map((one) => `missed   ${printFinding(one)}: ${lines[one.start.line]}`),
    ...surplus.map((one) => `surplus  ${printFinding(one)}: ${lines[one.start.line]}`),
    ...(twice === 0 ? [] : [`${twice} found twice in ${text}`]),
  ];
}

/** Information, hints, and the advice of `legacy-only` are marked in the hand-written files only. */
const isFault = ({ severity, code }: Finding): boolean =>
  (severity === 'error' || severity === 'warning') && code !== 'legacy-only';

function missesOf(sources: readonly string[]): string[] {
  return sources.flatMap((source) => {
    const { text, expected } = readMarks(`### a\n${source}`);
    const wrong = differences(text, expected, findings(documentFor(text)).filter(isFault));
    score.blocks++;
    if (wrong.length === 0) score.found++;
    return wrong;
  });
}

describe('hand-written files', () => {
  for (const { name, file, text: source } of filesOf('faulty')) {
    test(`${name}: each fault at its place, with LF and with CRLF`, () => {
      const { text, expected } = readMarks(source);
      const document = readDocument(file, text);
      const found = findings(document);
      const wrong = differences(text, expected, found);
      for (const { block, line } of document.blocks) {
        const isHere = (one: Finding): boolean =>
          one.start.line >= line && one.start.line < line + block.lineStarts.length;
        if (!expected.some(isHere)) continue;
        score.blocks++;
        if (differences(text, expected.filter(isHere), found.filter(isHere)).length === 0) score.found++;
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(findings(readDocument(file, text.replaceAll('\n', '\r\n'))), found);
    });
  }
});

describe('calls made from the contract', () => {
  for (const method of new Set(MUTATIONS.map((one) => one.method)))
    test(`each fault in a call of ${method} is found`, () => {
      assert.deepEqual(missesOf(MUTATIONS.filter((one) => one.method === method).map(({ source }) => source)), []);
    });
  for (const call of new Set(FAULTY_MESSAGES.map((one) => one.call)))
    test(`each fault in a message of ${call} is found`, () => {
      assert.deepEqual(missesOf(FAULTY_MESSAGES.filter((one) => one.call === call).map(geyserBlock)), []);
    });
});

test('of at least 4,000 faulty blocks 98 % and more are found whole, over every code', () => {
  assert.ok(score.blocks >= 4_000, String(score.blocks));
  assert.ok(score.found / score.blocks >= 0.98, `${score.found} of ${score.blocks}`);
  assert.deepEqual(
    Object.keys(CODES).filter((code) => !shown.has(code)),
    BEYOND_THE_FILE,
  );
});

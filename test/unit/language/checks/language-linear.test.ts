// Hostile texts cost twice the steps when they are twice as long, not four times. Steps, not times: test/support/metered.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyEdit, parseDocument } from '../../../../core/requests/document/document';
import { Scope } from '../../../../core/requests/document/variables/variables';
import { NO_ANSWERS } from '../../../../core/requests/language/answers';
import { diagnose } from '../../../../core/requests/checks/diagnostics';
import { foldingOf, symbolsOf } from '../../../../core/requests/language/features/structure';
import { tokensOf } from '../../../../core/requests/language/features/tokens';
import { createLanguageService } from '../../../../core/requests/language/service';
import { stepsOf } from '../../../support/process/metered';

const URI = 'file:///project/linear.jsonrpc';
const COUNT = 4_000;

/** Doubling the text may cost this much more: twice, and what grows with a logarithm. */
const MOST = 2.4;

function reading(text: string): number {
  return stepsOf(() => {
    const document = parseDocument(URI, 0, text);
    diagnose({ document, surroundings: {} });
    tokensOf(document, new Scope(document, {}));
    foldingOf(document);
    symbolsOf(document);
  });
}

const TEXTS: Readonly<Record<string, (count: number) => string>> = {
  titles: (count) => '###\n'.repeat(count),
  'plain requests': (count) => '### a\n{ "method": "getSlot" }\n'.repeat(count),
  'faulty requests': (count) => '### a\n{ "method": "getSlo", }\n'.repeat(count),
  'named requests that read each other': (count) =>
    Array.from(
      { length: count },
      (_, index) =>
        `### ${index}\n# @name r${index}\n{ "method": "getBlock", "params": ["{{r${index + 1}.result}}"] }\n`,
    ).join(''),
  'variables that use each other': (count) =>
    Array.from({ length: count / 40 }, (_, index) => `@v${index} = {{v${index + 1}}}\n`).join(''),
  'requests of one name': (count) => '### a\n# @name a\n{ "method": "getSlot" }\n'.repeat(count),
  'requests of one name, and of every name that is near': (count) =>
    Array.from({ length: count / 2 }, (_, index) => `### a\n# @name a\n{}\n### b\n# @name a${index + 2}\n{}\n`).join(
      '',
    ),
  'variables of one name': (count) => '@v = 1\n'.repeat(count),
  'captures of one name': (count) => `### a\n{ "method": "getSlot" }\n${'# @capture v = result\n'.repeat(count / 8)}`,
  'open brackets': (count) => `### a\n${'['.repeat(count)}`,
  'open objects': (count) => `### a\n${'{"a":'.repeat(count)}`,
  'closing brackets': (count) => `### a\n{${']'.repeat(count)}`,
  'brackets of two kinds': (count) => `### a\n{${'[}'.repeat(count)}`,
  'open braces of variables': (count) => `### a\n{ "a": "${'{{'.repeat(count)}" }`,
  'bare variables': (count) => `### a\n{ "a": [${'{{x}},'.repeat(count)}] }`,
  quotes: (count) => `### a\n{${'"'.repeat(count)}`,
  'open strings on lines': (count) => `### a\n{${'"a\n'.repeat(count)}`,
  backslashes: (count) => `### a\n{ "${'\\'.repeat(count)}" }`,
  'open comments': (count) => `### a\n{${'/*'.repeat(count)}`,
  comments: (count) => `### a\n{${'/**/'.repeat(count)}}`,
  commas: (count) => `### a\n{${','.repeat(count)}}`,
  'lines that belong nowhere': (count) => `### a\n${'x\n'.repeat(count)}`,
  'second bodies': (count) => `### a\n${'{}\n'.repeat(count)}`,
  'second bodies on one line': (count) => `### a\n${'{}'.repeat(count)}`,
  'lines that interrupt a body': (count) => `### a\n{\n${'?? a\n'.repeat(count)}`,
  blanks: (count) => `### a\n${' '.repeat(count)}x`,
  'blank lines': (count) => `### a${'\n'.repeat(count)}{ "method": "getSlot" }`,
  directives: (count) => `### a\n${'# @tag x\n'.repeat(count)}`,
  'one long directive': (count) => `### a\n# @tag ${'x '.repeat(count)}`,
  'one long assertion': (count) => `### a\n{ "method": "getSlot" }\n?? a${'.a'.repeat(count)} == 1`,
  assertions: (count) => `### a\n{ "method": "getSlot" }\n${'?? result == 1\n'.repeat(count)}`,
  'members of one name': (count) => `### a\n{ ${'"method": "getSlot", '.repeat(count)}"id": 1 }`,
  'unknown members': (count) =>
    `### a\n{ "method": "getSlot", ${Array.from({ length: count / 8 }, (_, index) => `"m${index}": 1`).join()} }`,
  'a batch': (count) => `### a\n[${'{ "method": "getSlot" },'.repeat(count)}]`,
  digits: (count) => `### a\n{ "method": "getBlock", "params": [${'1'.repeat(count)}] }`,
  'ones in base58': (count) => `### a\n{ "method": "getBalance", "params": ["${'1'.repeat(count)}"] }`,
};

test('50,000 requests share a few names, whose successors are all taken', () => {
  const text = Array.from(
    { length: 25_000 },
    (_, index) => `### a\n# @name a\n{ "method": "getSlot" }\n### b\n# @name a${index + 2}\n{ "method": "getSlot" }\n`,
  ).join('');
  const document = parseDocument(URI, 0, text);
  const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });
  const found = service.diagnostics(document);
  assert.equal(found.length, 1_000);
  const message = found.at(-1)?.message;
  assert.match(typeof message === 'string' ? message : '', / more problems of this file are not shown\.$/);
});

describe('twice the text costs twice the steps:', () => {
  for (const [what, make] of Object.entries(TEXTS))
    test(what, () => {
      reading(make(COUNT));
      const once = reading(make(COUNT));
      const twice = reading(make(2 * COUNT));
      assert.ok(twice <= MOST * once + 1_000, `${once} steps, then ${twice}`);
    });
});

test('a keystroke costs the same steps in a small file and in one ten times as large', () => {
  const typing = (count: number): number => {
    const service = createLanguageService({
      surroundings: () => ({}),
      answers: { ...NO_ANSWERS, expired: () => new Set(['11111111111111111111111111111111']) },
      log: (message) => assert.fail(message),
    });
    const text = Array.from(
      { length: count },
      (_, index) => `### ${index}\n# @name r${index}\n{ "method": "getSlot" }\n?? result >= {{r0.result}}\n`,
    );
    let document = parseDocument(URI, 0, text.join(''));
    service.diagnostics(document);
    const at = { line: Math.floor(count / 2) * 4 + 2, character: 19 };
    const type = (): void => {
      document = applyEdit(document, 1, { start: at, end: at }, 's');
      service.diagnostics(document);
    };
    type();
    return stepsOf(type);
  };
  const [small, large] = [typing(1_000), typing(10_000)];
  // Only the list of chunks grows.
  assert.ok(large < 2 * small, `${small} steps, then ${large}`);
});

test('what a request answers changes for those that read it, not for all that read one', () => {
  const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });
  const text = Array.from({ length: 400 }, (_, index) => {
    const read = index === 0 ? '' : `?? result >= {{r${index - 1}.result}}\n`;
    return `### ${index}\n# @name r${index}\n{ "method": "getSlot" }\n${read}`;
  });
  let document = parseDocument(URI, 0, text.join(''));
  service.diagnostics(document);
  /** The most steps for taking `member` out of the body of one of many requests. */
  const most = (member: string): number =>
    Math.max(
      ...Array.from({ length: 150 }, (_, index) => {
        const start = { line: (100 + index) * 4 + 1, character: 2 };
        const end = { ...start, character: start.character + member.length };
        document = applyEdit(document, 1, { start, end: start }, member);
        service.diagnostics(document);
        return stepsOf(() => {
          document = applyEdit(document, 1, { start, end }, '');
          service.diagnostics(document);
        });
      }),
    );
  const [same, other] = [most('"x": 1, '), most('"id": 1, ')];
  assert.ok(other < 1.5 * same, `${same} steps where the answer stays, ${other} where it changes`);
});

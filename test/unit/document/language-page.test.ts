// docs/language.md keeps its word: its tables say what the tables of core say, its examples run, and its grammar takes what
// the parser takes.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { FUNCTIONS } from '../../../core/requests/document/variables/arithmetic';
import { OPERATORS } from '../../../core/requests/document/variables/condition';
import { DIRECTIVES } from '../../../core/requests/document/directives';
import { parseDocument } from '../../../core/requests/document/document';
import { findReferences, HELPERS, readReference } from '../../../core/requests/document/variables/reference';
import { KEYWORDS } from '../../../core/requests/document/requestLine';
import { documentFor, filesOf, service } from '../../corpus/check';
import { readGrammar } from '../../support/data/ebnf';
import { runText } from '../../support/process/run';

const page = readFileSync('docs/language.md', 'utf8');
const fenced = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);
const examples = fenced('jsonrpc');
const grammar = readGrammar(fenced('ebnf').join('\n'));

interface Shape {
  readonly usage: string;
  readonly doc: string;
}

describe('tables', () => {
  const tables: readonly (readonly [string, Readonly<Record<string, Shape>>, (shape: Shape) => string])[] = [
    ['request lines', KEYWORDS, ({ usage, doc }) => `| \`${usage}\` | ${doc} |`],
    ['functions', FUNCTIONS, ({ usage, doc }) => `| \`${usage}\` | ${doc} |`],
    ['helpers', HELPERS, ({ usage, doc }) => `| \`{{${usage}}}\` | ${doc} |`],
  ];
  for (const [title, table, rowOf] of tables)
    test(`${title} are those of core`, () => {
      for (const shape of Object.values(table)) assert.ok(page.includes(rowOf(shape)), shape.usage);
    });

  test('directives are those of core', () => {
    const PLACE = { default: 'default', only: 'only there', no: '' } as const;
    for (const { usage, doc, preamble } of Object.values(DIRECTIVES))
      assert.ok(page.includes(`| \`${usage}\` | ${PLACE[preamble]} | ${doc} |`), usage);
  });

  test('operators are those of core, each with an example', () => {
    for (const [name, { doc }] of Object.entries(OPERATORS))
      assert.ok(page.includes(`| \`${name}\` | ${doc} | \`result`), name);
  });
});

describe('examples of assertions', () => {
  const rows = [...page.matchAll(/^\| .+? \| .+? \| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$/gm)];

  test('are as many as there are operators that need no other file, and the words around them', () => {
    assert.ok(rows.length >= Object.keys(OPERATORS).length - 1 + 7, String(rows.length));
  });

  for (const [, assertion = '', yes = '', no = ''] of rows)
    test(`${assertion} holds for ${yes} and not for ${no}`, async () => {
      const passed = [yes, no].map(async (result) => {
        const reply = `{"jsonrpc":"2.0","id":1,"result":${result}}`;
        const text = `@expected = 5\n### a\n{"method":"m"}\n?? ${assertion}\n`;
        const ran = await runText(text, { reply: [reply] });
        return ran.report.requests[0]?.assertions.map((one) => one.passed);
      });
      assert.deepEqual(await Promise.all(passed), [[true], [false]]);
    });
});

describe('examples of files', () => {
  test('are there', () => assert.ok(examples.length >= 7));

  const RESULTS: Readonly<Record<string, string>> = {
    getBalance: '{"context":{"slot":1},"value":5000}',
    getLatestBlockhash: '{"context":{"slot":1},"value":{"blockhash":"4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"}}',
  };
  interface Call {
    readonly id?: number;
    readonly method?: string;
  }
  const answerTo = ({ id = 1, method = '' }: Call): string =>
    `{"jsonrpc":"2.0","id":${id},"result":${RESULTS[method] ?? '1'}}`;
  const files = { './wallets.csv': readFileSync('test/corpus/valid/wallets.csv', 'utf8') };

  for (const [index, text] of examples.entries())
    test(`example ${index + 1} has no finding, and what goes by POST passes`, async () => {
      assert.deepEqual(
        service.diagnostics(documentFor(text)).map(({ code, message }) => [code, message]),
        [],
      );
      const ran = await runText(text, {
        files,
        reply: ({ body, isKeyless }) => {
          if (isKeyless) return { httpStatus: 401 };
          const sent = JSON.parse(body) as Call | readonly Call[];
          return 'length' in sent ? `[${sent.map(answerTo).join(',')}]` : answerTo(sent);
        },
      });
      assert.equal(ran.outcome.kind, 'done', JSON.stringify(ran.outcome.kind === 'invalid' && ran.outcome.problems));
      // Streams and transactions of the wallet need a service; test/contract runs those.
      const plain = ran.report.requests.filter((row) => row.transport === 'POST' && row.method !== 'sendTransaction');
      assert.deepEqual(
        plain.filter(({ status }) => status !== 'passed').map(({ title, error }) => [title, error]),
        [],
      );
      assert.equal(ran.report.requests.length > 0, true);
    });
});

describe('grammar', () => {
  test('every rule is defined once and used, from one beginning', () => {
    assert.deepEqual(grammar.missing, []);
    assert.deepEqual(grammar.roots, ['file']);
  });

  test('names every operator, directive, function and keyword', () => {
    for (const table of [OPERATORS, DIRECTIVES, FUNCTIONS, KEYWORDS])
      for (const word of Object.keys(table)) assert.ok(grammar.words.has(word), word);
  });

  for (const [index, text] of examples.entries())
    test(`takes example ${index + 1}`, () => assert.ok(grammar.fits('file', text)));

  /** Texts that the parser takes, block by block so that a failure is small. */
  const valid = [
    ...filesOf('valid').map(({ name, text }) => [name, text] as const),
    ...readdirSync('examples')
      .filter((name) => name.endsWith('.jsonrpc'))
      .map((name) => [name, readFileSync(path.join('examples', name), 'utf8')] as const),
  ];
  for (const [name, text] of valid)
    test(`takes every block of ${name}`, () => {
      for (const { block } of parseDocument('a.jsonrpc', 1, text).blocks) {
        const lines = `${block.text}\n`;
        const rule = block.kind === 'preamble' ? 'preamble' : block.text.startsWith('###') ? 'block' : 'content';
        assert.ok(grammar.fits(rule, lines), lines);
      }
    });

  test('takes every reference that the parser takes, and no other', () => {
    const found = valid.flatMap(([, text]) => findReferences(text, 0).map(({ start, end }) => text.slice(start, end)));
    assert.ok(found.length > 100);
    for (const one of new Set(found))
      if (!one.includes('"'))
        assert.equal(grammar.fits('reference', one), readReference(one.slice(2, -2), 0).kind !== 'invalid', one);
  });

  const refused: readonly (readonly [rule: string, text: string])[] = [
    ['assertion', '?? result\n'],
    ['assertion', '?? result = 5\n'],
    ['assertion', '?? result exists 5\n'],
    ['assertion', '?? result == five\n'],
    ['assertion', '?? every result > 5\n'],
    ['assertion', '?? result[*] > 5\n'],
    ['assertion', '?? result between 1\n'],
    ['assertion', '?? result in 5\n'],
    ['assertion', '?? result within 1 of 5\n'],
    ['assertion', '?? result not\n'],
    ['directive', '# @name 1st\n'],
    ['directive', '# @timeout 30\n'],
    ['directive', '# @until messages\n'],
    ['directive', '# @retry 0 every 5s\n'],
    ['directive', '# @capture x result\n'],
    ['directive', '# @setup now\n'],
    ['directive', '# @foreach row ./a.csv\n'],
    ['directive', '# @silence\n'],
    ['variable', '@x\n'],
    ['variable', '@x := 5\n'],
    ['requestLine', 'GET https://a.example\n'],
    ['requestLine', 'GRPC geyser.Geyser\n'],
    ['body', '{ "a": 1 } { }\n'],
    ['body', '{ "a": 01 }\n'],
    ['body', "{ 'a': 1 }\n"],
    ['reference', '{{a b}}'],
    ['reference', '{{= a +}}'],
    ['reference', '{{1x}}'],
  ];
  for (const [rule, text] of refused)
    test(`refuses ${JSON.stringify(text)}, and so does the parser`, () => {
      assert.ok(!grammar.fits(rule, text));
      const file =
        rule === 'reference'
          ? `### a\n{ "method": "getSlot", "id": "${text}" }\n`
          : rule === 'assertion'
            ? `### a\n{ "method": "getSlot" }\n${text}`
            : `### a\n${text}`;
      const codes = service.diagnostics(documentFor(file)).map(({ code }) => code);
      assert.notDeepEqual(codes, []);
    });
});

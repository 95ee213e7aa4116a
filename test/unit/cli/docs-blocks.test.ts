// Everything that the pages show can be typed: each request block is free of errors, the terminal reads each `solana-rpc`
// command, and each block is run by a test or says why not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { DiagnosticSeverity } from 'vscode-languageserver-types';
import { COMMANDS, isCommand, readArguments } from '../../../cli/options';
import { readOptions } from '../../../localnet/options';
import { documentFor, service } from '../../corpus/check';
import {
  BLOCKS,
  ELSEWHERE,
  PAGES,
  ROOT,
  elsewhere,
  isRunnable,
  reasonNotRun,
  textOf,
} from '../../support/pages/pageBlocks';

/** Codes about things a page's block needs from outside: files, and documents of a workspace. */
const FROM_BESIDE = ['unreadable-file', 'unknown-method', 'method-pack'];

/** Words of a placeholder, as usage lines have them, with what may be in their place. */
const ADDRESS = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const placed = (word: string): string => (/^(ADDRESS|PROGRAM_ID|SIGNATURE)$/.test(word) ? ADDRESS : word);

/** The commands of a shell block, without what comes behind pipe, redirection, comment or explanation. */
function commandsOf(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/(?:^|[ (|])solana-rpc ((?:'[^']*'|"[^"]*"|[^\n|>&;)#]|#(?=\w))*)/gm)].map(([, rest = '']) =>
    [...(rest.split(/ {2,}/)[0] ?? '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
      .map(([, single, double, plain]) => single ?? double ?? plain ?? '')
      .filter((word) => !/^\[.*\]$/.test(word))
      .map(placed),
  );
}

describe('requests', () => {
  for (const { page, language, text, line } of BLOCKS)
    if (language === 'jsonrpc')
      test(`${page}:${line} has no errors`, () => {
        const errors = service
          .diagnostics(documentFor(text))
          .filter(({ severity }) => severity === DiagnosticSeverity.Error)
          .map(({ code }) => String(code));
        assert.deepEqual(
          errors.filter((code) => !FROM_BESIDE.includes(code)),
          [],
        );
      });
});

/** The commands that a page names within its sentences: `solana-rpc check FILE`. */
const namedIn = (page: string): readonly (readonly string[])[] =>
  [
    ...textOf(page)
      .replace(/^ *```[^]*?^ *```/gm, '')
      .matchAll(/`(?:solana-rpc|node dist\/cli\.js) ([a-z][^`]*)`/g),
  ]
    .map(([, words = '']) => words.split(/\s+/))
    .filter(([verb = '']) => verb !== 'help');

describe('commands named in sentences', () => {
  for (const page of PAGES.filter((one) => namedIn(one).length > 0))
    test(`${page}: each verb and each of its options is one of the terminal's`, () => {
      for (const [verb = '', ...args] of namedIn(page)) {
        const place = `${page}: ${verb} ${args.join(' ')}`;
        assert.ok(isCommand(verb), place);
        const options = args.filter((word) => /^--[a-z]/.test(word)).map((word) => word.slice(2).split('=')[0] ?? '');
        const known = new Set(Object.keys(COMMANDS[verb].options));
        assert.deepEqual(
          options.filter((option) => !known.has(option)),
          [],
          place,
        );
      }
    });
});

describe('commands', () => {
  for (const page of PAGES) {
    const shell = BLOCKS.filter((one) => one.page === page && ['sh', 'text', 'yaml'].includes(one.language));
    const commands = shell.flatMap(({ text, line }) => commandsOf(text).map((words) => ({ words, line })));
    if (commands.length > 0)
      test(`${page}: the terminal reads each of ${commands.length}`, () => {
        for (const { words, line } of commands) {
          const [verb = '', ...args] = words;
          const place = `${page}:${line}: ${words.join(' ')}`;
          assert.ok(isCommand(verb), place);
          if (verb !== 'localnet') assert.doesNotThrow(() => readArguments(verb, args), place);
          else if (args[0] !== '--shim') assert.ok(readOptions(args).ok, place);
        }
      });
  }
});

/** The blocks that no test runs: how many of each page and language. They need what a test has not. */
const NOT_RUN: Readonly<Record<string, number>> = {
  'README.md sh': 2,
  'docs/cli.md sh': 1,
  'docs/custom-methods.md jsonrpc': 1,
  'docs/providers.md sh': 1,
  'docs/test-validator.md sh': 3,
  'docs/test-validator.md yaml': 1,
};

describe('every block', () => {
  test('names its language, and nothing else but why it is not run', () => {
    const wrong = BLOCKS.filter(
      (block) => block.language === '' || (block.info !== '' && reasonNotRun(block) === undefined),
    );
    assert.deepEqual(
      wrong.map(({ page, line }) => `${page}:${line}`),
      [],
    );
  });

  test('is run, but for those that are named here', () => {
    const counted: Record<string, number> = {};
    // Methods of providers: the page is made from the records, each with the mark.
    for (const { page, language } of BLOCKS.filter(
      (one) => one.page !== 'docs/packs.md' && reasonNotRun(one) !== undefined,
    ))
      counted[`${page} ${language}`] = (counted[`${page} ${language}`] ?? 0) + 1;
    assert.deepEqual(counted, NOT_RUN);
  });

  test('is a language that docs-run.test.ts runs, unless another test does', () => {
    const left = BLOCKS.filter(isRunnable);
    assert.ok(left.length > 20);
    assert.deepEqual(
      left
        .filter(({ language }) => !['jsonrpc', 'sh', 'json', 'jsonc'].includes(language))
        .map(({ page, line }) => `${page}:${line}`),
      [],
    );
  });

  test('that another test runs is there, and the test names its page', () => {
    for (const one of ELSEWHERE) {
      for (const language of one.languages)
        assert.ok(
          BLOCKS.some((block) => block.language === language && elsewhere(block) === one),
          `${one.page} ${language}`,
        );
      for (const name of one.tests)
        assert.ok(
          readFileSync(path.join(ROOT, name), 'utf8').includes(path.basename(one.page)),
          `${name}: ${one.page}`,
        );
    }
  });
});

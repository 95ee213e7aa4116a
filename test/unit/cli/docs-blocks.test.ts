// What the pages show can be typed: each request block is free of errors, each `solana-rpc` command is one that the
// terminal reads.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { DiagnosticSeverity } from 'vscode-languageserver-types';
import { isCommand, readArguments } from '../../../cli/options';
import { readOptions } from '../../../localnet/options';
import { documentFor, service } from '../../corpus/check';
import { codeBlocksOf } from '../../support/data/markdown';

const ROOT = path.join(__dirname, '..', '..', '..');
const PAGES = ['.', 'docs']
  .flatMap((folder) => readdirSync(path.join(ROOT, folder)).map((name) => path.posix.join(folder, name)))
  .filter((name) => name.endsWith('.md'));

/** Codes of what a page's block takes from beside it: files, and documents of a workspace. */
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
  for (const page of PAGES)
    for (const { language, text, line } of codeBlocksOf(readFileSync(path.join(ROOT, page), 'utf8')))
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

describe('commands', () => {
  for (const page of PAGES) {
    const shell = codeBlocksOf(readFileSync(path.join(ROOT, page), 'utf8')).filter(({ language }) =>
      ['', 'sh', 'text', 'yaml'].includes(language),
    );
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

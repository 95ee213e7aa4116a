// The tables of options and all that derives from them: help, completion and docs list exactly the options of the tables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { commandHelp, COMMANDS, isCommand } from '../../../cli/options';
import { helpText } from '../../../localnet/options';
import { localnetOption, localnetOptionsThat } from '../../../process/localnetOptions/rows';

const named = (help: string): readonly string[] =>
  [...help.matchAll(/^ {2}(--[A-Za-z-]+)/gm)].map(([, name = '']) => name);
const docs = (page: string): string => readFileSync(path.join(import.meta.dirname, '../../../docs', page), 'utf8');

/** The options in the table of a page, each by the name that its row begins with. */
function tableOf(command: string, page: string): readonly string[] {
  const [, rows = ''] = docs(page).split(`| Option of ${command} | Meaning |\n|---|---|\n`);
  return [...(rows.split('\n\n')[0] ?? '').matchAll(/^\| `(--[A-Za-z-]+)/gm)].map(([, name = '']) => name);
}

describe('the options of the local service', () => {
  const shown = localnetOptionsThat(({ hidden }) => hidden !== true);

  test('are those of both helps; the service leaves out what it does not know', () => {
    assert.deepEqual(named(commandHelp('localnet')), shown);
    assert.deepEqual(
      named(helpText()),
      shown.filter((name) => localnetOption(name)?.terminal !== 'alone'),
    );
  });

  test('are those of the table in docs/local-service.md', () => {
    assert.deepEqual(tableOf('localnet', 'local-service.md'), shown);
  });

  test('name only options that exist as those that they need or exclude', () => {
    for (const name of localnetOptionsThat(() => true)) {
      const { needs, excludes = {} } = localnetOption(name) ?? {};
      for (const other of [...(needs?.any ?? []), ...Object.keys(excludes)])
        assert.ok(localnetOption(other) !== undefined, `${name}: ${other}`);
    }
  });
});

describe('the options of a command', () => {
  test('run: the table in docs/cli.md lists them', () => {
    assert.deepEqual(tableOf('run', 'cli.md'), named(commandHelp('run')));
  });

  for (const name of Object.keys(COMMANDS))
    test(`${name}: its help lists them`, () => {
      assert.ok(isCommand(name));
      assert.deepEqual(
        named(commandHelp(name)),
        Object.keys(COMMANDS[name].options).map((option) => `--${option}`),
      );
    });
});

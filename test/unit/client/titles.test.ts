// Titles and messages follow one rule (CONTRIBUTING.md, "Titles and messages"): manifest, lenses, menus, buttons and
// notifications.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { messageFault, spokenTexts, titleFault } from '../../../scripts/titles.mjs';

/** Those that break the rule, each with what is wrong. */
const faults = (
  found: readonly { readonly at: string; readonly text: string }[],
  faultOf: (text: string) => string | undefined,
): string[] =>
  found.flatMap(({ at, text }) => {
    const fault = text === '' ? undefined : faultOf(text);
    return fault === undefined ? [] : [`${at}: ${text} (${fault})`];
  });

describe('titles and messages', () => {
  test('the rule distinguishes a title from a sentence', () => {
    for (const title of [
      'Send',
      'Copy As…',
      'Move Key to Secret Storage',
      'Paste curl Command as Request',
      'Fetch IDL',
    ])
      assert.equal(titleFault(title), undefined, title);
    for (const title of ['Add key…', 'Move To Secret Storage', 'Copy as…', 'Show Log.', 'Add Key for “{0}” now'])
      assert.notEqual(titleFault(title), undefined, title);
    for (const message of ['No responses are kept.', 'Remove the endpoint “{0}”?', 'Not rotated: {0}', 'Testing…'])
      assert.equal(messageFault(message), undefined, message);
    for (const message of ['no responses', 'Remove Endpoint', 'No responses are kept'])
      assert.notEqual(messageFault(message), undefined, message);
  });

  test('lenses, menus, buttons and the buttons of notifications have Title Case', async () => {
    const { titles } = await spokenTexts();
    const texts = new Set(titles.map(({ text }) => text));
    // One of each place: a lens of the server's, one of a response, buttons of a toast, a dialog, a view and a page.
    const known = ['Copy As…', 'Look Up Its Signature…', 'Show Log', 'Enter It Again', 'Try Again', 'Show as Table'];
    assert.deepEqual(
      known.filter((text) => !texts.has(text)),
      [],
    );
    assert.deepEqual(faults(titles, titleFault), []);
  });

  test('notifications speak in sentences', async () => {
    const { messages } = await spokenTexts();
    assert.ok(messages.some(({ text }) => text === 'No responses are kept.'));
    assert.deepEqual(faults(messages, messageFault), []);
  });

  test('the manifest: commands and buttons in Title Case, links within a sentence and steps as the sentence has them', async () => {
    const texts = Object.entries(
      JSON.parse(await readFile('package.nls.json', 'utf8')) as Readonly<Record<string, string>>,
    );
    const named = (prefix: string): { at: string; text: string }[] =>
      texts.filter(([key]) => key.startsWith(prefix)).map(([at, text]) => ({ at, text }));
    // A link that is all of its line is a button.
    const buttons = texts.flatMap(([at, text]) =>
      [...text.matchAll(/^\[([^\]]+)\]\(command:[^)]+\)$/gm)].map(([, title = '']) => ({ at, text: title })),
    );
    assert.ok(buttons.length > 10);
    assert.deepEqual(faults([...named('command.'), ...named('view.'), ...buttons], titleFault), []);
    const steps = texts
      .filter(([key]) => /^walkthrough\.\w+\.title$/.test(key))
      .map(([at, text]) => ({ at, text: `${text}.` }));
    assert.equal(steps.length, 6);
    assert.deepEqual(faults(steps, messageFault), []);
    const links = texts.flatMap(([at, text]) =>
      [...text.matchAll(/\b[Oo]r \[([^\]]+)\]/g)].map(([, words = '']) => ({ at, text: `Or ${words}.` })),
    );
    assert.ok(links.length > 3);
    assert.deepEqual(faults(links, messageFault), []);
  });
});

// The steps of the tour as read from the manifest: every line of a text is shown or is an action, every action is one of our
// commands, and every step is completed by something that the code sets.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { isDone, stepsOf, type WalkthroughManifest } from '../../../client/tour/steps';

const root = path.join(__dirname, '..', '..', '..');
const readText = (name: string): string => readFileSync(path.join(root, name), 'utf8');

/** As the editor hands it out: with its texts. */
function translated(): WalkthroughManifest {
  const texts = JSON.parse(readText('package.nls.json')) as Readonly<Record<string, string>>;
  return JSON.parse(readText('package.json'), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/^%(.+)%$/, (whole, key: string) => texts[key] ?? whole) : value,
  ) as WalkthroughManifest;
}

type ManifestStep = WalkthroughManifest['contributes']['walkthroughs'][number]['steps'][number];

const STEP: ManifestStep = { id: 'a', title: 'A', description: '', completionEvents: [] };
const made = (step: Partial<ManifestStep>) =>
  stepsOf({ contributes: { walkthroughs: [{ id: 'w', title: 'W', steps: [{ ...STEP, ...step }] }] } }, 'w')?.steps[0];

describe('the walkthrough of the manifest', () => {
  const manifest = translated();
  const tour = stepsOf(manifest, 'start');

  test('is the tour, step by step', () => {
    assert.equal(tour?.title, 'Solana RPC in two minutes');
    assert.deepEqual(
      tour.steps.map(({ id }) => id),
      ['local', 'sample', 'land', 'stream', 'usage', 'hosted'],
    );
  });

  test('loses no link and no condition', () => {
    const { steps = [] } = manifest.contributes.walkthroughs[0] ?? {};
    steps.forEach(({ description, completionEvents }, at) => {
      const step = tour?.steps[at];
      assert.equal(step?.actions.length, [...description.matchAll(/\]\(/g)].length, description);
      assert.equal(step.conditions.length, completionEvents.length, completionEvents.join());
      assert.ok(step.text.length > 0 && step.actions.length > 0 && step.conditions.length > 0);
      for (const { command } of step.actions) assert.match(command, /^solanaRpc\.\w+$/);
    });
  });

  test('has no other one', () => {
    assert.equal(stepsOf(manifest, 'other'), undefined);
  });
});

describe('a description', () => {
  test('is paragraphs and actions; what the link of a walkthrough says of columns is left out', () => {
    const step = made({ description: 'One.\n[Do It](command:a.b)\nTwo (see ??).\n[Open](command:toSide:c.d)' });
    assert.deepEqual(step?.text, ['One.', 'Two (see ??).']);
    assert.deepEqual(step.actions, [
      { title: 'Do It', command: 'a.b' },
      { title: 'Open', command: 'c.d' },
    ]);
  });

  test('has no action that goes elsewhere, or hands something to a command', () => {
    const lines = ['[a](https://a.example)', '[a](command:b?%5B1%5D)', 'x [a](command:b)', '[a](command:b) y'];
    const step = made({ description: lines.join('\n') });
    assert.deepEqual([step?.actions, step?.text], [[], lines]);
  });
});

describe('a step is done', () => {
  const contextOf =
    (values: Readonly<Record<string, unknown>>) =>
    (key: string): unknown =>
      values[key];

  test('once its context is set', () => {
    const step = made({ completionEvents: ['onContext:x.ran'] });
    assert.ok(step !== undefined);
    assert.equal(isDone(step, contextOf({})), false);
    assert.equal(isDone(step, contextOf({ 'x.ran': false })), false);
    assert.equal(isDone(step, contextOf({ 'x.ran': true })), true);
  });

  test('once its context has the value, by any of its conditions', () => {
    const step = made({ completionEvents: ['onContext:x.state == running', 'onContext:y'] });
    assert.ok(step !== undefined);
    assert.equal(isDone(step, contextOf({ 'x.state': 'stopped' })), false);
    assert.equal(isDone(step, contextOf({ 'x.state': 'running' })), true);
    assert.equal(isDone(step, contextOf({ y: true })), true);
  });

  test('never where nothing says when', () => {
    const step = made({ completionEvents: ['onCommand:a.b'] });
    assert.ok(step !== undefined);
    assert.equal(isDone(step, contextOf({})), false);
  });
});

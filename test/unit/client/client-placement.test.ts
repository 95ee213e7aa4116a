// Where responses open, by what the editor's groups show: never over a stream or a request, never in a third column that
// nobody asked for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { placementOf, type EditorGroup, type Front } from '../../../client/shared/placement';
import { CLIENT_SETTINGS, type SettingValues } from '../../../protocol/settings';

/** Groups from left to right by what is in front of them; `+` behind it: a response is among the tabs. */
const groups = (...fronts: readonly (Front | `${Front}+`)[]): readonly EditorGroup[] =>
  fronts.map((front, at) => ({
    column: at + 1,
    front: front.replace('+', '') as Front,
    hasResponse: front === 'response' || front.endsWith('+'),
  }));

const column = (number: number) => ({ kind: 'column', column: number });
const split = (of: number, side: 'right' | 'below') => ({ kind: 'split', of, side });

describe('a response next to its request', () => {
  test('makes the second column, and no third one', () => {
    assert.deepEqual(placementOf(groups('request'), 1, 'beside'), split(1, 'right'));
    assert.deepEqual(placementOf(groups('request', 'other'), 1, 'beside'), column(2));
    assert.deepEqual(placementOf(groups('other', 'request'), 2, 'beside'), column(1));
    assert.deepEqual(placementOf(groups('other', 'request', 'other'), 2, 'beside'), column(3));
  });

  test('comes where responses are already', () => {
    assert.deepEqual(placementOf(groups('response', 'request', 'other'), 2, 'beside'), column(1));
    assert.deepEqual(placementOf(groups('request', 'other', 'other+'), 1, 'beside'), column(3));
    assert.deepEqual(placementOf(groups('request', 'other', 'none'), 1, 'beside'), column(3));
  });

  test('covers no stream and no request: it takes a part of their column', () => {
    assert.deepEqual(placementOf(groups('request', 'stream'), 1, 'beside'), split(2, 'below'));
    assert.deepEqual(placementOf(groups('request', 'stream+'), 1, 'beside'), split(2, 'below'));
    assert.deepEqual(placementOf(groups('stream', 'request'), 2, 'beside'), split(1, 'below'));
    assert.deepEqual(placementOf(groups('request', 'request'), 1, 'beside'), split(2, 'below'));
    assert.deepEqual(placementOf(groups('request', 'stream', 'response'), 1, 'beside'), column(3));
  });
});

test('the walkthrough stays in front, and keeps its height', () => {
  assert.deepEqual(placementOf(groups('guide', 'request'), 2, 'beside'), split(2, 'below'));
  assert.deepEqual(placementOf(groups('guide', 'request', 'response'), 2, 'beside'), column(3));
});

describe('the other places', () => {
  test('below splits the editor under the request once', () => {
    assert.deepEqual(placementOf(groups('request'), 1, 'below'), split(1, 'below'));
    assert.deepEqual(placementOf(groups('request', 'other'), 1, 'below'), split(1, 'below'));
    assert.deepEqual(placementOf(groups('request', 'response', 'other'), 1, 'below'), column(2));
  });

  test('group takes a dedicated group, wherever it is', () => {
    assert.deepEqual(placementOf(groups('request'), 1, 'group'), split(1, 'right'));
    assert.deepEqual(placementOf(groups('request', 'other'), 1, 'group'), split(2, 'below'));
    assert.deepEqual(placementOf(groups('request', 'other', 'response'), 1, 'group'), column(3));
  });

  test('active takes the group of the request', () => {
    assert.deepEqual(placementOf(groups('request', 'response'), 1, 'active'), column(1));
  });

  test('no setting covers an editor that has to stay in front', () => {
    const fronts: readonly Front[] = ['request', 'stream', 'guide', 'response', 'other', 'none'];
    const choices = Object.keys(CLIENT_SETTINGS['response.openIn'].choices) as SettingValues['response.openIn'][];
    for (const openIn of choices.filter((one) => one !== 'active'))
      for (const left of fronts)
        for (const right of fronts) {
          const placed = placementOf(groups('request', left, right), 1, openIn);
          if (placed.kind === 'split') continue;
          assert.ok(!['request', 'stream', 'guide'].includes([left, right][placed.column - 2] ?? 'request'), openIn);
        }
  });
});

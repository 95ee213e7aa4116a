// docs/local-service.md, "Faults": the scopes with their kinds, and the list below them, are those of the table of kinds.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  FAULT_KINDS,
  FAULT_SCOPES,
  KINDS_AT,
  scopesOf,
  type FaultPoint,
  type KindRule,
} from '../../../localnet/faults/kinds';
import { withFaultKinds } from '../../../localnet/faults/reference';
import { assertMade } from '../../support/pages/madePage';
import { textOf } from '../../support/pages/pageBlocks';

const [, section = ''] = textOf('docs/local-service.md').split('### Faults\n');
const KINDS = Object.entries(FAULT_KINDS);
const code = (name: string): string => `\`${name}\``;

/** As a sentence lists them: `a`, `b` and `c`. */
function listed(names: readonly string[]): string {
  const all = names.map(code);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

/** The kinds that strike at one of these points and at none of the others. */
function only(points: readonly FaultPoint[], others: readonly FaultPoint[] = []): string {
  const elsewhere = new Set(others.flatMap((point) => [...KINDS_AT[point]]));
  const here = new Set(points.flatMap((point) => [...KINDS_AT[point]]));
  return listed(KINDS.flatMap(([kind]) => (has(here, kind) && !has(elsewhere, kind) ? [kind] : [])));
}
const has = (kinds: ReadonlySet<string>, kind: string): boolean => kinds.has(kind);

describe('the table of scopes', () => {
  const rows = new Map(
    [...section.matchAll(/^\| `(\w+)` \| .+ \| ([^|]+) \|$/gm)].map(([, scope = '', kinds = '']) => [scope, kinds]),
  );

  test('has each scope once', () => {
    assert.deepEqual([...rows.keys()].sort(), [...FAULT_SCOPES].sort());
  });

  test('gives each the kinds that strike there, as `npm run docs` writes them', () => {
    assertMade('docs/local-service.md', withFaultKinds(textOf('docs/local-service.md')));
  });

  for (const scope of FAULT_SCOPES)
    test(`a reader learns from it which kinds strike in ${scope}`, () => {
      const cell = rows.get(scope) ?? '';
      const read = KINDS.filter(([kind]) => cell.startsWith('all but ') !== cell.includes(code(kind)));
      const takes = KINDS.filter(([, rule]) => scopesOf(rule).includes(scope));
      assert.deepEqual(read, takes);
    });
});

describe('the list below it says', () => {
  const says = (sentence: string): void => assert.ok(section.includes(sentence), sentence);

  test('which members a fault may have', () => {
    const fields = [...new Set(KINDS.flatMap(([, { fields }]) => [...fields]))];
    const [, named = ''] = /where they say something ([^.]*)\./.exec(section) ?? [];
    assert.deepEqual([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(), fields.sort());
  });

  test('what strikes the opening of a WebSocket alone, its notifications alone, its answers alone', () => {
    says(`${only(['upgrade'], ['answer', 'notification'])} strike the opening alone`);
    says(
      `${only(['notification'], ['answer', 'upgrade'])} strike notifications, ${only(['answer'], ['notification'])} answers`,
    );
  });

  test('what strikes a gRPC call before it is made, its answer, an update', () => {
    says(`Over gRPC ${only(['grpcCall'])} strike before the call is made`);
    says(`${only(['grpcAnswer'])} strike an answer or an update, ${only(['grpcUpdate'], ['grpcAnswer'])} an update`);
  });

  for (const [kind, rule] of KINDS.filter(([, one]) => 'ms' in one || 'status' in one))
    test(`above an example of ${kind} its default`, () => {
      const { ms, status } = rule as KindRule;
      const above = [...section.matchAll(/^(.+)\n\n```json\n(.+)\n```$/gm)].flatMap(([, sentence = '', example = '']) =>
        example.includes(`"kind": "${kind}"`) ? [sentence] : [],
      );
      const stated = `(default ${(ms ?? status ?? 0).toLocaleString('en')})`;
      assert.ok(
        above.some((sentence) => sentence.includes(stated)),
        `${stated}: ${above.join('\n')}`,
      );
    });

  test('what strikes the ledger', () => says(`${only(['slot'])} strike the ledger`));
});

// docs/local-service.md, "Faults": the scopes with their kinds, and the list below them, are those of the table of kinds.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FAULT_KINDS, FAULT_SCOPES, kindsAt, scopesOf, type FaultPoint } from '../../../localnet/faults/kinds';
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
  const elsewhere = new Set(others.flatMap((point) => [...kindsAt(point)]));
  const here = new Set(points.flatMap((point) => [...kindsAt(point)]));
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

  for (const scope of FAULT_SCOPES)
    test(`gives ${scope} the kinds that strike there`, () => {
      const takes = KINDS.filter(([, rule]) => scopesOf(rule).includes(scope)).map(([kind]) => code(kind));
      const rest = KINDS.map(([kind]) => code(kind)).filter((kind) => !takes.includes(kind));
      const cell = rest.length < takes.length ? `all but ${rest.join(', ')}` : takes.join(', ');
      assert.equal(rows.get(scope), cell);
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

  test('what strikes the ledger', () => says(`${only(['slot'])} strike the ledger`));
});

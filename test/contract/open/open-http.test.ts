// Every HTTP method on the service without keys: the shape of its answer to the last member, at each commitment, and
// the errors for invalid params.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { integerOf, member } from '../../../core/solana/json/json';
import { HTTP_METHODS } from '../../corpus/httpContract';
import { openFixture, type Fixture } from './open-fixture';
import { call, refusal } from './open-harness';
import { DROPPED, METHODS, NONE, REFUSED, type Row } from './open-methods';
import { assertShape, literal, object, text, u64 } from './open-shapes';

let fixture: Fixture;
before(async () => {
  // Epochs so short that the first one has ended.
  fixture = await openFixture(['--slots-per-epoch', '32']);
});
after(() => fixture.stop());

const UNKNOWN_COMMITMENT = literal(
  'Invalid params: unknown variant `recent`, expected one of `processed`, `confirmed`, `finalized`.',
);
/** A slot that no test reaches. */
const FAR = 1_000_000_000_000;

/** Methods whose params before the config may be left out. */
const OPTIONAL_PARAMS = new Set(['getLeaderSchedule', 'getRecentPerformanceSamples', 'getRecentPrioritizationFees']);

async function paramsOf(row: Row, config?: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
  const params = await row.params(fixture);
  const all = { ...row.config, ...config };
  return row.commitments === undefined || Object.keys(all).length === 0 ? params : [...params, all];
}

test('each HTTP method of the contract is here', () => {
  assert.deepEqual(Object.keys({ ...METHODS, ...REFUSED }).sort(), HTTP_METHODS.map(({ name }) => name).sort());
});

for (const [method, row] of Object.entries(METHODS))
  describe(method, () => {
    test('answers in its shape', async () => {
      assertShape(await call(fixture.open, method, ...(await paramsOf(row))), row.result, method);
    });
    for (const commitment of row.commitments ?? [])
      test(`answers in its shape at ${commitment}`, async () => {
        const params = await paramsOf(row, { [row.commitmentKey ?? 'commitment']: commitment });
        assertShape(await call(fixture.open, method, ...params), row.result, method);
      });
    if (row.commitments !== undefined) {
      const key = row.commitmentKey ?? 'commitment';
      test('refuses an unknown commitment', async () => {
        const error = await refusal(fixture.open, method, ...(await paramsOf(row, { [key]: 'recent' })));
        assert.equal(member(error, 'code'), -32602);
        assertShape(member(error, 'message'), UNKNOWN_COMMITMENT, 'message');
      });
      if (!row.commitments.includes('processed'))
        test('refuses processed', async () => {
          const error = await refusal(fixture.open, method, ...(await paramsOf(row, { [key]: 'processed' })));
          assert.deepEqual(
            { code: member(error, 'code'), message: member(error, 'message') },
            { code: -32602, message: 'Method does not support commitment below `confirmed`' },
          );
        });
      test(row.minContextSlot === true ? 'waits for no slot' : 'knows no minContextSlot', async () => {
        const params = await paramsOf(row, {
          minContextSlot: FAR,
          // Where a commitment is all there is, an object must name it.
          ...(row.minContextSlot === true ? {} : { commitment: 'finalized' }),
        });
        if (row.minContextSlot !== true) {
          assertShape(await call(fixture.open, method, ...params), row.result, method);
          return;
        }
        const error = await refusal(fixture.open, method, ...params);
        assertShape(
          error,
          object({ code: () => undefined, data: object({ contextSlot: u64 }), message: text }),
          method,
        );
        assert.equal(member(error, 'code'), -32016);
        assert.equal(member(error, 'message'), 'Minimum context slot has not been reached');
        const reached = integerOf(member(member(error, 'data'), 'contextSlot')) ?? 0n;
        assert.ok(reached > 0n && reached < FAR);
      });
      if (row.minContextSlot === true)
        test('takes a slot that is reached', async () => {
          const params = await paramsOf(row, { minContextSlot: 1 });
          assertShape(await call(fixture.open, method, ...params), row.result, method);
        });
    }
    if (row.params !== NONE && !OPTIONAL_PARAMS.has(method))
      test('refuses to be called without its params', async () => {
        assert.equal(member(await refusal(fixture.open, method), 'code'), -32602);
      });
    test('refuses params that are too many', async () => {
      const params = [...(await row.params(fixture)), {}, {}, {}, {}];
      assert.equal(member(await refusal(fixture.open, method, ...params), 'code'), -32602);
    });
  });

for (const [method, code] of Object.entries(REFUSED))
  test(`${method} is refused with ${code} and a sentence`, async () => {
    const error = await refusal(fixture.open, method);
    assert.equal(member(error, 'code'), code);
    assertShape(member(error, 'message'), text, 'message');
  });

for (const [method, instead] of Object.entries(DROPPED))
  test(`${method}, which nodes have dropped, is refused with the name of ${instead}`, async () => {
    assert.deepEqual(await refusal(fixture.open, method), {
      code: -32601,
      message: `Method not found: nodes dropped it; use ${instead}.`,
    });
  });

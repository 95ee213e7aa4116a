// Every HTTP method on the service without keys: the shape of its answer to the last member, at each commitment, and
// the errors for invalid params.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { integerOf, member, type JsonValue } from '../../../core/solana/json/json';
import { HTTP_METHODS, REMOVED } from '../../corpus/methods';
import { commitmentOf, hasMinContextSlot, type Method } from '../../corpus/methods/method';
import { openFixture, type Fixture } from './open-fixture';
import { call, refusal } from './open-harness';
import { assertShape, literal, object, text, u64 } from '../../corpus/shapes';

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

async function paramsOf(method: Method, options?: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
  const params = (await method.given?.(fixture.subjects)) ?? [];
  const all = { ...method.options, ...options };
  return commitmentOf(method) === undefined || Object.keys(all).length === 0 ? params : [...params, all];
}

test('each HTTP method of the contract has either the shape of its answer or the code of its refusal', () => {
  for (const { name, result, refused } of HTTP_METHODS)
    assert.notEqual(result === undefined, refused === undefined, name);
});

for (const method of HTTP_METHODS) {
  const { name, result, given } = method;
  if (result === undefined) continue;
  const answers = async (options?: Readonly<Record<string, unknown>>): Promise<void> =>
    assertShape(await call(fixture.open, name, ...(await paramsOf(method, options))), result, name);
  const refuses = async (options: Readonly<Record<string, unknown>>): Promise<JsonValue> =>
    refusal(fixture.open, name, ...(await paramsOf(method, options)));
  describe(name, () => {
    test('answers in its shape', () => answers());
    const commitment = commitmentOf(method);
    if (commitment !== undefined) {
      const { key, words } = commitment;
      for (const word of words) test(`answers in its shape at ${word}`, () => answers({ [key]: word }));
      test('refuses an unknown commitment', async () => {
        const error = await refuses({ [key]: 'recent' });
        assert.equal(member(error, 'code'), -32602);
        assertShape(member(error, 'message'), UNKNOWN_COMMITMENT, 'message');
      });
      if (!words.includes('processed'))
        test('refuses processed', async () => {
          const error = await refuses({ [key]: 'processed' });
          assert.deepEqual(
            { code: member(error, 'code'), message: member(error, 'message') },
            { code: -32602, message: 'Method does not support commitment below `confirmed`' },
          );
        });
      if (hasMinContextSlot(method)) {
        test('waits for no slot', async () => {
          const error = await refuses({ minContextSlot: FAR });
          assertShape(
            error,
            object({ code: () => undefined, data: object({ contextSlot: u64 }), message: text }),
            name,
          );
          assert.equal(member(error, 'code'), -32016);
          assert.equal(member(error, 'message'), 'Minimum context slot has not been reached');
          const reached = integerOf(member(member(error, 'data'), 'contextSlot')) ?? 0n;
          assert.ok(reached > 0n && reached < FAR);
        });
        test('takes a slot that is reached', () => answers({ minContextSlot: 1 }));
      } else {
        // Where a commitment is all there is, an object must name it.
        test('knows no minContextSlot', () => answers({ minContextSlot: FAR, commitment: 'finalized' }));
      }
    }
    if (method.params.some(({ required }) => required === true))
      test('refuses to be called without its params', async () => {
        assert.equal(member(await refusal(fixture.open, name), 'code'), -32602);
      });
    test('refuses params that are too many', async () => {
      const params = [...((await given?.(fixture.subjects)) ?? []), {}, {}, {}, {}];
      assert.equal(member(await refusal(fixture.open, name, ...params), 'code'), -32602);
    });
  });
}

for (const { name, refused } of HTTP_METHODS.filter((method) => method.refused !== undefined))
  test(`${name} is refused with ${refused} and a sentence`, async () => {
    const error = await refusal(fixture.open, name);
    assert.equal(member(error, 'code'), refused);
    assertShape(member(error, 'message'), text, 'message');
  });

for (const [method, instead] of Object.entries(REMOVED))
  test(`${method}, which nodes have dropped, is refused with the name of ${instead}`, async () => {
    assert.deepEqual(await refusal(fixture.open, method), {
      code: -32601,
      message: `Method not found: nodes dropped it; use ${instead}.`,
    });
  });

// What kind of chain a fork's source is: its consensus by its certificate, its rent by what an empty account has to hold.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failed, ok, type Result } from '../../../core/errors';
import type { JsonValue } from '../../../core/values/json/json';
import { chainOf } from '../../../localnet/chain';
import { SourceChannel } from '../../../localnet/source/channel';
import { readQuestion } from '../../../process/sourceQuestions';
import { readSource } from '../../../process/sourceReads';

const { signal } = new AbortController();
const CERTIFICATE: JsonValue = {
  block: { blockId: [1], slot: 459_652_999 },
  signature: { bitmap: [1], signature: [2] },
};
const error = (code: number): Result<JsonValue> => failed({ kind: 'rpc', code, message: 'Method not found' });
const NOTHING = { consensus: undefined, slotMs: undefined, finalityLag: undefined };

/** A channel whose parent reads from a node with these answers, as both processes do. */
function sourceOf(answers: Readonly<Record<string, Result<JsonValue>>>): SourceChannel {
  let take: (message: unknown) => void = () => undefined;
  return new SourceChannel('elsewhere', {
    connected: true,
    send: (message) => {
      const asked = readQuestion(message);
      assert.ok(asked !== undefined);
      const { id, question } = asked;
      const call = async (method: string): Promise<Result<JsonValue>> => answers[method] ?? error(-32_601);
      void readSource(question, call, signal).then((answer) =>
        take({ source: id, ...(answer.ok ? { result: answer.result } : { failure: answer.message }) }),
      );
      return true;
    },
    on: (_event, listener) => void (take = listener),
    once: () => undefined,
  });
}

describe('the consensus of a source', () => {
  for (const [name, answer, expected] of [
    ['a certificate is Alpenglow', ok(CERTIFICATE), 'alpenglow'],
    ['null is TowerBFT', ok<JsonValue>(null), 'tower'],
    ['a node that does not know the method says nothing', error(-32_601), undefined],
    ['nor does one that refuses it', error(-32_000), undefined],
    ['nor does an answer of another shape', ok<JsonValue>({ strange: true }), undefined],
  ] as const)
    test(name, async () => {
      assert.equal(await sourceOf({ getAgGenesisCert: answer }).consensus(), expected);
    });
});

describe('the rent of a source', () => {
  const rentOf = (answer: Result<JsonValue>): Promise<bigint> =>
    sourceOf({ getMinimumBalanceForRentExemption: answer }).lamportsPerByte();

  test('is what a byte of an empty account has to hold', async () => {
    assert.equal(await rentOf(ok<JsonValue>(650_240)), 5_080n);
    assert.equal(await rentOf(ok<JsonValue>(890_880)), 6_960n);
  });

  test('is refused where it is not an amount, or cannot be read', async () => {
    for (const strange of ['650240', -1, 1.5, null])
      await assert.rejects(rentOf(ok<JsonValue>(strange)), /elsewhere to getMinimumBalanceForRentExemption is not/);
    await assert.rejects(rentOf(error(-32_603)), /elsewhere could not be read: Method not found\./);
  });
});

describe('the chain of a ledger', () => {
  const kept = { consensus: 'tower', slotMs: 300, finalityLag: 5, lamportsPerByte: 1n } as const;

  test('is that of the options, then that of its source, then the default', () => {
    assert.deepEqual(chainOf(NOTHING), {
      consensus: 'alpenglow',
      slotMs: 200,
      finalityLag: 1,
      lamportsPerByte: 5_080n,
    });
    const ofSource = chainOf(NOTHING, { shown: { consensus: 'tower', lamportsPerByte: 6_333n } });
    assert.deepEqual(ofSource, { consensus: 'tower', slotMs: 400, finalityLag: 31, lamportsPerByte: 6_333n });
    const named = chainOf({ ...NOTHING, consensus: 'alpenglow' }, { shown: { consensus: 'tower' } });
    assert.equal(named.consensus, 'alpenglow');
  });

  test('is the kept one before all, with the pace and the lag that options name', () => {
    assert.deepEqual(chainOf(NOTHING, { kept }), kept);
    assert.deepEqual(chainOf({ ...NOTHING, slotMs: 1, finalityLag: 9 }, { kept }), {
      ...kept,
      slotMs: 1,
      finalityLag: 9,
    });
  });
});

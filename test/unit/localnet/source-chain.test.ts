// The chain of a fork's source: its consensus by its certificate, its rent by what an empty account has to hold, its features
// by their accounts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failed, ok, type Result } from '../../../core/service/errors';
import { isJsonArray, printJson, type JsonValue } from '../../../core/solana/json/json';
import { chainOf, chainOfSource } from '../../../localnet/chain';
import { SourceChannel } from '../../../localnet/source/channel';
import { readQuestion } from '../../../process/sourceQuestions';
import { askSource } from '../../../process/sourceReads';

const { signal } = new AbortController();
const CERTIFICATE: JsonValue = {
  block: { blockId: [1], slot: 459_652_999 },
  signature: { bitmap: [1], signature: [2] },
};
const error = (code: number): Result<JsonValue> => failed({ kind: 'rpc', code, message: 'Method not found' });
const NOTHING = { consensus: undefined, slotMs: undefined, finalityLag: undefined };

type Answer = (params: JsonValue) => Result<JsonValue>;

/** A channel whose parent reads from a node with these answers, as both processes do. */
function sourceOf(answers: Readonly<Record<string, Result<JsonValue> | Answer>>): SourceChannel {
  let take: (message: unknown) => void = () => undefined;
  return new SourceChannel('elsewhere', {
    connected: true,
    send: (message) => {
      const asked = readQuestion(message);
      assert.ok(asked !== undefined);
      const { id, question } = asked;
      const call = async (method: string, params: JsonValue): Promise<Result<JsonValue>> => {
        const answer = answers[method] ?? error(-32_601);
        return typeof answer === 'function' ? answer(params) : answer;
      };
      void askSource(question, call, signal).then((answer) =>
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
    ['nor does a node that refuses it', error(-32_000), undefined],
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

describe('the features of a source', () => {
  const [ON, PENDING, ABSENT, STOLEN] = [
    '9LZdXeKGeBV6hRLdxS1rHbHoEUsKqesCC2ZAPTPKJAbK',
    's512oDwgx8hjMnaQjXfqqrZroVj4HvC6TkN3iSSWXCh',
    'txv1aq4pp281K9um3tnPgkfX8UqtFT6wcVW3hNezGLL',
    '61BtM7BkDEE8Yq5fskEVAQT9mYA8qCejJWoLe5apqg81',
  ] as const;
  const gate = (data: readonly number[], owner = 'Feature111111111111111111111111111111111111'): JsonValue => ({
    ...{ lamports: 953_520, owner, executable: false, rentEpoch: 0 },
    data: [Buffer.from(data).toString('base64'), 'base64'],
  });
  const active = [1, 7, 0, 0, 0, 0, 0, 0, 0];
  const accounts: Readonly<Record<string, JsonValue>> = {
    [ON]: gate(active),
    [PENDING]: gate([0, 0, 0, 0, 0, 0, 0, 0, 0]),
    [STOLEN]: gate(active, '1'.repeat(32)),
  };
  const UNNAMED = { consensus: undefined, featureSet: undefined };

  /** The chain of a source with these accounts, and the addresses in each question about them. */
  async function shownBy(
    there: Readonly<Record<string, JsonValue>>,
    options: Parameters<typeof chainOfSource>[1] = UNNAMED,
  ): Promise<{ shown: Awaited<ReturnType<typeof chainOfSource>>; asked: readonly (readonly JsonValue[])[] }> {
    const asked: (readonly JsonValue[])[] = [];
    const getMultipleAccounts = (params: JsonValue): Result<JsonValue> => {
      assert.ok(isJsonArray(params) && isJsonArray(params[0]));
      asked.push(params[0]);
      return ok({
        context: { slot: 5 },
        value: params[0].map((address) => there[printJson(address).slice(1, -1)] ?? null),
      });
    };
    const source = sourceOf({ getMinimumBalanceForRentExemption: ok<JsonValue>(650_240), getMultipleAccounts });
    return { shown: await chainOfSource(source, options), asked };
  }

  test('are those whose account names a slot of activation, by a few questions', async () => {
    const { shown, asked } = await shownBy(accounts);
    assert.deepEqual(shown, { lamportsPerByte: 5_080n, sourceFeatures: [ON] });
    const all = new Set(asked.flat());
    assert.deepEqual(
      [ON, PENDING, ABSENT, STOLEN].filter((feature) => !all.has(feature)),
      [],
    );
    assert.deepEqual(
      asked.map(({ length }) => length),
      [100, 100, all.size - 200],
    );
  });

  test('are left open where it has no account of a feature at all', async () => {
    assert.equal((await shownBy({})).shown?.sourceFeatures, undefined);
  });

  test('are not asked for where an option names a set', async () => {
    for (const featureSet of ['mainnet', 'all'] as const) {
      const { shown, asked } = await shownBy(accounts, { consensus: undefined, featureSet });
      assert.deepEqual([shown, asked], [{ lamportsPerByte: 5_080n }, []]);
    }
  });

  test('end the start where they cannot be read', async () => {
    const source = sourceOf({
      ...{ getMinimumBalanceForRentExemption: ok<JsonValue>(650_240), getMultipleAccounts: error(-32_603) },
    });
    await assert.rejects(chainOfSource(source, UNNAMED), /elsewhere could not be read: Method not found\./);
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
    const named = chainOf(
      { ...NOTHING, consensus: 'alpenglow' },
      { shown: { consensus: 'tower', sourceFeatures: [] } },
    );
    assert.deepEqual([named.consensus, named.sourceFeatures], ['alpenglow', []]);
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

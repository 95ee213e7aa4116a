// gRPC against the local service: calls, streams, keys and every fault it can inject.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { member, printJson, type JsonValue } from '../../../core/solana/json/json';
import type { Subscription } from '../../../net/api';
import type { Result, ServiceError } from '../../../core/service/errors';
import type { Exchange, PreparedRequest } from '../../../core/requests/run/model';
import { asking, CLIENTS, GET_SLOT, SUBSCRIBE, through, type Calling } from '../../support/wire/grpcServices';
import { testLedger } from '../../support/process/localnet';
import { take } from '../../support/wire/webSockets';
import { answerOf, errorOf, KEY, keysOf } from '../../support/wire/wire';

const local = testLedger(['--plan', 'Ultra']);

const own = (grpc = local.ready.keys.grpc.key): NonNullable<Calling['options']> => ({ keys: keysOf({ grpc }) });
const bodyOf = (result: Result<Exchange>): string => {
  const { body, error } = answerOf(result);
  assert.equal(error, undefined, error?.message);
  return body.kind === 'text' ? body.text : '';
};
const at = (value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((inner, key) => member(inner, key), value);

const textAt = (value: JsonValue | undefined, ...path: readonly string[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};

/** Transactions, one after the other, until this has settled: a stream is open before its filters are read. */
async function landing<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  work.then(over, over);
  while (!isOver) await local.rpc('requestAirdrop', [local.ready.wallet.address, 1_000]);
  return work;
}

const errorOrNone = (answered: Result<Exchange>): string | undefined =>
  answered.ok ? answered.value.error?.kind : answered.error.kind;

for (const client of CLIENTS) {
  const { callGrpc, openedGrpc, refusedGrpc } = through(client);
  const call = (calling: Calling = {}) => callGrpc(local.ready.grpcUrl, { options: own(), ...calling });
  const open = (calling: Calling, work: (stream: Subscription) => Promise<void>) =>
    openedGrpc(local.ready.grpcUrl, { options: own(), ...calling }, work);
  const refused = (asked: PreparedRequest) => refusedGrpc(local.ready.grpcUrl, { options: own(), asked });
  describe(`calls by ${client}`, () => {
    test('a slot is read, as text with every digit', async () =>
      assert.match(bodyOf(await call()), /^\{"slot":"\d+"\}$/));

    test('false and 0 are in the answer', async () => {
      const asked = asking('geyser.Geyser/IsBlockhashValid', '{"blockhash":"11111111111111111111111111111111"}');
      assert.match(bodyOf(await call({ asked })), /"valid":false/);
    });

    for (const body of ['{"commitment":"FINALIZED"}', '{"commitment":2}', '{"commitment":null}'])
      test(`${body} is taken`, async () => assert.match(bodyOf(await call({ asked: asking(GET_SLOT, body) })), /slot/));

    for (const [body, said] of [
      ['{"commitment":"SOON"}', /SOON/],
      ['{"commit":1}', /"commit" is unknown/],
      ['[]', /GetSlotRequest/],
      ['{"commitment":1.5}', /1\.5/],
    ] as const)
      test(`${body} is refused before anything is sent`, async () => {
        const error = errorOf(await callGrpc('http://127.0.0.1:1', { asked: asking(GET_SLOT, body) }));
        assert.equal(error.kind, 'invalidRequest');
        assert.match(error.message, said);
      });

    test('a call that is not known is refused before anything is sent, with those that are', async () => {
      const error = errorOf(await callGrpc('http://127.0.0.1:1', { asked: asking('geyser.Geyser/Nothing') }));
      assert.equal(error.kind, 'invalidRequest');
      assert.match(error.hint ?? '', /geyser\.Geyser\/Subscribe/);
    });

    for (const auth of ['bearer', 'header:x-token', 'header:api_key', 'query'] as const)
      test(`the key is sent as ${auth}`, async () => assert.match(bodyOf(await call({ auth })), /slot/));

    test('an unknown key and a key of another type give different errors', async () => {
      assert.equal(errorOf(await call({ options: own(KEY) })).kind, 'keyRejected');
      const error = errorOf(await call({ options: own(local.ready.keys.rpc.key) }));
      assert.ok(error.kind === 'wrongKeyType' && error.needs === 'grpc', error.message);
    });

    test('without a gRPC key for this host nothing is sent', async () => {
      const error = errorOf(await callGrpc('https://host.test', { options: { keys: keysOf({ rpc: KEY }) } }));
      assert.ok(error.kind === 'noKey' && error.keyType === 'grpc' && error.host === 'host.test');
    });

    test('a storm above the plan is waited out, and no call is lost', async () => {
      const { key } = await local.newKey({ type: 'grpc', plan: 'Free' });
      const answers = await Promise.all(Array.from({ length: 12 }, () => call({ options: own(key) })));
      assert.deepEqual(new Set(answers.map((answered) => errorOrNone(answered))), new Set([undefined]));
    });
  });

  describe(`streams by ${client}`, () => {
    const slots = asking(SUBSCRIBE, '{"slots":{"all":{"filter_by_commitment":true}},"commitment":"CONFIRMED"}');

    test('slots come one after the other, pings are not counted', async () => {
      await open({ asked: slots }, async (stream) => {
        const numbers = (await local.slotsUntil(take(stream, 3))).map((message) => Number(at(message, 'slot', 'slot')));
        assert.deepEqual(
          numbers,
          [0, 1, 2].map((step) => (numbers[0] ?? 0) + step),
        );
      });
    });

    test('addresses and signatures are base58, lamports text', async () => {
      const { address } = local.ready.wallet;
      const asked = asking(
        SUBSCRIBE,
        '{"transactions":{"t":{}},"accounts":{"a":{"owner":["11111111111111111111111111111111"]}}}',
      );
      await open({ asked }, async (stream) => {
        const seen = await landing(take(stream, 6));
        const account = seen.map((message) => at(message, 'account', 'account')).find((found) => found !== undefined);
        assert.match(textAt(account, 'pubkey'), /^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
        assert.equal(at(account, 'owner'), '11111111111111111111111111111111');
        assert.match(textAt(account, 'lamports'), /^\d+$/);
        const signature = seen.map((message) => at(message, 'transaction', 'transaction', 'signature')).find(Boolean);
        assert.match(printJson(signature ?? null).slice(1, -1), /^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
        assert.ok(address.length > 30);
      });
    });

    test('a filter that does not build ends the opening with the service’s words', async () => {
      const asked = asking(SUBSCRIBE, '{"accounts":{"a":{"account":["nonsense"]}}}');
      const error = await refused(asked);
      assert.ok(error.kind === 'rpc' && error.code === 3, error.message);
      assert.match(error.message, /nonsense/);
    });

    test('a rotated key ends its streams, and says so', async () => {
      const { keyId, key } = await local.newKey({ type: 'grpc' });
      await open({ asked: slots, options: own(key) }, async (stream) => {
        await local.slotsUntil(take(stream, 1));
        await local.admin('POST', `/keys/${keyId}/rotate`);
        await take(stream, Infinity);
        assert.equal(stream.error?.kind, 'keyRejected', stream.error?.message);
      });
    });

    test('a stream that is cut ends with an error', async () => {
      await open({ asked: slots }, async (stream) => {
        await local.slotsUntil(take(stream, 1));
        await local.admin('POST', '/streams/drop');
        await take(stream, Infinity);
        assert.equal(stream.error?.kind, 'network', stream.error?.message);
      });
    });

    test('cancelling ends an open stream at once', async () => {
      const cancel = new AbortController();
      await open({ asked: slots, signal: cancel.signal }, async (stream) => {
        const rest = take(stream, Infinity);
        cancel.abort();
        await rest;
        assert.equal(stream.error?.kind, 'cancelled');
      });
    });
  });

  describe(`faults of the local service, met by ${client}`, () => {
    const strike = async (fault: object): Promise<void> => {
      const put = await local.admin('PUT', '/faults', { faults: [{ scope: 'grpc', times: 1, ...fault }] });
      assert.equal(put.status, 200, put.text);
    };
    const FAULTS: readonly (readonly [object, ServiceError['kind'] | undefined])[] = [
      [{ kind: 'latency', ms: 30 }, undefined],
      [{ kind: 'drop' }, 'network'],
      [{ kind: 'hang' }, 'timeout'],
      [{ kind: 'status', status: 401 }, 'keyRejected'],
      [{ kind: 'status', status: 403 }, 'wrongKeyType'],
      [{ kind: 'status', status: 307, headers: { location: 'http://127.0.0.1:1/' } }, 'protocol'],
      [{ kind: 'status', status: 502 }, 'network'],
      [{ kind: 'status', status: 429 }, undefined],
      [{ kind: 'status', status: 503 }, undefined],
    ];
    for (const [fault, kind] of FAULTS)
      test(`${JSON.stringify(fault)} on a call ends as ${kind ?? 'an answer'}`, async () => {
        await strike(fault);
        // Only what never ends needs a short time.
        const limit = kind === 'timeout' ? { timeoutMs: 1_000 } : {};
        const answered = await call({ asked: asking(GET_SLOT, '{}', limit) });
        await local.admin('PUT', '/faults', { faults: [] });
        assert.equal(errorOrNone(answered), kind, printJson(JSON.stringify(answered)));
      });

    for (const status of [401, 403, 502])
      test(`the gateway’s status ${status} is kept in the error`, async () => {
        await strike({ kind: 'status', status });
        const error = errorOf(await call());
        assert.equal('httpStatus' in error ? error.httpStatus : undefined, status);
      });

    for (const kind of ['drop', 'hang'] as const)
      test(`${kind} on an opening ends it`, async () => {
        await strike({ kind });
        const asked = asking(SUBSCRIBE, '{"slots":{"all":{}}}', kind === 'hang' ? { timeoutMs: 1_000 } : {});
        assert.equal((await refused(asked)).kind, kind === 'drop' ? 'network' : 'timeout');
        await local.admin('PUT', '/faults', { faults: [] });
      });

    for (const [kind, steps] of [
      ['duplicate', [0, 1]],
      ['gap', [1, 2]],
    ] as const)
      test(`${kind} in a stream is seen as it came`, async () => {
        const asked = asking(SUBSCRIBE, '{"slots":{"all":{"filterByCommitment":true}},"commitment":"CONFIRMED"}');
        await open({ asked }, async (stream) => {
          const first = await local.slotsUntil(take(stream, 1));
          await strike({ kind, method: SUBSCRIBE });
          const numbers = [...first, ...(await local.slotsUntil(take(stream, 6)))].map((message) =>
            Number(at(message, 'slot', 'slot')),
          );
          const between = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
          assert.deepEqual([...new Set(between)].sort(), steps, numbers.join());
        });
      });
  });
}

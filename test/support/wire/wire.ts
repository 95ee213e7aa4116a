// Short ways to a Net, a target and a request for the tests of the transports.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Result, ServiceError } from '../../../core/service/errors';
import type { EndpointProfile, ProfileSource } from '../../../core/service/profiles/profile';
import type { Exchange, PreparedRequest } from '../../../core/requests/run/model';
import { Secret } from '../../../core/service/keys/secret';
import type { CallOptions, KeyPort, Net, NetOptions, Subscription, SendTarget } from '../../../net/api';
import { settle } from '../../../net/target/target';
import { createNet } from '../../../net/transports';
import { KeyLeft } from '../keyLeft';
import { waiting } from '../waiting';

/** Every spelling of these is looked for in all that leaves net. */
export const KEY = 'sk-live+7/Qw9=zzzABCDEF012345';
export const SWQOS_KEY = 'swq-live+8/Rx0=yyyGHIJKL678901';

export const keysOf = (keys: Partial<Record<'rpc' | 'grpc' | 'swqos', string>>): KeyPort => ({
  key: async ({ type }) => {
    const key = keys[type];
    return key === undefined
      ? { kind: 'none' }
      : { kind: 'lease', lease: { secret: new Secret(key), label: type, keyId: `id-${type}` } };
  },
});

export function request(change: Partial<PreparedRequest> = {}): PreparedRequest {
  const method = change.method ?? 'getSlot';
  return {
    transport: 'POST',
    method,
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}"}`,
    ids: ['1'],
    isBatch: false,
    headers: [],
    timeoutMs: 10_000,
    ...change,
  };
}

export function targetOf(
  url: string,
  asked: PreparedRequest = request(),
  profile: Partial<EndpointProfile> = {},
  source: ProfileSource = 'user',
): SendTarget {
  const settled = settle({ profile: { name: 'test', rpcUrl: url, ...profile }, source }, asked);
  assert.ok(settled.ok, settled.ok ? '' : settled.error.message);
  return settled.value;
}

/** Runs `work` with a Net and always closes it. */
export async function withNet<T>(options: Partial<NetOptions>, work: (net: Net) => Promise<T>): Promise<T> {
  const net = createNet({ keys: keysOf({ rpc: KEY, swqos: SWQOS_KEY }), random: () => 0, ...options });
  try {
    return await work(net);
  } finally {
    await net.close();
  }
}

/** One call to `url` with a fresh Net. */
export function callOnce(
  url: string,
  change: Partial<PreparedRequest> = {},
  options: Partial<NetOptions> = {},
  call: Partial<CallOptions> = {},
): Promise<Result<Exchange>> {
  const asked = request(change);
  return withNet(options, (net) =>
    net.call(targetOf(url, asked), asked, { signal: new AbortController().signal, ...call }),
  );
}

/** Works with a stream and closes it; it must have opened. */
export async function worked(
  stream: Result<Subscription>,
  work: (stream: Subscription) => Promise<void>,
): Promise<void> {
  assert.ok(stream.ok, stream.ok ? '' : `It was not opened: ${stream.error.kind}: ${stream.error.message}`);
  await work(stream.value);
  await stream.value.close();
}

/** Why a stream was not opened; it must not have opened. */
export function refusalOf(stream: Result<Subscription>): ServiceError {
  assert.ok(!stream.ok, 'It was opened.');
  return stream.error;
}

/** The error of a result, of either kind; it is checked to hold no key and no query. */
export function errorOf(result: Result<Exchange>): ServiceError {
  assertNoKey(result);
  const error = result.ok ? result.value.error : result.error;
  assert.ok(error !== undefined, `Expected an error, got ${inspect(result)}`);
  assert.doesNotMatch(error.message + (error.hint ?? ''), /https?:\/\/[^\s]*\?|api_key/);
  assert.equal(error instanceof Error, false);
  return error;
}

/** No spelling of a key anywhere in the value, however deep. */
export function assertNoKey(value: unknown): void {
  const shown = inspect(value, { depth: 20, maxStringLength: null, maxArrayLength: null, showHidden: true });
  for (const key of [KEY, SWQOS_KEY]) {
    const spelt = [key, encodeURIComponent(key), Buffer.from(key).toString('base64'), Buffer.from(key).toString('hex')];
    if (spelt.some((text) => shown.includes(text))) throw new KeyLeft(`A key is visible in ${shown.slice(0, 400)}`);
  }
}

export const answerOf = (result: Result<Exchange>): Exchange => {
  assert.ok(result.ok, result.ok ? '' : `${result.error.kind}: ${result.error.message}`);
  return result.value;
};

export const OK_BODY = '{"jsonrpc":"2.0","result":7,"id":1}';

/** Checks again at each turn of the event loop; a test that reaches its limit meanwhile fails with the condition's source. */
export async function waitFor(condition: () => boolean): Promise<void> {
  await waiting(condition.toString(), async () => {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve));
  });
}

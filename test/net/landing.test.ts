// A transaction that is watched over the real transports, on a local service whose slots the test ends: what the landing
// says is what that ledger recorded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { landingText } from '../../core/requests/run/landing';
import type { PreparedRequest } from '../../core/requests/run/model';
import { decodeBase58, encodeBase58 } from '../../core/solana/encoding/base58';
import { encodeBase64 } from '../../core/solana/encoding/base64';
import { integerOf, member, type JsonValue } from '../../core/solana/json/json';
import { attachSignature, memoMessage } from '../../core/solana/wire/message';
import type { Net } from '../../net/api';
import { settle } from '../../net/target/target';
import { SEED, signEd25519 } from '../../process/ed25519';
import { watchLanding, type Watched } from '../../runner/landing';
import type { RunPorts } from '../../runner/ports';
import { testLedger } from '../support/process/localnet';
import { waiting } from '../support/waiting';
import { keysOf, withNet } from '../support/wire/wire';

const local = testLedger(['--plan', 'Shared Metal'], { clock: 'slots' });

const result = async (method: string, params: unknown): Promise<JsonValue | undefined> =>
  member((await local.rpc(method, params)).json, 'result');
const slotNow = async (): Promise<bigint | undefined> =>
  integerOf(await result('getSlot', [{ commitment: 'processed' }]));

/** A memo that the funded wallet signed, and its signature. */
async function signedMemo(text: string): Promise<{ readonly wire: string; readonly signature: string }> {
  const { address, secretKey } = local.ready.wallet;
  const latest = member(await result('getLatestBlockhash', [{ commitment: 'confirmed' }]), 'value');
  const blockhash = member(latest, 'blockhash');
  assert.ok(typeof blockhash === 'string');
  const built = memoMessage({ from: address, text, blockhash });
  assert.ok(built.ok);
  const signature = signEd25519(decodeBase58(secretKey) ?? new Uint8Array(2 * SEED), built.message);
  return { wire: encodeBase64(attachSignature(built.message, signature)), signature: encodeBase58(signature) };
}

/** Watches a signature through the transports; `asked`: the questions by POST so far. */
function watch(net: Net, signature: string, withWebSocket: boolean) {
  const { rpcUrl, wsUrl } = local.ready;
  const profile = { name: 'local', rpcUrl, ...(withWebSocket && { wsUrl }) };
  const target = (request: PreparedRequest) => settle({ profile, source: 'local' }, request);
  const asked: string[] = [];
  let onLook = (): void => undefined;
  const ports: Pick<RunPorts, 'look' | 'stream' | 'clock'> = {
    async look(request, signal) {
      const to = target(request);
      const answer = to.ok ? await net.call(to.value, request, { signal }) : to;
      asked.push(request.method);
      // After the watch has read it.
      setImmediate(() => onLook());
      return answer;
    },
    stream: {
      async openStream(request, signal) {
        const to = target(request);
        return to.ok ? net.open(to.value, request, { signal }) : to;
      },
    },
    clock: {
      now: () => performance.now(),
      unixSeconds: () => 0,
      sleep: (ms, signal) => delay(ms, undefined, { signal }),
    },
  };
  const ending = new AbortController();
  const watched = watchLanding({
    signature,
    request: { timeoutMs: 10_000 },
    lastValidBlockHeight: undefined,
    ports: ports as RunPorts,
    signal: ending.signal,
    onChange: () => undefined,
  });
  const looks = (): number => asked.filter((method) => method === 'getSignatureStatuses').length;
  return {
    watched,
    looks,
    looked: (count: number) =>
      waiting(`${count} looks`, () => new Promise<void>((resolve) => (onLook = () => looks() >= count && resolve()))),
  };
}

for (const [how, withWebSocket] of [
  ['by push', true],
  ['by asking', false],
] as const)
  test(`a landing that is followed ${how} has the slots that the ledger recorded`, async () => {
    await withNet({ keys: keysOf({ rpc: local.ready.keys.rpc.key }) }, async (net) => {
      await local.slots(5);
      const { wire, signature } = await signedMemo(how);
      const begun = await slotNow();
      const { watched, looked, looks } = watch(net, signature, withWebSocket);
      await looked(2);
      await local.slots(3);
      const before = looks();
      assert.equal(await result('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }]), signature);
      const { landing } = await local.slotsUntil<Watched>(watched);
      const recorded = integerOf(
        member(await result('getTransaction', [signature, { commitment: 'finalized' }]), 'slot'),
      );
      assert.equal(landing.level, 'finalized');
      assert.equal(landing.slot, String(recorded));
      // A status is of the newest complete slot, and the slot that runs is the next.
      const since = Number((recorded ?? 0n) - (begun ?? 0n));
      assert.ok(
        [since, since + 1].includes(landing.slots ?? NaN),
        `${landing.slots} slots, and ${since} by the ledger`,
      );
      // The time of a notification is exact, and takes a single look for the slot.
      assert.equal(landing.atMost?.includes('finalized'), !withWebSocket);
      assert.equal(withWebSocket && looks() > before + 2, false);
      assert.match(landingText(landing), new RegExp(`, slot ${landing.slot}, ${landing.slots} slots after the send$`));
    });
  });

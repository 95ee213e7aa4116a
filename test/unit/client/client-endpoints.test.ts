// The Endpoints view in words, the presets of *Add Endpoint*, and which cluster an address is known to serve.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeringAddress, Clusters, clusterWith } from '../../../client/profiles/clusters';
import { endpointWords } from '../../../client/endpoints/endpointWords';
import { needsKey } from '../../../client/profiles/origins';
import { freeName, looksLikeAddress, presetRows } from '../../../client/endpoints/presets';
import { exactly, readProfiles } from '../../../core/service/profiles/profileReader';
import { readAddress } from '../../../core/service/providers/address';
import { withoutKeyPlaces } from '../../../core/service/providers/forms';
import { PROVIDERS } from '../../../core/service/providers/table';
import { SENDERS } from '../../../core/service/providers/senders';
import { settleInterface } from '../../../net/target/target';
import { english as t } from '../../support/data/english';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

test('presets are the local service while it is off, the public clusters, and every provider but those that only send', () => {
  const rows = presetRows(t, false);
  assert.deepEqual(
    rows.slice(0, 4).map(({ label }) => label),
    ['Local service', 'mainnet', 'devnet', 'testnet'],
  );
  assert.ok(!rows.some(({ label }) => SENDERS.some(({ name }) => name === label)));
  const offered = rows.flatMap(({ preset }) => (preset.kind === 'provider' ? [preset.name] : []));
  const keyless = rows.flatMap(({ preset }) => (preset.kind === 'public' ? [preset.name] : []));
  for (const { id, name } of PROVIDERS.filter((one) => !SENDERS.includes(one) && one.id !== 'public'))
    assert.ok(offered.includes(name) || keyless.some((own) => own.startsWith(`${name} `)), id);
  assert.deepEqual(
    presetRows(t, true).map(({ label }) => label),
    rows.slice(1).map(({ label }) => label),
  );
});

test('the address of a public cluster is read whole, without a key; every example has words that say what to paste', () => {
  for (const { label, preset } of presetRows(t, false)) {
    if (preset.kind === 'public') {
      const read = readAddress(preset.address);
      assert.equal(read?.profile.rpcUrl, preset.address);
      assert.equal(read?.profile.auth?.rpc, 'none');
      assert.ok(read?.profile.wsUrl?.startsWith('wss://'));
    }
    if (preset.kind === 'provider') assert.ok(preset.hint.length > 10 && /^https:\/\//.test(preset.example), label);
  }
});

test('what is typed is an address as soon as it looks like one', () => {
  for (const text of ['host.example', 'https://x', 'localhost:8899', '127.0.0.1', 'grpc://a'])
    assert.ok(looksLikeAddress(text), text);
  for (const text of ['', 'devnet', 'Helius', 'quick node']) assert.ok(!looksLikeAddress(text), text);
});

test('a name that is taken gets a number', () => {
  assert.equal(freeName('devnet', new Set()), 'devnet');
  assert.equal(freeName('devnet', new Set(['devnet', 'devnet 2'])), 'devnet 3');
});

test('an endpoint that answered shows how long it took, its slot and its version', () => {
  const { words, icon } = endpointWords(
    { kind: 'answered', latencyMs: 41.6, slot: '1234567', version: '2.1.0', at: 0 },
    t,
  );
  assert.equal(words, '42 ms · slot 1,234,567 · 2.1.0');
  assert.equal(icon, undefined);
});

test('the consensus that an endpoint showed is in its tooltip, by its usual name', () => {
  const lines = (consensus: 'alpenglow' | 'tower') =>
    endpointWords({ kind: 'answered', latencyMs: 1, consensus, at: 0 }, t).lines;
  assert.ok(lines('alpenglow').includes('Consensus: Alpenglow'));
  assert.ok(lines('tower').includes('Consensus: TowerBFT'));
});

test('what is wrong comes first and has an icon; text from outside draws no icon and makes no link', () => {
  const { words, lines, icon } = endpointWords(
    { kind: 'answered', latencyMs: 5, unhealthy: '$(flame) [x](command:y)', at: 0 },
    t,
  );
  assert.match(words, /^not healthy · 5 ms$/);
  assert.equal(icon, 'warning');
  assert.ok(!lines.join().includes('$(flame)') && !lines.join().includes(']('));
  const refused = endpointWords(
    { kind: 'failed', error: { kind: 'keyRejected', message: 'Refused.', hint: 'Rotate it.' }, at: 0 },
    t,
  );
  assert.deepEqual([refused.words, refused.icon], ['key refused (401)', 'error']);
  assert.deepEqual(refused.lines.slice(0, 2), ['Refused.', 'Rotate it.']);
  assert.equal(endpointWords({ kind: 'asking' }, t).words, 'asking…');
});

/** Window state, as it is kept. */
function memory() {
  const kept = new Map<string, unknown>();
  return {
    get: <T>(key: string): T | undefined =>
      (JSON.parse(JSON.stringify(kept.get(key) ?? null)) as T | undefined) ?? undefined,
    update: (key: string, value: unknown): Promise<void> => {
      kept.set(key, value);
      return Promise.resolve();
    },
  } as ConstructorParameters<typeof Clusters>[0];
}

test('the cluster of an address is known by the genesis hash of its answer, and by nothing else', async () => {
  const clusters = new Clusters(memory());
  assert.equal(clusters.of('https://api.devnet.solana.com/', 5), undefined);
  await clusters.note('https://rpc.example/sol', MAINNET);
  await clusters.note('https://other.example', DEVNET);
  assert.equal(clusters.of('https://rpc.example/sol', 5), 'mainnet-beta');
  assert.equal(clusters.of('https://other.example', 5), 'devnet');
  // The address serves another ledger from now on.
  await clusters.note('https://other.example', 'a-ledger-of-somebody');
  assert.equal(clusters.of('https://other.example', 5), undefined);
  assert.equal(clusterWith('constructor'), undefined);
});

test('what answered before an address moved to another ledger is of no cluster that is known', async () => {
  let now = 100;
  const clusters = new Clusters(memory(), () => now);
  await clusters.note('http://127.0.0.1:8899', DEVNET);
  assert.equal(clusters.of('http://127.0.0.1:8899', 50), 'devnet');
  now = 200;
  await clusters.note('http://127.0.0.1:8899', 'a-ledger-of-this-machine');
  now = 300;
  await clusters.note('http://127.0.0.1:8899', MAINNET);
  const found = [50, 250, 299, 300].map((at) => clusters.of('http://127.0.0.1:8899', at));
  assert.deepEqual(found, [undefined, undefined, undefined, 'mainnet-beta']);
});

test('an answer of a ledger that the local service no longer has is not shown at its URL', () => {
  const profile = { name: 'local', rpcUrl: 'http://127.0.0.1:8899/sol', ledger: 'second' };
  const origin = 'http://127.0.0.1:8899';
  assert.equal(answeringAddress({ origin, ledger: 'second' }, profile).rpcUrl, profile.rpcUrl);
  for (const ledger of [{ ledger: 'first' }, {}])
    assert.deepEqual(answeringAddress({ origin, ...ledger }, profile), { rpcUrl: undefined, address: origin });
});

test('only so many addresses are remembered, the last ones', async () => {
  const clusters = new Clusters(memory());
  for (let at = 0; at < 101; at++) await clusters.note(`https://host-${at}.example`, MAINNET);
  assert.equal(clusters.of('https://host-0.example', 5), undefined);
  assert.equal(clusters.of('https://host-100.example', 5), 'mainnet-beta');
});

test('that an endpoint needs no key is remembered: as written it is read back, wants no key and is asked without one', () => {
  const pasted = { name: 'own', rpcUrl: 'https://rpc.example/?api-key={key}', wsUrl: 'wss://rpc.example' };
  assert.equal(needsKey(pasted), true);
  const kept = withoutKeyPlaces(pasted);
  assert.deepEqual(kept, { ...pasted, rpcUrl: 'https://rpc.example/', auth: { rpc: 'none', ws: 'none' } });
  assert.deepEqual(readProfiles(exactly([kept])), [{ profile: kept }]);
  assert.equal(needsKey(kept), false);
  for (const face of ['rpc', 'ws'] as const) {
    const settled = settleInterface({ profile: kept, source: 'user' }, face);
    assert.ok(settled.ok && settled.value.auth === 'none', face);
  }
});

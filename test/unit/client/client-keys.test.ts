// The vault and the broker over one fake storage: what is stored where, who gets which key, what two windows agree on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyBroker } from '../../../client/keys/keyBroker';
import type { NewKey } from '../../../client/keys/keyRecord';
import { KeyVault, type VaultChange } from '../../../client/keys/keyVault';
import { originsFor } from '../../../client/profiles/origins';
import { originOf } from '../../../core/service/profiles/origin';
import { Secret } from '../../../core/service/keys/secret';
import type { KeyQuery } from '../../../core/service/profiles/profile';

/** Secret storage as the editor has it: every window is notified of changes. */
class FakeStorage {
  readonly items = new Map<string, string>();
  readonly #listeners = new Set<(event: { readonly key: string }) => unknown>();
  failing = false;
  failingIndex = false;

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.items.get(key));
  }
  store(key: string, value: string): Promise<void> {
    if (this.failing || (this.failingIndex && key.endsWith('Index'))) return Promise.reject(new Error('locked'));
    this.items.set(key, value);
    this.#tell(key);
    return Promise.resolve();
  }
  delete(key: string): Promise<void> {
    this.items.delete(key);
    this.#tell(key);
    return Promise.resolve();
  }
  readonly onDidChange = (listener: (event: { readonly key: string }) => unknown): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };
  #tell(key: string): void {
    for (const listener of this.#listeners) listener({ key });
  }
}

const ORIGIN = 'https://rpc.example.test';
const KEY: NewKey = { type: 'rpc', label: 'main', profile: 'hosted', origins: { rpc: ORIGIN, rest: ORIGIN } };
const QUERY: KeyQuery = { type: 'rpc', profile: 'hosted', origin: ORIGIN, interface: 'rpc' };

function windowOn(storage: FakeStorage, trusted = true) {
  const changes: VaultChange[] = [];
  const vault = new KeyVault(storage);
  vault.onDidChange((change) => changes.push(change));
  const broker = new KeyBroker({ vault, trusted: () => trusted, now: () => 1_000_000 });
  const ask = (query: Partial<KeyQuery> = {}) => broker.answer({ kind: 'key', id: 7, query: { ...QUERY, ...query } });
  return { vault, broker, changes, ask };
}

test('the index that is listed holds no secret', async () => {
  const storage = new FakeStorage();
  const { vault } = windowOn(storage);
  const { id } = await vault.add(KEY, new Secret('s3cret-value'));
  assert.equal(storage.items.get(`solanaRpc.key.${id}`), 's3cret-value');
  assert.doesNotMatch(storage.items.get('solanaRpc.keyIndex') ?? '', /s3cret-value/);
  assert.doesNotMatch(JSON.stringify(await vault.list()), /s3cret-value/);
});

test('a key goes to exactly the origin and interface it was saved for', async () => {
  const { vault, ask } = windowOn(new FakeStorage());
  await vault.add(KEY, new Secret('s3cret-value'));
  assert.equal((await ask()).kind, 'granted');
  assert.equal((await ask({ interface: 'rest' })).kind, 'granted');
  for (const query of [
    { origin: 'https://rpc.example.test:8443' },
    { origin: 'http://rpc.example.test' },
    { origin: 'https://rpc.example.test.' },
    { origin: 'https://rpc.example.test.attacker.test' },
    { origin: 'https://RPC.example.test' },
    { interface: 'ws' },
  ] as const)
    assert.deepEqual(await ask(query), { kind: 'denied', id: 7, reason: 'originMismatch' }, JSON.stringify(query));
});

test('a key of another type or label is not handed out', async () => {
  const { vault, ask } = windowOn(new FakeStorage());
  await vault.add(KEY, new Secret('s3cret-value'));
  assert.deepEqual(await ask({ type: 'grpc' }), { kind: 'denied', id: 7, reason: 'none' });
  assert.deepEqual(await ask({ label: 'other' }), { kind: 'denied', id: 7, reason: 'none' });
});

test('of two keys that fit, the one added for the profile answers', async () => {
  const { vault, ask } = windowOn(new FakeStorage());
  await vault.add({ ...KEY, profile: 'other', label: 'first' }, new Secret('first-secret'));
  await vault.add({ ...KEY, label: 'second' }, new Secret('second-secret'));
  const reply = await ask();
  assert.equal(reply.kind === 'granted' && reply.label, 'second');
});

test('a window that is not trusted gets nothing at all', async () => {
  const { vault, broker, ask } = windowOn(new FakeStorage(), false);
  await vault.add(KEY, new Secret('s3cret-value'));
  assert.deepEqual(await ask(), { kind: 'denied', id: 7, reason: 'untrusted' });
  const handle = broker.offer(new Secret('candidate'), ORIGIN);
  assert.deepEqual(await broker.answer({ kind: 'candidate', id: 8, handle, origin: ORIGIN }), {
    kind: 'denied',
    id: 8,
    reason: 'untrusted',
  });
});

test('the admin token goes to the origin of the local service alone, the wallet to its endpoint alone', async () => {
  const { broker } = windowOn(new FakeStorage());
  const token = (origin: string) => broker.answer({ kind: 'adminToken', id: 1, origin });
  const wallet = (profile: string) => broker.answer({ kind: 'wallet', id: 2, profile });
  assert.deepEqual(await token('http://127.0.0.1:9100'), { kind: 'denied', id: 1, reason: 'none' });
  assert.deepEqual(await wallet('local'), { kind: 'denied', id: 2, reason: 'none' });
  broker.local = {
    origin: 'http://127.0.0.1:9100',
    adminToken: new Secret('admin-token-text'),
    profile: 'local',
    wallet: new Secret('wallet-secret-text'),
  };
  for (const origin of ['http://127.0.0.1:9101', 'https://127.0.0.1:9100', 'http://127.0.0.1:9100.evil.test', ''])
    assert.deepEqual(await token(origin), { kind: 'denied', id: 1, reason: 'originMismatch' }, origin);
  for (const profile of ['hosted', 'local (workspace)', ''])
    assert.deepEqual(await wallet(profile), { kind: 'denied', id: 2, reason: 'none' }, profile);
  const granted = await token('http://127.0.0.1:9100');
  assert.ok(granted.kind === 'granted' && granted.secret === 'admin-token-text');
  const lent = await wallet('local');
  assert.ok(lent.kind === 'granted' && lent.secret === 'wallet-secret-text');
});

test('a keypair file is asked for by its name, in a trusted window alone', async () => {
  const asked: string[] = [];
  const keypair = async (name: string) => {
    asked.push(name);
    return name === 'mine'
      ? ({ kind: 'text', secret: new Secret('[1,2]') } as const)
      : ({ kind: 'denied', reason: 'unreadable' } as const);
  };
  const { vault } = windowOn(new FakeStorage());
  const broker = (isTrusted: boolean) => new KeyBroker({ vault, trusted: () => isTrusted, now: Date.now, keypair });
  const ask = (isTrusted: boolean, name: string) => broker(isTrusted).answer({ kind: 'keypair', id: 3, name });
  assert.deepEqual(await ask(false, 'mine'), { kind: 'denied', id: 3, reason: 'untrusted' });
  assert.deepEqual(asked, []);
  const lent = await ask(true, 'mine');
  assert.ok(lent.kind === 'granted' && lent.secret === '[1,2]');
  assert.deepEqual(await ask(true, 'other'), { kind: 'denied', id: 3, reason: 'unreadable' });
});

test('a candidate is handed out once, and only for its origin', async () => {
  const { broker } = windowOn(new FakeStorage());
  const ask = (handle: string, origin: string) => broker.answer({ kind: 'candidate', id: 1, handle, origin });
  const first = broker.offer(new Secret('candidate'), ORIGIN);
  assert.equal((await ask(first, ORIGIN)).kind, 'granted');
  assert.deepEqual(await ask(first, ORIGIN), { kind: 'denied', id: 1, reason: 'none' });
  const second = broker.offer(new Secret('candidate'), ORIGIN);
  assert.deepEqual(await ask(second, 'https://attacker.test'), { kind: 'denied', id: 1, reason: 'originMismatch' });
  assert.deepEqual(await ask(second, ORIGIN), { kind: 'denied', id: 1, reason: 'none' });
});

test('a swap that the storage refuses leaves the old secret in place', async () => {
  const storage = new FakeStorage();
  const { vault } = windowOn(storage);
  const { id } = await vault.add(KEY, new Secret('old-secret'));
  storage.failing = true;
  await assert.rejects(vault.swap(id, new Secret('new-secret'), {}));
  assert.ok((await vault.secret(id))?.equals(new Secret('old-secret')));
});

test('after a swap the old secret is nowhere in the storage', async () => {
  const storage = new FakeStorage();
  const { vault } = windowOn(storage);
  const { id } = await vault.add(KEY, new Secret('old-secret'));
  await vault.swap(id, new Secret('new-secret'), { state: { kind: 'active' } });
  assert.deepEqual(
    [...storage.items.values()].filter((text) => text.includes('old-secret')),
    [],
  );
});

test('a rotation in one window makes the leases of the other void, and both give the new key', async () => {
  const storage = new FakeStorage();
  const here = windowOn(storage);
  const there = windowOn(storage);
  const { id } = await here.vault.add(KEY, new Secret('old-secret'));
  await there.vault.list();
  there.changes.length = 0;
  await here.vault.swap(id, new Secret('new-secret'), {});
  const reply = await there.ask();
  assert.equal(reply.kind === 'granted' && reply.secret, 'new-secret');
  assert.ok(there.changes.some(({ record, secret }) => record.id === id && secret));
});

test('a key removed in one window is gone in the other', async () => {
  const storage = new FakeStorage();
  const here = windowOn(storage);
  const there = windowOn(storage);
  const { id } = await here.vault.add(KEY, new Secret('old-secret'));
  await there.vault.list();
  await here.vault.remove(id);
  assert.deepEqual(await there.ask(), { kind: 'denied', id: 7, reason: 'none' });
});

test('adding keys at the same time loses none of them', async () => {
  const { vault } = windowOn(new FakeStorage());
  await Promise.all(['a', 'b', 'c', 'd'].map((label) => vault.add({ ...KEY, label }, new Secret(`secret-${label}`))));
  assert.deepEqual((await vault.list()).map(({ label }) => label).sort(), ['a', 'b', 'c', 'd']);
});

test('a key of the local service never reaches the storage', async () => {
  const storage = new FakeStorage();
  const { vault, ask } = windowOn(storage);
  vault.hold('local-rpc', KEY, new Secret('local-secret'));
  assert.equal((await ask()).kind, 'granted');
  assert.deepEqual(
    [...storage.items.values()].filter((text) => text.includes('local-secret')),
    [],
  );
});

test('an invalid index counts as empty', async () => {
  const storage = new FakeStorage();
  storage.items.set('solanaRpc.keyIndex', '{"__proto__": [');
  assert.deepEqual(await windowOn(storage).vault.list(), []);
});

test('an invalid entry of the index is left out', async () => {
  const storage = new FakeStorage();
  const { vault } = windowOn(storage);
  const record = await vault.add(KEY, new Secret('s3cret-value'));
  const spoilt = ['id', 'type', 'label', 'origins', 'profile'].map((name) => ({ ...record, [name]: undefined }));
  storage.items.set('solanaRpc.keyIndex', JSON.stringify([null, 1, ...spoilt, record]));
  assert.deepEqual(await windowOn(storage).vault.list(), [record]);
});

test('an error message of the storage is not passed on', async () => {
  const storage = new FakeStorage();
  const { vault } = windowOn(storage);
  await vault.add(KEY, new Secret('s3cret-value'));
  const other = windowOn(storage);
  storage.get = () => Promise.reject(new Error('cannot decrypt s3cret-value'));
  assert.deepEqual(await other.ask(), { kind: 'denied', id: 7, reason: 'none' });
});

test('a key is answered with the way it was saved with, and one for gRPC as well opens both', async () => {
  const { vault, ask } = windowOn(new FakeStorage());
  const way = { auth: 'path', url: `${ORIGIN}/v2/{key}` } as const;
  const origins = { rpc: ORIGIN, grpc: 'https://grpc.example.test' };
  await vault.add({ ...KEY, origins, ways: { rpc: way, grpc: { auth: 'header:x-token' } } }, new Secret('one-key'));
  const rpc = await ask();
  assert.deepEqual(rpc.kind === 'granted' && rpc.way, way);
  const streams = { type: 'grpc', interface: 'grpc', origin: 'https://grpc.example.test' } as const;
  const grpc = await ask(streams);
  assert.deepEqual(grpc.kind === 'granted' && [grpc.secret, grpc.way], ['one-key', { auth: 'header:x-token' }]);
  assert.equal((await ask({ ...streams, origin: ORIGIN })).kind, 'denied');
  await vault.add({ ...KEY, type: 'grpc', origins: { grpc: origins.grpc } }, new Secret('own-key'));
  const own = await ask(streams);
  assert.equal(own.kind === 'granted' && own.secret, 'own-key');
});

test('a delivery is found whether it comes before or after it is asked for', async () => {
  const { broker } = windowOn(new FakeStorage());
  const delivered = { secret: new Secret('made-here'), keyId: 'k1' };
  broker.deliver('early', delivered);
  assert.equal((await broker.delivery('early'))?.keyId, 'k1');
  const late = broker.delivery('late');
  broker.deliver('late', delivered);
  assert.equal((await late)?.keyId, 'k1');
});

test('a key is saved for the origins of the interfaces its type opens', () => {
  const profile = {
    name: 'hosted',
    rpcUrl: 'https://rpc.example.test/sol',
    wsUrl: 'wss://ws.example.test/ws/sol',
    grpcUrl: 'https://grpc.example.test:443',
    restUrl: 'https://api.example.test',
  };
  assert.deepEqual(originsFor(profile, 'rpc'), {
    rpc: 'https://rpc.example.test',
    ws: 'wss://ws.example.test',
    rest: 'https://api.example.test',
  });
  assert.deepEqual(originsFor(profile, 'grpc'), { grpc: 'https://grpc.example.test' });
  assert.deepEqual(originsFor(profile, 'swqos'), { rpc: 'https://rpc.example.test' });
  assert.equal(originOf('no url'), undefined);
});

test('of several keys the chosen one answers, and a file still chooses by label', async () => {
  const { vault, ask, changes } = windowOn(new FakeStorage());
  const first = await vault.add({ ...KEY, label: 'first' }, new Secret('first-secret'));
  const second = await vault.add({ ...KEY, label: 'second' }, new Secret('second-secret'));
  const other = await vault.add({ ...KEY, type: 'swqos', label: 'other' }, new Secret('other-secret'));
  // Wait for the storage's notifications of these writes.
  await vault.list();
  changes.length = 0;
  await vault.choose(second.id);
  const reply = await ask();
  assert.equal(reply.kind === 'granted' && reply.label, 'second');
  const named = await ask({ label: 'first' });
  assert.equal(named.kind === 'granted' && named.secret, 'first-secret');
  assert.deepEqual(
    [...new Set(changes.filter(({ secret }) => secret).map(({ record }) => record.id))],
    [first.id, second.id],
  );
  assert.equal((await vault.list()).find(({ id }) => id === other.id)?.chosen, undefined);
});

test('a renamed key answers to its new label alone, and leases under the old one are void', async () => {
  const { vault, ask, changes } = windowOn(new FakeStorage());
  const { id } = await vault.add(KEY, new Secret('s3cret-value'));
  changes.length = 0;
  await vault.rename(id, 'other');
  assert.equal((await ask({ label: 'other' })).kind, 'granted');
  assert.equal((await ask({ label: 'main' })).kind, 'denied');
  assert.ok(changes.some(({ secret }) => secret));
});

test('a key removed in another window is reported here until it is dismissed', async () => {
  const storage = new FakeStorage();
  const here = windowOn(storage);
  const there = windowOn(storage);
  const { id } = await here.vault.add(KEY, new Secret('old-secret'));
  await there.vault.list();
  await here.vault.remove(id);
  assert.deepEqual(await there.vault.list(), []);
  assert.deepEqual(
    there.vault.removedElsewhere.map((record) => [record.id, record.state.kind]),
    [[id, 'removed']],
  );
  assert.deepEqual(here.vault.removedElsewhere, []);
  assert.ok(there.changes.some(({ record, secret }) => record.id === id && secret));
  there.vault.dismissRemoved(id);
  assert.deepEqual(there.vault.removedElsewhere, []);
});

test('a choice made in one window makes the leases of the other void', async () => {
  const storage = new FakeStorage();
  const here = windowOn(storage);
  const there = windowOn(storage);
  await here.vault.add({ ...KEY, label: 'first' }, new Secret('first-secret'));
  const second = await here.vault.add({ ...KEY, label: 'second' }, new Secret('second-secret'));
  await there.vault.list();
  there.changes.length = 0;
  await here.vault.choose(second.id);
  const reply = await there.ask();
  assert.equal(reply.kind === 'granted' && reply.label, 'second');
  assert.ok(there.changes.some(({ record, secret }) => record.id === second.id && secret));
});

test('a key whose secret the keyring lost is shown as removed and gives nothing', async () => {
  const storage = new FakeStorage();
  const { vault, ask } = windowOn(storage);
  const { id } = await vault.add(KEY, new Secret('s3cret-value'));
  storage.items.delete(`solanaRpc.key.${id}`);
  assert.deepEqual(await ask(), { kind: 'denied', id: 7, reason: 'none' });
  assert.equal((await vault.list()).find((record) => record.id === id)?.state.kind, 'removed');
});

test('no more than the last four characters are shown, and none of a short key', async () => {
  const { vault } = windowOn(new FakeStorage());
  const long = await vault.add(KEY, new Secret('0123456789abcdef'));
  const short = await vault.add({ ...KEY, label: 'short' }, new Secret('0123456789'));
  assert.equal(await vault.lastFour(long.id), 'cdef');
  assert.equal(await vault.lastFour(short.id), undefined);
});

test('a swap whose index cannot be written is a swap all the same', async () => {
  const storage = new FakeStorage();
  const { vault, changes } = windowOn(storage);
  const { id } = await vault.add(KEY, new Secret('old-secret'));
  changes.length = 0;
  storage.failingIndex = true;
  await vault.swap(id, new Secret('new-secret'), { state: { kind: 'active' } });
  assert.ok((await vault.secret(id))?.equals(new Secret('new-secret')));
  assert.ok(changes.some(({ record, secret }) => record.id === id && secret));
});

test('a key that could not be listed leaves no secret behind', async () => {
  const storage = new FakeStorage();
  const { vault } = windowOn(storage);
  storage.failingIndex = true;
  await assert.rejects(vault.add(KEY, new Secret('s3cret-value')));
  assert.deepEqual([...storage.items.values()], []);
});

test('a window that adds a key keeps what another window added meanwhile', async () => {
  const storage = new FakeStorage();
  const here = windowOn(storage);
  await here.vault.list();
  // Written by a window whose change was not notified yet.
  const record = { ...KEY, id: 'theirs', state: { kind: 'active' } };
  storage.items.set('solanaRpc.keyIndex', JSON.stringify([record]));
  await here.vault.add({ ...KEY, label: 'mine' }, new Secret('mine-secret'));
  assert.deepEqual((await here.vault.list()).map(({ label }) => label).sort(), ['main', 'mine']);
});

// Windows on the same folder share one local service, by the editor's secret storage: its keys, its ledger and its end.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import type { LocalDeps, LocalServices } from '../../../client/localService/localService';
import type { KeyType } from '../../../core/service/errors';
import type { EndpointProfile } from '../../../core/service/profiles/profile';
import { Secret } from '../../../core/service/keys/secret';
import type { KeyRecord, NewKey } from '../../../client/keys/keyRecord';
import { loadOver } from '../../support/editor/fakeVscode';
import { request } from '../../support/process/localnet';

const root = path.join(__dirname, '..', '..', '..');

class Emitter {
  readonly #emitter = new EventEmitter();
  readonly event = (listener: (value: unknown) => void): { dispose(): void } => {
    this.#emitter.on('event', listener);
    return { dispose: () => void this.#emitter.off('event', listener) };
  };
  fire(value: unknown): void {
    this.#emitter.emit('event', value);
  }
  dispose(): void {
    this.#emitter.removeAllListeners();
  }
}

const trust = { isGiven: true, granted: new Emitter() };
const editor = {
  EventEmitter: Emitter,
  l10n: { t: (text: string) => text },
  workspace: {
    get isTrusted() {
      return trust.isGiven;
    },
    onDidGrantWorkspaceTrust: trust.granted.event,
  },
};
const { LocalServices: Services } = loadOver<{ readonly LocalServices: new (deps: LocalDeps) => LocalServices }>(
  editor,
  '../../../client/localService/localService',
  __filename,
);

/** The editor's secret storage as all its windows see it: each hears of every change, its own as well. */
class SecretStorage {
  readonly entries = new Map<string, string>();
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;
  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.entries.get(key));
  }
  store(key: string, value: string): Promise<void> {
    this.entries.set(key, value);
    this.#changed.fire({ key });
    return Promise.resolve();
  }
  delete(key: string): Promise<void> {
    this.entries.delete(key);
    this.#changed.fire({ key });
    return Promise.resolve();
  }
}

let secrets: SecretStorage;
const open: (() => Promise<void>)[] = [];

/** A window on a folder, as far as its local service goes. */
function openWindow(window: string, { place }: { readonly place: string | undefined } = { place: '/folders/a' }) {
  const keys = new Map<string, { readonly record: KeyRecord; readonly secret: Secret }>();
  let profile: EndpointProfile | undefined;
  const broker: LocalDeps['broker'] = { local: undefined };
  const shared = secrets;
  let hears = true;
  const deps: LocalDeps = {
    program: path.join(root, 'dist', 'localnet.js'),
    profiles: { setLocal: (next) => void (profile = next) },
    vault: {
      hold: (id: string, key: NewKey, secret: Secret) => {
        const record: KeyRecord = { state: { kind: 'active' }, ...key, id };
        keys.set(id, { record, secret });
        void local.keyChanged(record);
        return record;
      },
      remove: (id) => Promise.resolve(void keys.delete(id)),
      secret: (id) => Promise.resolve(keys.get(id)?.secret),
    },
    broker,
    log: { info: () => undefined, warn: () => undefined },
    server: () => Promise.reject(new Error('no server')),
    setContext: () => undefined,
    secrets: {
      get: (key: string) => shared.get(key),
      store: (key: string, value: string) => shared.store(key, value),
      delete: (key: string) => shared.delete(key),
      onDidChange: (listener: (change: unknown) => void) =>
        shared.onDidChange((change) => {
          if (hears) listener(change);
        }),
    } as unknown as LocalDeps['secrets'],
    place,
    window,
  };
  const local: LocalServices = new Services(deps);
  open.push(async () => {
    await local.stop();
    local.dispose();
  });
  return {
    local,
    keys,
    broker,
    /** Hears of no change from now on. */
    deafen: () => void (hears = false),
    profile: () => profile,
    key: (type: KeyType) => keys.get(`local-${type}`)?.secret,
    pid: () => (local.state.kind === 'running' ? local.state.ready.pid : undefined),
    /** Resolves with what `look` finds, now or after the next changes. */
    until<T>(look: () => T | undefined): Promise<T> {
      return new Promise((resolve) => {
        const check = (): void => {
          const found = look();
          if (found === undefined) return;
          changes.dispose();
          resolve(found);
        };
        const changes = local.onDidChange(check);
        check();
      });
    },
  };
}

const isKind = (window: ReturnType<typeof openWindow>, kind: string) => () =>
  window.local.state.kind === kind ? true : undefined;

describe('the local service of windows on one folder', () => {
  beforeEach(async () => {
    for (const close of open.splice(0)) await close();
    secrets = new SecretStorage();
    trust.isGiven = true;
  });
  after(async () => {
    for (const close of open.splice(0)) await close();
  });

  test('a service that one window runs is available in the other, opened before or after, with its keys and its ledger', async () => {
    const before = openWindow('before');
    const first = openWindow('first');
    assert.equal((await first.local.start()).kind, 'running');
    await before.until(isKind(before, 'running'));
    const later = openWindow('later');
    await later.local.join();
    for (const other of [before, later]) {
      assert.equal(other.pid(), first.pid());
      assert.deepEqual(other.profile(), first.profile());
      assert.ok(other.key('grpc')?.equals(first.key('grpc') as Secret));
      assert.ok(other.broker.local?.wallet.equals(first.broker.local?.wallet as Secret));
    }
    const { rpcUrl = '' } = later.profile() ?? {};
    const token = later.key('rpc')?.reveal() ?? '';
    const answer = await request(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{"jsonrpc":"2.0","id":1,"method":"getHealth"}',
    });
    assert.equal(answer.status, 200);
  });

  test('starting in the second one takes what runs; a stop in either ends it for both, and leaves no key behind', async () => {
    const first = openWindow('first');
    const second = openWindow('second');
    await first.local.start();
    await second.local.start();
    assert.equal(second.pid(), first.pid());
    await second.local.stop();
    await first.until(isKind(first, 'stopped'));
    assert.equal(first.profile(), undefined);
    assert.equal(second.profile(), undefined);
    assert.deepEqual([...secrets.entries], []);
    await second.local.start();
    await first.until(isKind(first, 'running'));
    await second.local.stop();
    await first.until(isKind(first, 'stopped'));
    assert.deepEqual([...first.keys, ...second.keys, ...secrets.entries], []);
  });

  test('a key that is rotated in either is the key of both', async () => {
    const first = openWindow('first');
    const second = openWindow('second');
    await first.local.start();
    await second.until(isKind(second, 'running'));
    for (const [here, there, text] of [
      [first, second, 'one'],
      [second, first, 'two'],
    ] as const) {
      const held = here.keys.get('local-rpc');
      assert.ok(held !== undefined);
      const record = { ...held.record, keyId: `id-${text}` };
      here.keys.set('local-rpc', { record, secret: new Secret(text) });
      await here.local.keyChanged(record);
      await there.until(() => (there.key('rpc')?.equals(new Secret(text)) === true ? true : undefined));
      assert.equal(there.keys.get('local-rpc')?.record.keyId, `id-${text}`);
    }
  });

  test('after a crash the other window has the new ledger', async () => {
    const first = openWindow('first');
    const second = openWindow('second');
    await first.local.start();
    const { ledger } = await second.until(() => second.profile());
    process.kill(first.pid() ?? Number.NaN, 'SIGKILL');
    const next = await second.until(() => (second.profile()?.ledger === ledger ? undefined : second.profile()));
    assert.equal(next.ledger, first.profile()?.ledger);
    assert.equal(second.pid(), first.pid());
  });

  test('a window that was killed left its entry: nothing is shared, and the next start is its own', async () => {
    const first = openWindow('first');
    await first.local.start();
    const kept = [...secrets.entries];
    await first.local.stop();
    for (const [key, value] of kept) secrets.entries.set(key, value);
    const second = openWindow('second');
    await second.local.join();
    assert.equal(second.local.state.kind, 'stopped');
    await second.local.start();
    assert.notEqual(second.pid(), undefined);
    assert.equal(first.pid(), second.pid());
  });

  test('a killed window takes its service from the others, which report it without being notified', async () => {
    const first = openWindow('first');
    const second = openWindow('second');
    await first.local.start();
    await second.until(isKind(second, 'running'));
    const kept = [...secrets.entries];
    second.deafen();
    await first.local.stop();
    await second.until(isKind(second, 'stopped'));
    for (const [key, value] of kept) secrets.entries.set(key, value);
    await second.local.join();
    assert.equal(second.local.state.kind, 'stopped');
  });

  test('a window that closes ends the service it runs, and none that it shares', async () => {
    const first = openWindow('first');
    const second = openWindow('second');
    const pid = await first.local.start().then(() => first.pid());
    await second.until(isKind(second, 'running'));
    second.local.dispose();
    const third = openWindow('third');
    await third.local.join();
    assert.equal(third.pid(), pid);
    first.local.dispose();
    await third.until(isKind(third, 'stopped'));
    assert.equal(secrets.entries.size, 0);
  });

  test('other folders, windows without one and restricted ones share nothing', async () => {
    const first = openWindow('first');
    await first.local.start();
    const isOff = async ({ local }: ReturnType<typeof openWindow>): Promise<void> => {
      await local.join();
      assert.equal(local.state.kind, 'stopped');
    };
    await isOff(openWindow('elsewhere', { place: '/folders/b' }));
    await isOff(openWindow('empty', { place: undefined }));
    trust.isGiven = false;
    const restricted = openWindow('restricted');
    await isOff(restricted);
    trust.isGiven = true;
    trust.granted.fire(undefined);
    await restricted.until(isKind(restricted, 'running'));
    assert.equal(restricted.pid(), first.pid());
  });
});

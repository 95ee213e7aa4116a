// Where a stored key goes at a project's address or a request's own: as it was saved, or as the table of providers says,
// and never where the project puts `{key}`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeyWay, PlacedProfile } from '../../../core/service/profiles/profile';
import { Secret } from '../../../core/service/keys/secret';
import type { KeyPort, SendTarget } from '../../../net/api';
import { authorize, keysFor } from '../../../net/auth/auth';
import { shownRequest } from '../../../net/auth/shownRequest';
import { settle } from '../../../net/target/target';

const KEY = 'k/1+2';
const ENCODED = encodeURIComponent(KEY);
const signal = new AbortController().signal;
const suspensions = { refusal: () => undefined };

/** Path and headers of a request with the stored key, or the message of the refusal. */
async function sent(target: SendTarget, way: KeyWay | undefined): Promise<string> {
  return (await both(target, way)).sent;
}

/** The same, and as people may see it. */
async function both(
  target: SendTarget,
  way: KeyWay | undefined,
): Promise<{ readonly sent: string; readonly shown: string }> {
  const keys: KeyPort = {
    key: async () => ({
      kind: 'lease',
      lease: { secret: new Secret(KEY), label: 'x', ...(way !== undefined && { way }) },
    }),
  };
  const attached = await keysFor({ keys, suspensions }, target, undefined, signal);
  if (!attached.ok) return { sent: attached.error.message, shown: '' };
  const authorized = authorize(target, attached.value);
  if (!authorized.ok) return { sent: authorized.error.message, shown: '' };
  const { path, headers } = authorized.value;
  const shown = shownRequest(target, attached.value, { method: 'POST', headers: [], redact: (text) => text });
  return { sent: lineOf(path, headers), shown: lineOf(shown.url.slice(target.origin.length), shown.headers) };
}

const lineOf = (path: string, headers: readonly (readonly [string, string])[]): string =>
  [path, ...headers.map(([name, value]) => `${name}: ${value}`)].join(' ');

function settled(rpcUrl: string, source: PlacedProfile['source'] = 'workspace', url?: string): SendTarget {
  const asked = { transport: 'POST', method: 'getSlot', headers: [], ...(url !== undefined && { url }) } as const;
  const target = settle({ profile: { name: 'p', rpcUrl }, source }, asked);
  assert.ok(target.ok, target.ok ? '' : target.error.message);
  return target.value;
}

const PATH: KeyWay = { auth: 'path', url: 'https://h.test/v2/{key}' };
const QUERY: KeyWay = { auth: 'path', url: 'https://h.test/rpc?token={key}' };

describe('a key at a project’s address', () => {
  const rows: readonly (readonly [string, KeyWay | undefined, string])[] = [
    ['https://h.test/v2/{key}', PATH, `/v2/${ENCODED}`],
    ['https://h.test/v2/', PATH, `/v2/${ENCODED}`],
    ['https://h.test/v2?region=eu', PATH, `/v2/${ENCODED}?region=eu`],
    ['https://h.test/{key}/v2', PATH, `/v2/${ENCODED}`],
    ['https://h.test/rpc?region=eu', QUERY, `/rpc?token=${ENCODED}&region=eu`],
    ['https://h.test/rpc?log={key}', QUERY, `/rpc?token=${ENCODED}`],
    ['https://h.test/x', { auth: 'header:x-token' }, `/x x-token: ${KEY}`],
    ['https://h.test/x', { auth: 'query:id' }, `/x?id=${ENCODED}`],
    ['https://h.test/x', undefined, `/x authorization: Bearer ${KEY}`],
    ['https://mainnet.helius-rpc.com/', undefined, `/?api-key=${ENCODED}`],
    ['https://mainnet.helius-rpc.com/?log={key}', undefined, `/?api-key=${ENCODED}`],
    ['https://solana-mainnet.g.alchemy.com/v2', undefined, `/v2/${ENCODED}`],
  ];
  for (const [url, way, wanted] of rows)
    test(`${url}, saved ${way?.url ?? way?.auth ?? 'before'}: ${wanted}`, async () =>
      assert.deepEqual(await both(settled(url), way), {
        sent: wanted,
        // The same request, and nothing of the key in it.
        shown: wanted.replace(ENCODED, '[redacted]').replace(KEY, '[redacted]'),
      }));

  const refused: readonly (readonly [string, KeyWay | undefined])[] = [
    ['https://h.test/log/{key}', PATH],
    ['https://h.test/', PATH],
    ['https://h.test/log', QUERY],
    ['https://h.test/log/{key}', undefined],
    ['https://h.test/?log={key}', { auth: 'header:x-token' }],
    ['https://h.test/v2/{key}', { auth: 'path', url: 'https://other.test/v2/{key}' }],
    ['https://h.test/v2/{key}', { auth: 'path' }],
  ];
  for (const [url, way] of refused)
    test(`${url}, saved ${way?.url ?? way?.auth ?? 'before'}: refused`, async () =>
      assert.match(await sent(settled(url), way), /has no place at this address/));
});

describe('a key at the user’s own address', () => {
  test('goes as the profile says, regardless of how it was saved', async () => {
    assert.equal(await sent(settled('https://h.test/v3/{key}', 'user'), PATH), `/v3/${ENCODED}`);
  });

  test('goes to a request’s own address of another host as it was saved for that host', async () => {
    const target = settled('https://mine.test/', 'user', 'https://h.test/v2/');
    assert.equal(await sent(target, PATH), `/v2/${ENCODED}`);
  });
});

describe('a request as people may see it', () => {
  test('has no credential of its file, and no key that somebody wrote into its address', async () => {
    const key = '0f0e0d0c-1111-2222-3333-444455556666';
    // Such a request is refused before; what is shown does not rely on it.
    const url = new URL(`https://h.test/${key}/x?api-key=${key}`);
    const target = { ...settled('https://mine.test/', 'user'), url };
    const headers = [
      ['authorization', `Bearer ${key}`],
      ['x-api-key', key],
      ['x-trace', 'one'],
    ] as const;
    const shown = shownRequest(target, [], { method: 'POST', headers, redact: (text) => text });
    assert.ok(!JSON.stringify(shown).includes(key), JSON.stringify(shown));
    assert.deepEqual(shown.headers, [
      ['authorization', 'Bearer [redacted]'],
      ['x-api-key', '[redacted]'],
      ['x-trace', 'one'],
    ]);
  });
});

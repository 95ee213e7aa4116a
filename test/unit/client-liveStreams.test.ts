// Which streams a rotated key is used by, and how they come over to the new one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyRecord } from '../../client/keyRecord';
import { liveStreamsOf, type StreamsPort } from '../../client/liveStreams';
import type { KeyQuery } from '../../core/profile';
import type { ShownState } from '../../protocol/streamPanel';
import type { MoveStreamsParams } from '../../protocol/streams';

const KEY: KeyRecord = {
  id: 'k',
  type: 'rpc',
  label: 'main',
  profile: 'p',
  origins: { ws: 'wss://a.test', rpc: 'https://a.test' },
  state: { kind: 'active' },
};
const QUERY: KeyQuery = { type: 'rpc', profile: 'p', origin: 'wss://a.test', interface: 'ws' };

function streamsOf(rows: readonly (readonly [string, KeyQuery | undefined, ShownState['kind']])[]) {
  const asked: MoveStreamsParams[] = [];
  const port: StreamsPort = {
    list: () =>
      rows.map(([title, key, kind]) => ({
        info: {
          id: title,
          title,
          source: { kind: 'account', address: '' },
          method: 'accountSubscribe',
          transport: 'WS',
          endpoint: 'p',
          columns: [],
          ...(key !== undefined && { key }),
        },
        state: { kind } as ShownState,
      })),
    move: (params) => {
      asked.push(params);
      return Promise.resolve({ moved: 1, missed: 2, failed: [] });
    },
  };
  return { live: liveStreamsOf(port), asked };
}

test('only running streams that go out with the key are named', () => {
  const { live } = streamsOf([
    ['mine', QUERY, 'live'],
    ['waiting', QUERY, 'keyRotated'],
    ['over', QUERY, 'ended'],
    ['keyless', undefined, 'live'],
    ['elsewhere', { ...QUERY, origin: 'wss://b.test' }, 'live'],
    ['labelled', { ...QUERY, label: 'other' }, 'live'],
    ['grpc', { ...QUERY, type: 'grpc' }, 'live'],
  ]);
  assert.deepEqual(
    live.using(KEY).map(({ title }) => title),
    ['mine', 'waiting'],
  );
});

test('streams of one question are moved together, and the counts are added up', async () => {
  const labelled = { ...QUERY, label: 'main' };
  const { live, asked } = streamsOf([
    ['a', QUERY, 'live'],
    ['b', QUERY, 'reconnecting'],
    ['c', labelled, 'live'],
  ]);
  assert.deepEqual(await live.reopen(KEY), { moved: 2, missed: 4, failed: [] });
  assert.deepEqual(asked, [{ key: QUERY }, { key: labelled }]);
});

test('without streams nothing is asked', async () => {
  const { live, asked } = streamsOf([]);
  assert.deepEqual(await live.reopen(KEY), { moved: 0, missed: 0, failed: [] });
  assert.deepEqual(asked, []);
});

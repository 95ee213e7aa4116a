// Streams of the newest Yellowstone schema that the local service does not offer, or offers in part, from a service made of that
// schema: gossip whose nodes go, transactions before they run, the filters of Helius; as the panel reads them and the terminal
// prints them.
import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import {
  SubscribePreprocessedRequestSchema,
  SubscribePreprocessedUpdateSchema,
  SubscribeRequestSchema,
  SubscribeUpdateGossipSchema,
} from '../../proto';
import { key } from '../support/data/v1Transactions';
import { LiveStreams, STREAMS_FILE as FILE } from '../support/lsp/liveStreams';
import type { ExplainResult } from '../../protocol/explain';
import { startServer, WINDOW } from '../support/lsp/serverProcess';
import type { Broker } from '../support/lsp/window';
import { urlOptions, testWorkspace } from '../support/process/cli';
import { begin, framed, grpcService, slotUpdate, type Call } from '../support/wire/grpcServices';
import type { Hostile } from '../support/wire/hostile';

const KEY = 'key-of-the-newest-service';
const [LEAVES, STAYS] = [key(5), key(6)];
const SIGNATURE = new Uint8Array(64).fill(7);

type GossipBody = NonNullable<MessageInitShape<typeof SubscribeUpdateGossipSchema>['updateOneof']>;
const gossip = (updateOneof: GossipBody, seq: bigint) =>
  framed(toBinary(SubscribeUpdateGossipSchema, create(SubscribeUpdateGossipSchema, { updateOneof, seq })));
const node = (pubkey: Uint8Array, wallclock: bigint) => ({
  pubkey,
  wallclock,
  shredVersion: 50_093,
  versionMajor: 4,
  versionMinor: 2,
  versionClientId: 3,
  gossip: '192.0.2.1:8001',
});

/** All nodes, then a new one, then its removal. */
const GOSSIP = [
  gossip({ case: 'snapshot', value: { nodes: [node(STAYS, 1n)] } }, 1n),
  gossip({ case: 'ping', value: {} }, 2n),
  gossip({ case: 'node', value: node(LEAVES, 2n) }, 3n),
  gossip({ case: 'removed', value: { pubkey: LEAVES } }, 4n),
];

/** A version 1 transaction, as it leaves the shreds. */
const PREPROCESSED = framed(
  toBinary(
    SubscribePreprocessedUpdateSchema,
    create(SubscribePreprocessedUpdateSchema, {
      filters: ['mine'],
      updateOneof: {
        case: 'transaction',
        value: {
          slot: 77n,
          transaction: {
            signature: SIGNATURE,
            transaction: {
              signatures: [SIGNATURE],
              message: {
                header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
                accountKeys: [key(1), key(2), key(3)],
                recentBlockhash: key(9),
                instructions: [{ programIdIndex: 2, accounts: Uint8Array.of(0, 1), data: Uint8Array.of(1) }],
                versioned: true,
                config: { priorityFee: 5001n, computeUnitLimit: 450 },
              },
            },
          },
        },
      },
    }),
  ),
);

/** The first request of each call, by its method. */
const asked = new Map<string, Buffer>();

function serve({ stream, headers, messages: [request = Buffer.alloc(0)] }: Call): void {
  const method = (headers[':path'] ?? '').replace('/geyser.Geyser/', '');
  asked.set(method, request);
  begin(stream);
  if (method === 'SubscribeGossip') for (const message of GOSSIP) stream.write(message);
  else stream.write(method === 'SubscribePreprocessed' ? PREPROCESSED : slotUpdate(5n));
}

const work = testWorkspace();
let service: Hostile;
before(async () => {
  service = await grpcService(serve);
});
after(() => service.close());

const BLOCKS = {
  gossip: 'GRPC geyser.Geyser/SubscribeGossip\n{}\n',
  preprocessed:
    'GRPC geyser.Geyser/SubscribePreprocessed\n{ "transactions": { "mine": { "vote": false, "accountRequired": ["4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"] } } }\n',
  mints:
    'GRPC geyser.Geyser/Subscribe\n{ "transactions": { "t": { "accountInclude": ["4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"], "match_mints": true } } }\n',
} as const;

async function panel(t: { after(undo: () => Promise<unknown>): void }, text: string): Promise<LiveStreams> {
  const broker: Broker = {
    asked: [],
    answer: (request) => ({ kind: 'granted', id: request.id, secret: KEY, label: 'test key' }),
  };
  const window = {
    ...WINDOW,
    profiles: [{ profile: { name: 'newest', grpcUrl: service.origin }, source: 'user' as const }],
    endpoint: 'newest',
  };
  const server = await startServer({ answer: (request) => broker.answer(request), window });
  t.after(() => server.stop());
  await server.open(FILE, `### Newest\n# @name newest\n${text}`);
  return new LiveStreams(server, broker);
}

test('the panel has a row for each node that comes and goes, and none for a ping', async (t) => {
  const view = await panel(t, BLOCKS.gossip);
  const info = await view.block();
  await view.tick(({ total }) => total >= 3);
  const { rows } = await view.rows(info.id);
  const at = (field: string): number => info.columns.findIndex((column) => column.field === field);
  assert.deepEqual(
    rows.map((row) => (row.kind === 'update' ? [row.cells[at('kind')], row.cells[at('pubkey')]] : [row.kind])),
    [
      ['snapshot', ''],
      ['node', encodeBase58(LEAVES)],
      ['removed', encodeBase58(LEAVES)],
    ],
  );
  const gone = await view.rows(info.id, 'kind == removed');
  assert.equal(gone.next, 1);
  const full = await view.ask<{ readonly json: string }>('solanaRpc/streamRow', { id: info.id, number: 2 });
  assert.match(full.json, new RegExp(`"removed": \\{\\s+"pubkey": "${encodeBase58(LEAVES)}"`));
});

test('the panel explains a transaction before it runs, version and configuration among it', async (t) => {
  const view = await panel(t, BLOCKS.preprocessed);
  const info = await view.block();
  await view.tick(({ total }) => total >= 1);
  const { rows } = await view.rows(info.id);
  const [row] = rows;
  const at = (field: string): number => info.columns.findIndex((column) => column.field === field);
  assert.ok(row?.kind === 'update');
  assert.deepEqual([row.cells[at('slot')], row.cells[at('signature')]], ['77', encodeBase58(SIGNATURE)]);
  const full = await view.ask<unknown>('solanaRpc/streamRow', { id: info.id, number: 0 });
  const text = JSON.stringify(full);
  assert.match(text, /has not run/);
  assert.match(text, /5,001 lamports in total/);
  const explained = await view.ask<ExplainResult>('solanaRpc/explain', {
    source: { kind: 'row', id: info.id, number: 0 },
  });
  assert.ok(explained.kind === 'explained', JSON.stringify(explained));
  const { outcome, signature, facts, calls } = explained.view;
  assert.deepEqual([outcome.kind, signature], ['notExecuted', encodeBase58(SIGNATURE)]);
  assert.equal(facts.find(({ name }) => name === 'version')?.text, '1');
  assert.ok(calls.length > 0);
  const request = fromBinary(SubscribePreprocessedRequestSchema, asked.get('SubscribePreprocessed') ?? Buffer.alloc(0));
  assert.deepEqual(request.transactions['mine']?.accountRequired, ['4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi']);
  assert.equal(request.transactions['mine'].vote, false);
});

test('match_mints leaves as field 32 of its filter, by either name, and is not a mistake', async (t) => {
  for (const text of [BLOCKS.mints, BLOCKS.mints.replace('match_mints', 'matchMints')]) {
    const view = await panel(t, text);
    await view.block();
    await view.tick(({ total }) => total >= 1);
    const request = asked.get('Subscribe') ?? Buffer.alloc(0);
    assert.equal(fromBinary(SubscribeRequestSchema, request).transactions['t']?.matchMints, true);
    // Field 32, a varint: 32 << 3, in two bytes, and true.
    assert.ok(request.includes(Buffer.of(0x80, 0x02, 0x01)));
  }
});

for (const [name, count, wanted] of [
  ['gossip', 3, /"removed":\{"pubkey":"/],
  ['preprocessed', 1, /"slot":"77"/],
] as const)
  test(`the terminal prints each message of ${name} as a line`, async (t) => {
    const file = work.write(`${name}.jsonrpc`, `### ${name}\n# @name ${name}\n${BLOCKS[name]}`);
    const urls = urlOptions({
      rpcUrl: service.origin,
      wsUrl: service.origin.replace('http', 'ws'),
      grpcUrl: service.origin,
    });
    const child = work.start(['watch', `${file}#${name}`, ...urls], { env: { SOLANA_GRPC_KEY: KEY } });
    t.after(() => child.kill('SIGKILL'));
    assert.ok(child.stdout !== null);
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (lines.length === count) break;
    }
    assert.match(lines.at(-1) ?? '', wanted);
    assert.ok(lines.every((line) => !line.includes('"ping"')));
  });

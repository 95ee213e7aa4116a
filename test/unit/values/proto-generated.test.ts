// The generated code is the .proto files' own, and its descriptions can be searched by the names that people write.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  CommitmentLevelSchema,
  enumValueNamed,
  fieldNamed,
  Geyser,
  ScalarType,
  SlotStatusSchema,
  storage,
  SubscribeRequestFilterAccountsFilterSchema,
  SubscribeRequestSchema,
  SubscribeUpdateAccountInfoSchema,
  writtenNames,
  type DescField,
  type DescMessage,
} from '../../../proto';
import { requestOf, type FieldDescription, type MessageDescription } from '../../../proto/requests';

const root = path.join(import.meta.dirname, '..', '..', '..');

function filesOf(folder: string): Map<string, string> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

test('proto/gen is what the .proto files generate', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'proto-'));
  try {
    const run = spawnSync(process.execPath, [path.join(root, 'scripts', 'proto.mjs'), folder], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    assert.deepEqual(filesOf(path.join(folder, 'gen')), filesOf(path.join(root, 'proto', 'gen')));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the service has its eleven methods, three of them streams both ways and one from the server', () => {
  assert.equal(Geyser.typeName, 'geyser.Geyser');
  assert.deepEqual(
    Geyser.methods.map(({ name, methodKind }) => `${name} ${methodKind}`),
    [
      'Subscribe bidi_streaming',
      'SubscribeDeshred bidi_streaming',
      'SubscribeGossip server_streaming',
      'SubscribePreprocessed bidi_streaming',
      'SubscribeReplayInfo unary',
      'Ping unary',
      'GetLatestBlockhash unary',
      'GetBlockHeight unary',
      'GetSlot unary',
      'IsBlockhashValid unary',
      'GetVersion unary',
    ],
  );
});

test('the fields of late 2026 have the numbers of the published interface', () => {
  const numbers = (schema: DescMessage): Record<string, number> =>
    Object.fromEntries(schema.fields.map(({ name, number }) => [name, number]));
  const { input, output } = Geyser.method.subscribe;
  assert.equal(numbers(input)['block_footer'], 12);
  assert.equal(numbers(output)['block_footer'], 12);
  const updates = Object.fromEntries(output.fields.map((field) => [field.name, field.message]));
  const bankIds = Object.entries(updates).map(([name, message]) => [
    name,
    message?.fields.find((field) => field.name === 'bank_id')?.number,
  ]);
  assert.deepEqual(Object.fromEntries(bankIds.filter(([, number]) => number !== undefined)), {
    account: 4,
    slot: 5,
    transaction: 3,
    block: 14,
    block_meta: 10,
    entry: 7,
    transaction_status: 6,
    block_footer: 2,
  });
  assert.deepEqual(updates['block_footer'] && numbers(updates['block_footer']), {
    slot: 1,
    bank_id: 2,
    bank_hash: 3,
    block_producer_time_nanos: 4,
    block_user_agent: 5,
    block_final_cert: 6,
    skip_reward_cert: 7,
    notar_reward_cert: 8,
  });
  const gossip = Geyser.method.subscribeGossip.output;
  assert.deepEqual(numbers(gossip), { node: 1, removed: 2, ping: 3, snapshot: 6, created_at: 5, seq: 7 });
  const node = gossip.fields.find(({ name }) => name === 'node')?.message;
  const tail = node?.fields.map(({ name, number }) => `${name} ${number}`).slice(9);
  assert.deepEqual(tail, [
    'version_client_id 10',
    'gossip 11',
    'tpu_quic 12',
    'tpu_forwards_quic 13',
    'tpu_vote_udp 14',
    'tpu_vote_quic 15',
    'tvu_udp 16',
    'tvu_quic 17',
    'serve_repair_udp 18',
    'serve_repair_quic 19',
    'rpc 20',
    'rpc_pubsub 21',
    'alpenglow 22',
  ]);
  const preprocessed = Geyser.method.subscribePreprocessed;
  assert.deepEqual(numbers(preprocessed.input), { transactions: 1, ping: 2 });
  assert.deepEqual(numbers(preprocessed.output), { filters: 1, transaction: 2, ping: 3, pong: 4, created_at: 5 });
});

test('the plain descriptions of the requests are those of the descriptors', () => {
  const seen = new Set<string>();
  const compare = (plain: MessageDescription | undefined, message: DescMessage): void => {
    if (seen.has(message.typeName)) return;
    seen.add(message.typeName);
    assert.deepEqual(plain?.fields.map(plainRow), message.fields.map(fullRow), message.typeName);
    for (const [index, field] of message.fields.entries()) {
      const type = plain?.fields[index]?.type;
      if (field.message !== undefined && !field.message.typeName.startsWith('google.'))
        compare(type?.kind === 'message' ? type.description : undefined, field.message);
    }
  };
  for (const { name, input } of Geyser.methods) compare(requestOf(name), input);
  assert.ok(seen.size > 15, String(seen.size));
  assert.equal(requestOf('constructor'), undefined);
});

const plainRow = ({ name, jsonName, number, many, type, oneof }: FieldDescription): unknown[] => {
  const values = type.kind === 'enum' ? type.description.values.map((value) => `${value.name} ${value.number}`) : [];
  return [name, jsonName, number, many, type.kind === 'enum' ? type.description.name : type.name, values, oneof];
};

const fullRow = ({ name, jsonName, number, fieldKind, message, scalar, oneof, ...field }: DescField): unknown[] => {
  const values = field.enum?.values.map((value) => `${value.name} ${value.number}`) ?? [];
  const many = fieldKind === 'list' || fieldKind === 'map' ? fieldKind : 'no';
  const type = message?.name ?? field.enum?.name ?? ScalarType[scalar ?? ScalarType.STRING].toLowerCase();
  return [name, jsonName, number, many, type, values, oneof?.name];
};

test('a field is found by its name in lowerCamel and in snake_case', () => {
  assert.equal(fieldNamed(SubscribeRequestSchema, 'fromSlot')?.number, 11);
  assert.equal(fieldNamed(SubscribeRequestSchema, 'from_slot')?.number, 11);
  assert.equal(fieldNamed(SubscribeRequestSchema, 'FromSlot'), undefined);
  assert.equal(fieldNamed(SubscribeRequestSchema, 'constructor'), undefined);
});

test('the written names of a message are both forms of each field', () => {
  const names = writtenNames(SubscribeRequestSchema);
  assert.ok(names.includes('blocksMeta') && names.includes('blocks_meta'));
  assert.equal(names.filter((name) => name === 'slots').length, 1);
});

test('an enum value is found by name and by number', () => {
  assert.equal(enumValueNamed(CommitmentLevelSchema, 'FINALIZED')?.number, 2);
  assert.equal(enumValueNamed(SlotStatusSchema, '6')?.name, 'SLOT_DEAD');
  assert.equal(enumValueNamed(CommitmentLevelSchema, 'finalized'), undefined);
});

test('a oneof names its branches', () => {
  const [filter] = SubscribeRequestFilterAccountsFilterSchema.oneofs;
  assert.deepEqual(
    filter?.fields.map(({ jsonName }) => jsonName),
    ['memcmp', 'datasize', 'tokenAccountState', 'lamports'],
  );
});

test('a type of the storage package has its whole name', () => {
  assert.equal(storage.TransactionErrorSchema.typeName, 'solana.storage.ConfirmedBlock.TransactionError');
});

test('a map entry with a key alone, as some clients send it, is an empty filter', () => {
  const request = fromBinary(SubscribeRequestSchema, Uint8Array.of(0x12, 0x04, 0x0a, 0x02, 0x73, 0x6c));
  assert.deepEqual(Object.keys(request.slots), ['sl']);
  assert.equal(request.slots.sl?.filterByCommitment, undefined);
});

test('an optional field distinguishes false from absent', () => {
  const bytes = toBinary(
    SubscribeRequestSchema,
    create(SubscribeRequestSchema, { transactions: { t: { vote: false } } }),
  );
  const { transactions } = fromBinary(SubscribeRequestSchema, bytes);
  assert.equal(transactions.t?.vote, false);
  assert.equal(transactions.t?.failed, undefined);
});

test('the largest u64 comes through exactly', () => {
  const rentEpoch = 2n ** 64n - 1n;
  const bytes = toBinary(SubscribeUpdateAccountInfoSchema, create(SubscribeUpdateAccountInfoSchema, { rentEpoch }));
  assert.equal(fromBinary(SubscribeUpdateAccountInfoSchema, bytes).rentEpoch, rentEpoch);
});

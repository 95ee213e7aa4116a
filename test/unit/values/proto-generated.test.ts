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

test('the service has its nine methods, two of them streams both ways', () => {
  assert.equal(Geyser.typeName, 'geyser.Geyser');
  assert.deepEqual(
    Geyser.methods.map(({ name, methodKind }) => `${name} ${methodKind}`),
    [
      'Subscribe bidi_streaming',
      'SubscribeDeshred bidi_streaming',
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

test('an optional field tells false from absent', () => {
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

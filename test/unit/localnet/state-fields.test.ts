// State files whose checksums are right and whose records nobody could have written: each field of each record with each
// kind of wrong value is refused in one sentence that names record and field, and the file stays as it is.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs, { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { describe, mock, test } from 'node:test';
import { Keyring } from '../../../localnet/keys/keyring';
import { openLedger } from '../../../localnet/node/open';
import type { SavedChange } from '../../../localnet/ledger/saved';
import { readProgramFiles } from '../../../localnet/open/files';
import type { Options } from '../../../localnet/optionTypes';
import { decodeRecords, encodeRecord, HEADER } from '../../../localnet/state/codec';
import { StateFile } from '../../../localnet/state/file';
import { CHANGES, RECORD } from '../../../localnet/state/recordFields';
import type { StateRecord } from '../../../localnet/state/records';
import { Bench, freshKey } from '../../contract/rpc/rpc-harness';
import { stateLine } from '../../support/data/stateLine';
import { testFolder } from '../../support/folder';

const folder = testFolder('fields');

/** The refusal of a file with these lines at a start; undefined if it is accepted. */
function refusalOf(...lines: readonly (Buffer | string)[]): string | undefined {
  const file = path.join(folder, 'a.state');
  const content = Buffer.concat([Buffer.from(HEADER), ...lines.map((line) => Buffer.from(line))]);
  writeFileSync(file, content);
  try {
    StateFile.open(file);
    return undefined;
  } catch (error) {
    assert.equal((error as Error).name, 'StateFileError', (error as Error).stack);
    assert.ok(readFileSync(file).equals(content));
    return (error as Error).message.replace(file, 'FILE');
  } finally {
    rmSync(`${file}.lock`, { force: true });
  }
}

type Path = readonly (string | number)[];
const shown = (place: Path): string =>
  place.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');

/** Every place in a record, and what is there. */
function placesOf(value: unknown, at: Path = []): readonly (readonly [Path, unknown])[] {
  const inside =
    typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
      ? Object.entries(value).flatMap(([name, member]) =>
          placesOf(member, [...at, Array.isArray(value) ? Number(name) : name]),
        )
      : [];
  return at.length === 0 ? inside : [[at, value], ...inside];
}

const MISSING = Symbol('missing');

/** The record with something else in one place. */
function changed(value: unknown, [first, ...rest]: Path, other: unknown): unknown {
  if (first === undefined) return other;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  if (rest.length === 0 && other === MISSING) delete copy[first];
  else copy[first] = changed(copy[first], rest, other);
  return copy;
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : value instanceof Uint8Array ? 'bytes' : typeof value;

/** Members named as what every object inherits are not there for that. */
const INHERITED = JSON.parse('{"constructor":1,"toString":2,"__proto__":{"part":"key"}}') as unknown;
const WRONG: readonly (readonly [title: string, value: unknown])[] = [
  ['a number', 5],
  ['a negative number', -1],
  ['a number beyond every count', 1e300],
  ['a big integer', 5n],
  ['a negative big integer', -1n],
  ['a big integer of more than 64 bits', 2n ** 64n],
  ['bytes', Uint8Array.of(1)],
  ['an empty list', []],
  ['an object', {}],
  ['an object with inherited names', INHERITED],
  ['true', true],
];
const EXAMPLES = [...RECORD.examples.filter(({ part }) => part !== 'ledger'), ...CHANGES];
const titleOf = (record: StateRecord): string =>
  record.part === 'ledger' ? `ledger, ${record.change.kind}` : record.part;

/** The fault of a record with another value in one place; undefined if it is accepted. */
function faultOf(record: StateRecord, place: Path, value: unknown): string | undefined {
  const line = encodeRecord(changed(record, place, value) as StateRecord);
  const read = decodeRecords(Buffer.concat([Buffer.from(HEADER), line]));
  return read.ok ? undefined : read.message;
}

/** Places that take a value of several kinds: the payload of a transaction's error. */
const isSeveral = (place: Path): boolean => place.includes('err');
/** Values of the right kind that are too small or too large for every field. */
const isBeyond = (title: string): boolean => /negative|beyond|more than/.test(title);

/** The places of the records at which a value is taken. A new field that is optional, or free in its text, is one more. */
const takenWith = (value: unknown): readonly string[] => [
  ...new Set(
    EXAMPLES.flatMap((record) =>
      placesOf(record).flatMap(([place]) => (faultOf(record, place, value) === undefined ? [shown(place)] : [])),
    ),
  ),
];
const OPTIONAL = [
  'origin.hashSeed',
  'origin.keySeed',
  'origin.mark',
  'origin.chain',
  'origin.chain.genesisSlot',
  'origin.chain.sourceFeatures',
  'change.block.transactions[0].meta.costUnits',
  'change.block.rewards',
  'change.block.rewards[0].commissionBps',
  'change.block.rewardPartitions',
  'change.block.vote',
];
const GONE = ['change.accounts[0][1].account', 'change.accounts[0][1]'];

/** A fetched account of a byte more than one can have. */
const TOO_LARGE = encodeRecord(
  changed(
    CHANGES[0],
    ['change', 'accounts', 0, 1, 'account', 'data'],
    new Uint8Array(10 * 1024 * 1024 + 1),
  ) as StateRecord,
)
  .toString()
  .slice(9, -1);

describe('A record whose checksum is right', () => {
  for (const record of EXAMPLES)
    test(`${titleOf(record)}: no field has another kind of value`, () => {
      assert.equal(faultOf(record, ['another'], 1), undefined);
      let refused = 0;
      for (const [title, value] of WRONG)
        for (const [place, right] of placesOf(record)) {
          if ((kindOf(right) === kindOf(value) && !isBeyond(title)) || isSeveral(place)) continue;
          const said = /^in record 1, at byte \d+, "[^"]+" must be [^\n]+$/;
          assert.match(faultOf(record, place, value) ?? 'taken', said, `${title} as ${shown(place)}`);
          refused++;
        }
      assert.ok(refused > WRONG.length);
    });

  test('has no member that nobody reads, however deep it is', () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    for (const record of EXAMPLES) {
      const line = encodeRecord(record);
      // Every object but integers, bytes and errors, which have one member.
      const json = line
        .toString()
        .slice(9, -1)
        .replaceAll(/\{(?!"[$A-Z])/g, `{"another":${deep},`);
      const read = decodeRecords(Buffer.from(HEADER + stateLine(json)));
      assert.ok(read.ok, titleOf(record));
      assert.deepEqual(read.records.map(encodeRecord).map(String), [String(line)]);
    }
  });

  test('lacks nothing but what may be left out, and has null and nothing only where these mean something', () => {
    assert.deepEqual(takenWith(MISSING).toSorted(), [...OPTIONAL, GONE[0]].toSorted());
    assert.deepEqual(takenWith(undefined).toSorted(), [...OPTIONAL, ...GONE].toSorted());
    assert.deepEqual(takenWith(null), [
      'key.lastUsedAt',
      'change.block.transactions[0].meta.err',
      'change.block.transactions[0].meta.returnData',
    ]);
  });

  test('names no kind, plan or address as what every object inherits', () => {
    const texts = [
      ...['origin.seed', 'origin.hashSeed', 'origin.keySeed', 'origin.mark', 'key.keyId', 'key.label'],
      ...['minutes[0].keyId', 'minutes[0].methods[0][0]'],
      ...['err.AccountInUse[1].BorshIoError', 'logMessages[0]'].map(
        (name) => `change.block.transactions[0].meta.${name}`,
      ),
    ];
    for (const name of ['constructor', '__proto__', 'toString']) assert.deepEqual(takenWith(name), texts);
  });

  test('has errors of transactions as a node names them', () => {
    const [, , past] = CHANGES;
    assert.ok(past !== undefined);
    const place = ['change', 'block', 'transactions', 0, 'meta', 'err'];
    const rights = ['AccountInUse', { DuplicateInstruction: 3 }, { InsufficientFundsForRent: { account_index: 1 } }];
    for (const right of [
      ...rights,
      { InstructionError: [0, { Custom: 7 }] },
      { InstructionError: [1, 'GenericError'] },
    ])
      assert.equal(faultOf(past, place, right), undefined);
    const wrongs = [7, {}, { No: 1 }, { DuplicateInstruction: 256 }, { AccountInUse: 1, AccountNotFound: 1 }];
    for (const wrong of [
      ...wrongs,
      'constructor',
      { InstructionError: [0, { Custom: -1 }] },
      { InstructionError: [0] },
    ])
      assert.match(faultOf(past, place, wrong) ?? 'taken', / must be /, JSON.stringify(wrong));
  });

  for (const [title, json, wanted] of [
    ['holds no JSON', '{"part":', /it must be JSON/],
    ['is nested deep', `{"part":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /"part" must be one of/],
    ['is null', 'null', /it must be an object/],
    ['has an integer of a million digits', `{"part":{"$int":"${'9'.repeat(1_000_000)}"}}`, /"part" must be one of/],
    ['has an integer that is a text', '{"part":{"$int":"12x"}}', /"part" must be one of/],
    [
      'has a zero below zero',
      '{"part":"usage","minutes":[{"keyId":"a","minute":-0,"methods":[]}]}',
      /"minutes\[0\]\.minute" must be an integer from 0 to/,
    ],
    ['has more bytes than an account holds', TOO_LARGE, /\.data" must be up to 10485760 bytes/],
  ] as const)
    test(`${title}: one sentence, and the file stays`, () => {
      assert.match(refusalOf(stateLine(json)) ?? 'taken', /^FILE cannot be used: in record 1, at byte 29, /);
      assert.match(refusalOf(stateLine(json)) ?? 'taken', wanted);
      assert.match(refusalOf(stateLine(json)) ?? 'taken', / Move it away to start over\.$/);
    });
});

describe('A file', () => {
  /** A file of a size, which takes next to nothing of the disk, with a text at its start. */
  function sparse(head: string, size: number): string {
    const file = path.join(folder, 'sparse.state');
    writeFileSync(file, head);
    truncateSync(file, size);
    return file;
  }

  for (const [title, head, size, wanted] of [
    [
      'larger than 2 GiB is not read',
      HEADER,
      2 * 1024 ** 3 + 1,
      /cannot be used: it is larger than 2 GiB\. Move it away/,
    ],
    ['of something else is not read to its end', 'mine', 2 ** 40, /is not a state file of this version/],
    ['with nothing in most of it is not read to its end', HEADER, 1024 ** 3, /it is damaged at byte 29\. Move it away/],
  ] as const)
    test(`${title}, and stays`, () => {
      const file = sparse(head, size);
      const read = mock.method(fs, 'readSync');
      syncBuiltinESMExports();
      try {
        assert.throws(() => StateFile.open(file), { name: 'StateFileError', message: wanted });
        const bytes = read.mock.calls.reduce((sum, { result }) => sum + Number(result), 0);
        assert.ok(bytes <= 256 * 1024 ** 2, `${bytes}`);
      } finally {
        read.mock.restore();
        syncBuiltinESMExports();
      }
      assert.equal(statSync(file).size, size);
    });

  test('that is refused keeps its torn end until the service starts', () => {
    const [record] = EXAMPLES;
    assert.ok(record !== undefined);
    const file = path.join(folder, 'torn.state');
    const content = `${HEADER}${encodeRecord(record).toString()}01234567 {"part":"k`;
    writeFileSync(file, content);
    assert.equal(StateFile.open(file).restored.length, 1);
    assert.equal(readFileSync(file, 'utf8'), content);
  });
});

test('a snapshot of large accounts is many short lines', async () => {
  const bench = await Bench.open({ seed: 'fields', paused: true, finalityLag: 4 });
  for (let count = 0; count < 4; count++)
    bench.ledger.cheats.setAccount(freshKey().address, { lamports: 1n, data: new Uint8Array(3 * 1024 * 1024) });
  const large = [...bench.ledger.saved()].filter(
    (change) =>
      change.kind === 'accounts' && change.accounts.some(([, account]) => Number(account?.data.length) > 1024 ** 2),
  );
  assert.equal(large.length, 4);
  bench.close();
});

test('more keys than a service has are not loaded', () => {
  const keyring = new Keyring({ now: () => 0, random: randomBytes });
  const [, example] = EXAMPLES;
  assert.ok(example?.part === 'key');
  const load = (index: number): boolean => keyring.load({ ...example.key, keyId: `key-${index}`, revoked: false });
  for (let index = 0; index < 1_100; index++) assert.ok(load(index));
  assert.equal(load(1_100), false);
  assert.ok(load(7));
});

test('a file without end is read no further than a program may be long', () => {
  const address = freshKey().address;
  const programFiles = [{ address, file: '/dev/zero', authority: 'none' }];
  assert.throws(() => readProgramFiles({ programFiles } as unknown as Options), {
    name: 'StateFileError',
    message: '/dev/zero cannot be read: it is larger than 10 MiB.',
  });
});

describe('A ledger that cannot be continued from its records', () => {
  for (const [title, spoil] of [
    ['has no block', (changes: readonly SavedChange[]) => changes.filter(({ kind }) => kind === 'accounts')],
    ['leaves out a block', (changes: readonly SavedChange[]) => changes.filter((_, at) => at !== changes.length - 3)],
    ['has a height far ahead', (changes: readonly SavedChange[]) => changes.map(ahead)],
    ['has a transaction of no bytes', (changes: readonly SavedChange[]) => changes.map(emptied)],
  ] as const)
    test(`${title}: one sentence`, async () => {
      const bench = await Bench.open({ seed: 'fields', paused: true, finalityLag: 4 });
      await bench.transfer(freshKey().address, 1_000_000n);
      bench.slots(9);
      const saved = spoil([...bench.ledger.saved()]);
      bench.close();
      await assert.rejects(openLedger({ seed: 'fields', paused: true, finalityLag: 4, saved }), {
        name: 'LedgerInputError',
        message:
          /^The ledger cannot be continued from what was saved: [^\n]+\. Move the state file away to start over\.$/,
      });
    });
});

/** The last block far above the others. */
function ahead(change: SavedChange, at: number, all: readonly SavedChange[]): SavedChange {
  if (at !== all.length - 1 || change.kind !== 'block') return change;
  return { ...change, block: { ...change.block, height: 2 ** 51, slot: 2 ** 51 } };
}

function emptied(change: SavedChange): SavedChange {
  if (change.kind !== 'block' && change.kind !== 'past') return change;
  const transactions = change.block.transactions.map((one) => ({ ...one, wire: new Uint8Array() }));
  return { ...change, block: { ...change.block, transactions } };
}

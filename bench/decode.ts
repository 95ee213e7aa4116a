// P17: 10,000 accounts decoded by a Codama document, to @codama/dynamic-codecs with its codec made once. Both give the same
// for every account that is timed.
import { createRequire } from 'node:module';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { decodeRecord, recordOf } from '../core/solana/decode/idl/decode';
import { readIdl } from '../core/solana/decode/idl/read';
import {
  account,
  array,
  boolean,
  byField,
  emptyVariant,
  enumOf,
  field,
  fixed,
  bytes,
  link,
  definedType,
  number,
  numberValue,
  option,
  publicKey,
  root,
  sized,
  struct,
  structVariant,
  text,
  type Node,
} from '../test/support/data/codama';
import { randomOf, type Random } from '../test/support/data/codamaPrograms';
import { ours, theirs } from '../test/support/data/codamaValues';
import { borsh, layOut } from '../test/support/data/layouts';
import { interleaved, median, ratioOf, type Measured } from './measure';
import { peerFolder } from './peers';

const ROUNDS = 7;
const ACCOUNTS = 10_000;
const TAG = 0x0102_0304;
const PEER = '@codama/dynamic-codecs';

/** An account of an exchange: 16 fields besides its discriminator, some 400 bytes. */
const FIELDS: readonly Node[] = [
  field('authority', publicKey),
  field('baseMint', publicKey),
  field('quoteMint', publicKey),
  field('delegate', option(publicKey)),
  field('name', sized(text())),
  field('isOpen', boolean()),
  field('bump', number('u8')),
  field('fee', number('u16')),
  field('created', number('i64')),
  field('baseTotal', number('u64')),
  field('quoteTotal', number('u128')),
  field('price', number('f64')),
  field('status', enumOf([emptyVariant('open'), structVariant('halted', field('slot', number('u64')))])),
  field('hash', fixed(32, bytes)),
  field('orders', array(link('order'))),
  field('prices', array(number('u64'))),
];

const ORDER = struct(field('id', number('u64')), field('size', number('u64')), field('isBid', boolean()));
const DATA = struct(...FIELDS);
const DOCUMENT = root({
  definedTypes: [definedType('order', ORDER)],
  accounts: [
    account('market', struct(field('tag', number('u32'), { defaultValue: numberValue(TAG) }), ...FIELDS), [
      byField('tag', 0),
    ]),
  ],
});

function marketData(random: Random): Uint8Array {
  const any = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => random(256));
  return layOut(
    [4, TAG],
    any(96),
    random(2) === 0 ? [1, 0] : layOut([1, 1], any(32)),
    borsh(`market ${random(1_000_000)}`),
    [1, random(2)],
    any(1 + 2 + 8 + 8 + 16),
    Buffer.from(Float64Array.of(random(1_000) / 8).buffer),
    random(2) === 0 ? [1, 0] : layOut([1, 1], any(8)),
    any(32),
    [4, 4],
    ...Array.from({ length: 4 }, () => layOut(any(16), [1, random(2)])),
    [4, 8],
    any(64),
  );
}

interface Codec {
  readonly decode: (data: Uint8Array) => object;
}
interface Peer {
  readonly getNodeCodec: (path: readonly unknown[]) => Codec;
}

/** Accounts a millisecond. */
const timed = (all: readonly Uint8Array[], decode: (data: Uint8Array) => unknown) => (): Promise<number> => {
  const since = performance.now();
  for (const data of all) decode(data);
  return Promise.resolve(all.length / (performance.now() - since));
};

const rate = (perMs: readonly number[]): string => `${median(perMs).toFixed(0)}/ms`;

export async function measureDecoding(): Promise<readonly Measured[]> {
  const row = { goal: 'P17', name: `decode ${ACCOUNTS} accounts by IDL`, bound: { atLeast: 5 } } as const;
  const folder = await peerFolder();
  if (folder === undefined) return [{ ...row, absent: 'no peer', note: `${PEER} could not be installed` }];
  const { getNodeCodec } = createRequire(path.join(folder, 'x.js'))(PEER) as Peer;
  const program = DOCUMENT['program'] as { readonly accounts: readonly Node[] };
  const codec = getNodeCodec([DOCUMENT, program, program.accounts[0]]);
  const { idl } = readIdl(JSON.stringify(DOCUMENT));
  if (idl === undefined) throw new Error('The document of the benchmark is not read.');
  const decoded = (data: Uint8Array): ReturnType<typeof decodeRecord> => {
    const record = recordOf(idl.accounts, data);
    return record === undefined ? undefined : decodeRecord(idl, record, data);
  };
  const random = randomOf(17);
  const all = Array.from({ length: ACCOUNTS }, () => marketData(random));
  const isSame = all.every((data) =>
    isDeepStrictEqual(
      ours({ kind: 'fields', fields: decoded(data) ?? [] }),
      theirs(DATA, codec.decode(data), () => ORDER),
    ),
  );
  const [mine = [], peers = []] = await interleaved(ROUNDS, [
    timed(all, decoded),
    timed(all, (data) => codec.decode(data)),
  ]);
  return [
    {
      ...row,
      ...(isSame && { figure: ratioOf(mine, peers) }),
      note: isSame
        ? `${rate(mine)} to ${rate(peers)} of ${PEER} with its codec made once, same values`
        : 'the values differ',
    },
  ];
}

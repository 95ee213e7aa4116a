// Program-derived addresses and the IDLs published at them, against the public client's own derivation.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import test from 'node:test';
import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import {
  anchorAddress,
  externalBytes,
  idlPlaces,
  metadataAddress,
  readIdlPlace,
  readPublished,
  type IdlPlace,
  type Inflate,
} from '../../../../core/solana/decode/idl/onChain';
import { FOUNDATION, readProgramMetadata } from '../../../../core/solana/decode/idl/programMetadata';
import { isOnCurve, programAddress } from '../../../../core/solana/chain/programAddress';
import { keyOf, layOut } from '../../../support/data/layouts';
import { externalData, metadataAccount, type MetadataParts } from '../../../support/data/plantedAccounts';

const inflate: Inflate = (data, most, compression) =>
  (compression === 'gzip' ? gunzipSync : inflateSync)(data, { maxOutputLength: most });

/** The token program and wrapped SOL. */
const TOKEN = Buffer.from('06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9', 'hex');
const WSOL = Buffer.from('069b8857feab8184fb687f634618c035dac439dc1aeb3b5598a0f00000000001', 'hex');

/** Program, and the account of its IDL, as @solana/kit derives it. */
const IDL_ADDRESSES = [
  ['JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', 'C88XWfp26heEmDkmfSzeXP7Fd7GQJ2j9dDTUsyiZbUTa'],
  ['whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', '2KFqE4RWoPVbvodo8vbggCFeHPS8TDvgpwp79ALMrcyn'],
  ['MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD', '9jWC3EixD3D7ChMrrSRw3opnGHQ8YxZGJqGkzcup3tAn'],
  ['metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s', '77SZ5QQdT1vZV5FbMLMCmiYimtSkNnADbkusCCu5vVRL'],
  ['ComputeBudget111111111111111111111111111111', '3CZ1s46Y6An2G9Gkhu1g62QP6sRMR3NrybQvgvhaEiNW'],
] as const;

test('public keys of pairs are on the curve', () => {
  for (let i = 0; i < 20; i++) {
    const key = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    assert.equal(isOnCurve(key), true);
  }
});

test('the associated token address of a wallet is what every client derives', () => {
  // Wrapped SOL of the System Program's address: derived with @solana/kit.
  const ATA = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
  assert.deepEqual(programAddress([new Uint8Array(32), TOKEN, WSOL], ATA), {
    address: 'aqxoAhCwpy3oB1BpNw9hL1HdLYLgPpbPjzxDrrQj3Fs',
    bump: 254,
  });
});

test('the IDL of a program is where Anchor puts it', () => {
  for (const [program, address] of IDL_ADDRESSES) assert.equal(anchorAddress(program), address);
  assert.equal(anchorAddress('no key'), undefined);
});

/** Program, its canonical account and the foundation's, as the Program Metadata client derives them. */
const METADATA_ADDRESSES = [
  [
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'Az5tgYWruEoJpLfyaauAkuRTxbW2mpvoidiwuq4mHxXN',
    'FgsH6dRAER4htJGQFvBDw6x6rBvx4yCsWBwwh3zhdpzL',
  ],
  ['11111111111111111111111111111111', undefined, '2ypWVnvjZsraGzL18SHoqnZ637uEHC73KhqiE6nfyaCV'],
  ['Stake11111111111111111111111111111111111111', undefined, '6ehNsr9KaPyGVXVje6t8NrE4sSUFqMXBNn1xucQBcDWv'],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', undefined, 'CU6X9kAB4MZGUQA6zU4ip2bKPoWvXuVjY8RMmoZ5qzfb'],
] as const;

test('the IDLs of the Program Metadata program are where its client puts them', () => {
  for (const [program, canonical, foundation] of METADATA_ADDRESSES) {
    if (canonical !== undefined) assert.equal(metadataAddress(program, 'idl'), canonical);
    assert.equal(metadataAddress(program, 'idl', FOUNDATION), foundation);
  }
  assert.equal(metadataAddress('no key', 'idl'), undefined);
  assert.equal(metadataAddress(FOUNDATION, 'seventeen letters'), undefined);
});

test('the canonical account comes first, then the foundation’s, then Anchor’s; native programs have none of those', () => {
  const sources = (program: string): readonly string[] => idlPlaces(program).map(({ from }) => from);
  assert.deepEqual(sources('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'), ['metadata', 'foundation', 'anchor']);
  for (const native of [
    '11111111111111111111111111111111',
    'Stake11111111111111111111111111111111111111',
    'AddressLookupTab1e1111111111111111111111111',
    'BPFLoaderUpgradeab1e11111111111111111111111',
  ])
    assert.deepEqual(sources(native), ['metadata', 'foundation']);
  assert.deepEqual(sources('no key'), []);
});

const PROGRAM = 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc';
const OTHER = 'MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD';
const TEXT = '{"name":"shop","instructions":[]}';

const placeFrom = (from: IdlPlace['from']): IdlPlace => {
  const place = idlPlaces(PROGRAM).find((one) => one.from === from);
  assert.ok(place);
  return place;
};

/** The text of the IDL in an account's data, or the reason without one. */
async function textIn(data: Uint8Array, from: IdlPlace['from'] = 'metadata'): Promise<string> {
  const read = readIdlPlace(placeFrom(from), PROGRAM, data);
  if (read.kind === 'refused') return `refused: ${read.message}`;
  if (read.source.kind === 'url') return `url: ${read.source.url}`;
  const bytes = read.source.kind === 'direct' ? read.source.bytes : externalBytes(read.source, EXTERNAL);
  if (bytes === undefined) return 'outside of the other account';
  const { idl, text, problems } = await readPublished(bytes, read.compression, inflate);
  return idl === undefined ? `unusable: ${problems[0]?.message}` : (text ?? '');
}

const EXTERNAL = layOut('head', TEXT, 'tail');
const deflated = deflateSync(TEXT);

/** Accounts of the Program Metadata program, and the text of their IDL. */
const ACCOUNTS: readonly (readonly [what: string, parts: Partial<MetadataParts>, text: string])[] = [
  ['the text itself', { data: TEXT }, TEXT],
  ['gzip', { data: gzipSync(TEXT), compression: 1 }, TEXT],
  ['zlib', { data: deflated, compression: 2 }, TEXT],
  ['no format, as some programs publish it', { data: deflated, compression: 2, format: 0 }, TEXT],
  // Base64 says how the bytes are shown, not how they are stored.
  ['base64', { data: TEXT, encoding: 3 }, TEXT],
  ['no encoding', { data: TEXT, encoding: 0 }, TEXT],
  ['YAML', { data: TEXT, format: 2 }, 'refused: the IDL is written as YAML, and only JSON is read'],
  ['a URL', { data: 'https://example.com/idl.json', source: 1 }, 'url: https://example.com/idl.json'],
  ['a piece of another account', { data: externalData(OTHER, 4, TEXT.length), source: 2 }, TEXT],
  [
    'the end of another account',
    { data: externalData(OTHER, 4, 0), source: 2 },
    'unusable: Text after the end of the JSON value',
  ],
  ['more than the other account', { data: externalData(OTHER, 4, 1_000), source: 2 }, 'outside of the other account'],
  [
    'half an external place',
    { data: new Uint8Array(39), source: 2 },
    'refused: the account is not an IDL of this program',
  ],
  ['another seed', { data: TEXT, seed: 'security' }, 'refused: the account is not an IDL of this program'],
  ['another program', { data: TEXT, program: OTHER }, 'refused: the account is not an IDL of this program'],
  ['another authority', { data: TEXT, authority: OTHER }, 'refused: the account is not an IDL of this program'],
  ['an unknown compression', { data: TEXT, compression: 3 }, 'refused: the account is not an IDL of this program'],
  [
    'broken compression',
    { data: TEXT, compression: 1 },
    'unusable: its data cannot be unpacked, or is longer than an IDL',
  ],
  [
    'a bomb',
    { data: gzipSync(' '.repeat(5_000_000)), compression: 1 },
    'unusable: its data cannot be unpacked, or is longer than an IDL',
  ],
];
for (const [what, parts, text] of ACCOUNTS)
  test(`a metadata account with ${what}`, async () => {
    assert.equal(await textIn(metadataAccount({ program: PROGRAM, data: '', ...parts })), text);
  });

test('the foundation’s account has its authority, and the canonical account does not', async () => {
  const own = metadataAccount({ program: PROGRAM, data: TEXT });
  const foundation = metadataAccount({ program: PROGRAM, data: TEXT, authority: FOUNDATION });
  assert.equal(await textIn(foundation, 'foundation'), TEXT);
  for (const [data, from] of [
    [own, 'foundation'],
    [foundation, 'metadata'],
  ] as const)
    assert.equal(await textIn(data, from), 'refused: the account is not an IDL of this program');
});

test('a metadata account that is cut anywhere, a buffer and an empty one are no IDL', () => {
  const whole = metadataAccount({ program: PROGRAM, data: TEXT });
  for (let length = 0; length < 96 + TEXT.length; length++)
    assert.equal(readProgramMetadata(whole.subarray(0, length)), undefined);
  for (const kind of [0, 1, 3]) {
    whole[0] = kind;
    assert.equal(readProgramMetadata(whole), undefined);
  }
});

const packed = (text: string): Uint8Array => {
  const data = deflateSync(text);
  return layOut(new Uint8Array(8), keyOf(0xaa), [4, data.length], data, new Uint8Array(100));
};

test('an IDL that Anchor published is unpacked and read', async () => {
  assert.equal(await textIn(packed(TEXT), 'anchor'), TEXT);
});

test('an Anchor account without an IDL, or whose IDL unpacks beyond bounds, says so', async () => {
  for (const data of [new Uint8Array(0), new Uint8Array(44)])
    assert.equal(await textIn(data, 'anchor'), 'refused: its data is not an IDL that Anchor wrote');
  for (const data of [packed('{').fill(0, 44), packed(' '.repeat(5_000_000))])
    assert.equal(await textIn(data, 'anchor'), 'unusable: its data cannot be unpacked, or is longer than an IDL');
});

// Decoded token accounts and mints, from hand-written bytes: both token programs, every extension.
import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeBase58 } from '../../../../core/solana/encoding/base58';
import type { Decoded } from '../../../../core/solana/decode/decoded';
import { valueText } from '../../../../core/solana/decode/decodedText';
import { decode, field, texts } from '../../../support/data/decoded';
import { borsh, extension, keyOf, layOut, type Part } from '../../../support/data/layouts';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

const A = encodeBase58(keyOf(0xaa));
const B = encodeBase58(keyOf(0xbb));

const mintBase = layOut([4, 1], keyOf(0xaa), [8, 1_000_000n], [1, 6], [1, 1], [4, 0], keyOf(0));
const accountBase = (amount: bigint): Uint8Array =>
  layOut(keyOf(0xaa), keyOf(0xbb), [8, amount], [4, 1], keyOf(0xcc), [1, 1], [4, 0], [8, 0], [8, 7], [4, 0], keyOf(0));
const extendedMint = (...extensions: readonly Uint8Array[]): Uint8Array =>
  layOut(mintBase, Buffer.alloc(83), [1, 1], ...extensions);

function extensionOf(decoded: Decoded, at = 0): { name: string | undefined; fields: Record<string, string> } {
  const list = field(decoded, 'extensions');
  assert.ok(list.kind === 'list');
  const item = list.items[at];
  assert.ok(item?.kind === 'fields');
  return { name: item.name, fields: texts(item.fields) };
}

test('a mint says its supply in its own decimals, and an authority that was given up as none', () => {
  const decoded = decode('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', mintBase);
  assert.equal(decoded.title, 'SPL Token mint');
  assert.deepEqual(texts(decoded.fields), {
    mintAuthority: A,
    supply: '1 (raw 1000000)',
    decimals: '6',
    isInitialized: 'true',
    freezeAuthority: 'none',
  });
});

test('a multisig shows as many signers as it has', () => {
  const data = layOut([1, 1], [1, 2], [1, 1], keyOf(0xaa), keyOf(0xbb), Buffer.alloc(9 * 32));
  const decoded = decode('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', data);
  assert.equal(valueText(field(decoded, 'signers')), `[${A}, ${B}]`);
});

test('a transfer fee is shown with both of its rates, in units of the mint', () => {
  const fee = (epoch: number): Part[] => [
    [8, epoch],
    [8, 2_000_000],
    [2, 50],
  ];
  const value = layOut(keyOf(0xaa), keyOf(0), [8, 1_500_000], ...fee(3), ...fee(4));
  assert.deepEqual(extensionOf(decode(TOKEN_2022, extendedMint(extension(1, value)))), {
    name: 'transferFeeConfig',
    fields: {
      transferFeeConfigAuthority: A,
      withdrawWithheldAuthority: 'none',
      withheldAmount: '1.5 (raw 1500000)',
      olderTransferFee: '{ epoch: 3, maximumFee: 2 (raw 2000000), transferFeeBasisPoints: 0.5 % (50 basis points) }',
      newerTransferFee: '{ epoch: 4, maximumFee: 2 (raw 2000000), transferFeeBasisPoints: 0.5 % (50 basis points) }',
    },
  });
});

/** One extension each: type, value, and the fields as text. */
const EXTENSIONS: readonly (readonly [
  type: number,
  name: string,
  value: Uint8Array,
  fields: Record<string, string>,
])[] = [
  [2, 'transferFeeAmount', layOut([8, 5]), { withheldAmount: '0.000005 (raw 5)' }],
  [3, 'mintCloseAuthority', keyOf(0xaa), { closeAuthority: A }],
  [6, 'defaultAccountState', layOut([1, 2]), { accountState: 'frozen' }],
  [7, 'immutableOwner', layOut(), {}],
  [8, 'memoTransfer', layOut([1, 1]), { requireIncomingTransferMemos: 'true' }],
  [9, 'nonTransferable', layOut(), {}],
  [
    10,
    'interestBearingConfig',
    layOut(keyOf(0xaa), [8, 0], [2, -5], [8, 86_400], [2, 250]),
    {
      rateAuthority: A,
      initializationTimestamp: '1970-01-01T00:00:00Z (0)',
      preUpdateAverageRate: '-0.05 % (-5 basis points)',
      lastUpdateTimestamp: '1970-01-02T00:00:00Z (86400)',
      currentRate: '2.5 % (250 basis points)',
    },
  ],
  [11, 'cpiGuard', layOut([1, 0]), { lockCpi: 'false' }],
  [12, 'permanentDelegate', keyOf(0xbb), { delegate: B }],
  [13, 'nonTransferableAccount', layOut(), {}],
  [14, 'transferHook', layOut(keyOf(0xaa), keyOf(0)), { authority: A, programId: 'none' }],
  [15, 'transferHookAccount', layOut([1, 1]), { transferring: 'true' }],
  [18, 'metadataPointer', layOut(keyOf(0xaa), keyOf(0xbb)), { authority: A, metadataAddress: B }],
  [
    19,
    'tokenMetadata',
    layOut(keyOf(0), keyOf(0xbb), borsh('Name'), borsh('SYM'), borsh('https://x'), [4, 1], borsh('k'), borsh('v')),
    {
      updateAuthority: 'none',
      mint: B,
      name: 'Name',
      symbol: 'SYM',
      uri: 'https://x',
      additionalMetadata: '[{ key: k, value: v }]',
    },
  ],
  [20, 'groupPointer', layOut(keyOf(0xaa), keyOf(0xbb)), { authority: A, groupAddress: B }],
  [
    21,
    'tokenGroup',
    layOut(keyOf(0xaa), keyOf(0xbb), [8, 1], [8, 10]),
    { updateAuthority: A, mint: B, size: '1', maxSize: '10' },
  ],
  [22, 'groupMemberPointer', layOut(keyOf(0xaa), keyOf(0xbb)), { authority: A, memberAddress: B }],
  [23, 'tokenGroupMember', layOut(keyOf(0xaa), keyOf(0xbb), [8, 3]), { mint: A, group: B, memberNumber: '3' }],
  [
    25,
    'scaledUiAmountConfig',
    layOut(keyOf(0xaa), Buffer.from(Float64Array.of(1.5).buffer), [8, 0], Buffer.from(Float64Array.of(2).buffer)),
    {
      authority: A,
      multiplier: '1.5',
      newMultiplierEffectiveTimestamp: '1970-01-01T00:00:00Z (0)',
      newMultiplier: '2',
    },
  ],
  [26, 'pausableConfig', layOut(keyOf(0xaa), [1, 1]), { authority: A, paused: 'true' }],
  [27, 'pausableAccount', layOut(), {}],
  [28, 'permissionedBurnConfig', keyOf(0xaa), { authority: A }],
];

for (const [type, name, value, fields] of EXTENSIONS) {
  test(`extension ${type} is ${name}`, () => {
    assert.deepEqual(extensionOf(decode(TOKEN_2022, extendedMint(extension(type, value)))), { name, fields });
  });
}

/** The lengths of the confidential ones; their values are ciphertexts. */
const CONFIDENTIAL: readonly (readonly [number, string, number])[] = [
  [4, 'confidentialTransferMint', 65],
  [5, 'confidentialTransferAccount', 295],
  [16, 'confidentialTransferFeeConfig', 129],
  [17, 'confidentialTransferFeeAmount', 64],
  [24, 'confidentialMintBurn', 196],
];
for (const [type, name, length] of CONFIDENTIAL) {
  test(`extension ${type} is ${name}, and reads to its last byte`, () => {
    const whole = extensionOf(decode(TOKEN_2022, extendedMint(extension(type, new Uint8Array(length)))));
    assert.equal(whole.name, name);
    assert.ok(!('data' in whole.fields), 'shown as bytes');
    const short = extensionOf(decode(TOKEN_2022, extendedMint(extension(type, new Uint8Array(length - 1).fill(1)))));
    assert.deepEqual(Object.keys(short.fields), ['data']);
  });
}

test('an extended account reads its own extensions after the base, and a type nobody knows stays bytes', () => {
  const data = layOut(accountBase(9n), [1, 2], extension(7, layOut()), extension(999, Uint8Array.of(1, 2)));
  const decoded = decode(TOKEN_2022, data);
  assert.equal(decoded.title, 'Token-2022 account');
  assert.equal(valueText(field(decoded, 'amount')), '9 raw');
  assert.equal(extensionOf(decoded, 0).name, 'immutableOwner');
  assert.deepEqual(extensionOf(decoded, 1), { name: 'extension 999', fields: { data: '0x0102' } });
});

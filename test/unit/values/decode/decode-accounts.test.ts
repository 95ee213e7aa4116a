// Decoded accounts of the native programs, the loaders, the sysvars and Metaplex, from hand-written bytes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeBase58 } from '../../../../core/solana/encoding/base58';
import { decodeAccount } from '../../../../core/solana/decode/decode';
import { NO_PROGRAMS } from '../../../../core/solana/decode/decoded';
import { valueText } from '../../../../core/solana/decode/decodedText';
import { decode, field, texts } from '../../../support/data/decoded';
import { borsh, keyOf, layOut, padded, type Part } from '../../../support/data/layouts';
import { externalData, metadataAccount } from '../../../support/data/plantedAccounts';
import { VOTES } from '../../../support/data/voteAccounts';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const STAKE = 'Stake11111111111111111111111111111111111111';
const VOTE = 'Vote111111111111111111111111111111111111111';
const UPGRADEABLE = 'BPFLoaderUpgradeab1e11111111111111111111111';
const SYSVAR = 'Sysvar1111111111111111111111111111111111111';
const METADATA = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';

const A = encodeBase58(keyOf(0xaa));
const B = encodeBase58(keyOf(0xbb));
const NEVER = 2n ** 64n - 1n;

const META: Part[] = [[8, 2_282_880], keyOf(0xaa), keyOf(0xbb), [8, 0], [8, 0], keyOf(0)];

test('a delegated stake says to whom, since when, and that nothing ends it', () => {
  const delegation: Part[] = [
    keyOf(0xcc),
    [8, 5_000_000_000n],
    [8, 100],
    [8, NEVER],
    Buffer.from(Float64Array.of(0.25).buffer),
  ];
  const decoded = decode(STAKE, layOut([4, 2], ...META, ...delegation, [8, 77], [1, 0], Buffer.alloc(3)));
  const { state, staker, withdrawer, stake, deactivationEpoch, warmupCooldownRate } = texts(decoded.fields);
  assert.deepEqual(
    [state, staker, withdrawer, stake, deactivationEpoch, warmupCooldownRate],
    ['delegated', A, B, '5,000,000,000 lamports (5 SOL)', 'none', '0.25'],
  );
});

test('an initialized stake has authorities and no delegation', () => {
  const decoded = decode(STAKE, layOut([4, 1], ...META, Buffer.alloc(76)));
  assert.deepEqual(Object.keys(texts(decoded.fields)), [
    'state',
    'rentExemptReserve',
    'staker',
    'withdrawer',
    'lockup',
  ]);
});

for (const [version, data] of VOTES) {
  test(`a vote account of version ${version} reads to its last timestamp`, () => {
    const decoded = decode(VOTE, layOut(data, Buffer.alloc(400)));
    const found = texts(decoded.fields);
    assert.equal(found['version'], version);
    assert.equal(found['nodePubkey'], A);
    assert.equal(found['authorizedWithdrawer'], B);
    assert.equal(found['rootSlot'], '40');
    assert.match(found['votes'] ?? '', /slot: 50, confirmationCount: 3/);
    assert.equal(found['epochCredits'], '[{ epoch: 5, credits: 30, previousCredits: 20 }]');
    assert.equal(found['lastTimestamp'], '{ slot: 60, timestamp: 1970-01-02T00:00:00Z (86400) }');
    assert.equal(
      found['commission'] ?? found['inflationRewardsCommission'],
      version === 'v4' ? '9 % (900 basis points)' : '9 %',
    );
  });
}

test('a program, its data and a buffer of the upgradeable loader are distinguished', () => {
  const elf = Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 1, 2);
  const program = decode(UPGRADEABLE, layOut([4, 2], keyOf(0xaa)));
  assert.deepEqual([program.kind, texts(program.fields)], ['program', { programData: A }]);
  const data = decode(UPGRADEABLE, layOut([4, 3], [8, 99], [1, 1], keyOf(0xbb), elf));
  assert.deepEqual(
    [data.kind, texts(data.fields)],
    ['programData', { slot: '99', upgradeAuthority: B, codeLength: '6 bytes', isElf: 'true' }],
  );
  const buffer = decode(UPGRADEABLE, layOut([4, 1], [1, 1], keyOf(0xbb), elf));
  assert.deepEqual(
    [buffer.kind, texts(buffer.fields)],
    ['programBuffer', { authority: B, codeLength: '6 bytes', isElf: 'true' }],
  );
});

test('sysvars are distinguished by address', () => {
  const clock = decode(
    SYSVAR,
    layOut([8, 9], [8, 0], [8, 2], [8, 3], [8, 86_400]),
    'SysvarC1ock11111111111111111111111111111111',
  );
  assert.deepEqual(texts(clock.fields), {
    slot: '9',
    epochStartTimestamp: '1970-01-01T00:00:00Z (0)',
    epoch: '2',
    leaderScheduleEpoch: '3',
    unixTimestamp: '1970-01-02T00:00:00Z (86400)',
  });
  const hashes = decode(SYSVAR, layOut([8, 1], [8, 7], keyOf(0xaa)), 'SysvarS1otHashes111111111111111111111111111');
  assert.equal(valueText(field(hashes, 'entries')), `[{ slot: 7, hash: ${A} }]`);
  const history = decode(
    SYSVAR,
    layOut([1, 1], [8, 1], [8, 0b1011], [8, 64], [8, 70]),
    'SysvarS1otHistory11111111111111111111111111',
  );
  assert.deepEqual(texts(history.fields), { slotsInHistory: '3', length: '64', nextSlot: '70' });
  const rewards = decode(
    SYSVAR,
    layOut([8, 1], [8, 2], keyOf(0xaa), [16, 2n ** 100n], [8, 0], [8, 0], [1, 0]),
    'SysvarEpochRewards1111111111111111111111111',
  );
  assert.equal(valueText(field(rewards, 'totalPoints')), String(2n ** 100n));
});

test('token metadata reads its padded texts, its creators, and the later fields that are present', () => {
  const head = layOut(
    [1, 4],
    keyOf(0xaa),
    keyOf(0xbb),
    padded('Pond', 32),
    padded('PND', 10),
    padded('https://p', 200),
    [2, 500],
    [1, 1],
    [4, 1],
    keyOf(0xaa),
    [1, 1],
    [1, 100],
    [1, 0],
    [1, 1],
  );
  const old = texts(decode(METADATA, head).fields);
  assert.deepEqual(
    [old['name'], old['symbol'], old['uri'], old['sellerFee']],
    ['Pond', 'PND', 'https://p', '5 % (500 basis points)'],
  );
  assert.equal(old['creators'], `[{ address: ${A}, verified: true, share: 100 % }]`);
  assert.ok(!('tokenStandard' in old));
  const later = layOut(
    head,
    [1, 1],
    [1, 254],
    [1, 1],
    [1, 4],
    [1, 1],
    [1, 1],
    keyOf(0xbb),
    [1, 0],
    [1, 0],
    [1, 1],
    [1, 0],
    [1, 0],
  );
  const now = texts(decode(METADATA, later).fields);
  assert.equal(now['tokenStandard'], 'ProgrammableNonFungible');
  assert.equal(now['collection'], `{ verified: true, key: ${B} }`);
  assert.equal(now['programmableConfig'], 'V1 { ruleSet: none }');
});

test('a lookup table lists its addresses, and a nonce its hash and fee', () => {
  const table = decode(
    'AddressLookupTab1e1111111111111111111111111',
    layOut([4, 1], [8, NEVER], [8, 10], [1, 0], [1, 1], keyOf(0xaa), Buffer.alloc(2), keyOf(0xbb)),
  );
  assert.deepEqual(texts(table.fields), {
    deactivationSlot: 'none',
    lastExtendedSlot: '10',
    lastExtendedSlotStartIndex: '0',
    authority: A,
    addresses: `[${B}]`,
  });
  const nonce = decode(
    '11111111111111111111111111111111',
    layOut([4, 1], [4, 1], keyOf(0xaa), keyOf(0xbb), [8, 5_000]),
  );
  assert.deepEqual(texts(nonce.fields), {
    version: 'current',
    state: 'initialized',
    authority: A,
    blockhash: B,
    lamportsPerSignature: '5,000 lamports (0.000005 SOL)',
  });
});

test('data that its owner would not write is not decoded', () => {
  for (const owner of [STAKE, VOTE, UPGRADEABLE, METADATA, TOKEN_2022]) {
    const account = { owner, lamports: 1n, data: new Uint8Array(11).fill(0xff), executable: false };
    assert.equal(decodeAccount(account, NO_PROGRAMS), undefined);
  }
});

const PROGRAM_METADATA = 'ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S';

test('a name padded with millions of zeros inside and at its end is read in one pass', () => {
  // The cost of a square would take this test to its limit.
  const zeros = '\0'.repeat(2_000_000);
  const head = layOut([1, 4], keyOf(0xaa), keyOf(0xbb), borsh(`${zeros}x${zeros}`), borsh('S'), borsh('u'));
  const rest = layOut([2, 500], [1, 0], [1, 0], [1, 0]);
  assert.equal(texts(decode(METADATA, layOut(head, rest)).fields)['symbol'], 'S');
});

test('program metadata says whose it is, how it is packed and where the document is', () => {
  const direct = decode(PROGRAM_METADATA, metadataAccount({ program: A, data: '{}' }));
  assert.deepEqual([direct.kind, direct.title], ['programMetadata', 'Program metadata']);
  assert.deepEqual(texts(direct.fields), {
    program: A,
    authority: A,
    seed: 'idl',
    isMutable: 'true',
    isCanonical: 'true',
    encoding: 'utf8',
    compression: 'none',
    format: 'json',
    data: '0x7b7d',
  });
  const url = decode(PROGRAM_METADATA, metadataAccount({ program: A, data: 'https://example.com', source: 1 }));
  assert.equal(texts(url.fields)['url'], 'https://example.com');
  const external = metadataAccount({
    program: A,
    authority: B,
    data: externalData(B, 96, 0),
    source: 2,
    seed: 'security',
  });
  const { authority, seed, isCanonical, dataAccount, dataOffset, dataLength } = texts(
    decode(PROGRAM_METADATA, external).fields,
  );
  assert.deepEqual(
    [authority, seed, isCanonical, dataAccount, dataOffset, dataLength],
    [B, 'security', 'false', B, '96 bytes', 'none'],
  );
});

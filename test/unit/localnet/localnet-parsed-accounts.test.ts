// jsonParsed for accounts that no transaction of this engine creates: old vote accounts, config accounts, rare
// sysvars, confidential tokens. Bytes by the programs' layouts; integers little-endian.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import {
  u8,
  u16,
  u32,
  u64,
  f64,
  key,
  bytes,
  base64,
  keyBytes,
  text,
  ADDRESS,
  VOTE,
  SYSVAR,
  CONFIG,
  STAKE,
  LOADER,
  TOKEN_2022,
  TOKEN,
  accountText,
  account,
} from './parsed-bytes';

describe('parsed vote accounts', () => {
  const NODE = 1;
  const end = Buffer.concat([u64(1), u64(9), u64(70), u64(60), u64(33), u64(1_700_000_000)]);
  const common = {
    nodePubkey: key(NODE),
    authorizedWithdrawer: key(2),
    rootSlot: 5,
    authorizedVoters: [{ epoch: 4, authorizedVoter: key(3) }],
    priorVoters: [{ authorizedPubkey: key(6), epochOfLastAuthorizedSwitch: 7, targetEpoch: 8 }],
    epochCredits: [{ epoch: 9, credits: '70', previousCredits: '60' }],
    lastTimestamp: { slot: 33, timestamp: 1_700_000_000 },
  };
  const before4 = {
    commission: 10,
    inflationRewardsCollector: ADDRESS,
    inflationRewardsCommissionBps: 1_000,
    blockRevenueCollector: key(NODE),
    blockRevenueCommissionBps: 10_000,
    pendingDelegatorRewards: '0',
    blsPubkeyCompressed: null,
  };
  const votes = (latency: boolean): Buffer =>
    Buffer.concat([u64(1), latency ? u8(2) : u8(), u64(11), u32(31), u8(1), u64(5)]);
  const voters = Buffer.concat([u64(1), u64(4), keyBytes(3)]);
  const prior = (withSlot: boolean): Buffer =>
    Buffer.concat([keyBytes(6), u64(7), u64(8), withSlot ? u64(9) : u8(), bytes(31 * (withSlot ? 56 : 48), 0)]);
  const circle = Buffer.concat([prior(false), u64(0), u8(0)]);

  test('version 0.23.5 is parsed', () => {
    const data = Buffer.concat([
      u32(0),
      keyBytes(NODE),
      keyBytes(3),
      u64(4),
      prior(true),
      u64(0),
      keyBytes(2),
      u8(10),
      votes(false),
      end,
    ]);
    assert.deepEqual(account(VOTE, data), {
      type: 'vote',
      info: { ...common, ...before4, votes: [{ latency: 0, slot: 11, confirmationCount: 31 }] },
    });
  });
  for (const [version, name] of [
    [1, '1.14.11'],
    [2, '3'],
  ] as const)
    test(`version ${name} is parsed`, () => {
      const head = [u32(version), keyBytes(NODE), keyBytes(2), u8(10)];
      // The rest of an account's space is zero.
      const data = Buffer.concat([...head, votes(version === 2), voters, circle, end, bytes(100, 0)]);
      const latency = version === 2 ? 2 : 0;
      assert.deepEqual(account(VOTE, data), {
        type: 'vote',
        info: { ...common, ...before4, votes: [{ latency, slot: 11, confirmationCount: 31 }] },
      });
    });
  test('version 4 is parsed', () => {
    const head = [u32(3), keyBytes(NODE), keyBytes(2), keyBytes(12), keyBytes(13), u16(1_250), u16(300), u64(77)];
    const data = Buffer.concat([...head, u8(1), bytes(48, 14), votes(true), voters, end]);
    assert.deepEqual(account(VOTE, data), {
      type: 'vote',
      info: {
        ...common,
        priorVoters: [],
        commission: 12,
        inflationRewardsCollector: key(12),
        inflationRewardsCommissionBps: 1_250,
        blockRevenueCollector: key(13),
        blockRevenueCommissionBps: 300,
        pendingDelegatorRewards: '77',
        blsPubkeyCompressed: encodeBase58(bytes(48, 14)),
        votes: [{ latency: 2, slot: 11, confirmationCount: 31 }],
      },
    });
  });
  test('an unknown version and a truncated account stay bytes', () => {
    assert.equal(account(VOTE, Buffer.concat([u32(9), bytes(3_000, 1)])), undefined);
    assert.equal(account(VOTE, Buffer.concat([u32(2), keyBytes(NODE)])), undefined);
    // A list that claims more than there is.
    assert.equal(
      account(VOTE, Buffer.concat([u32(2), keyBytes(1), keyBytes(2), u8(1), u64(2n ** 63n), bytes(50, 0)])),
      undefined,
    );
  });
});

describe('parsed config accounts', () => {
  test('what a validator says of itself', () => {
    const info = 'Va1idator1nfo111111111111111111111111111111';
    const keys = Buffer.concat([u8(2), decodeBase58(info) ?? u8(), u8(0), keyBytes(3), u8(1)]);
    const data = Buffer.concat([keys, text('{"name":"Workbench","big":1}')]);
    assert.deepEqual(account(CONFIG, data), {
      type: 'validatorInfo',
      info: {
        keys: [
          { pubkey: info, signer: false },
          { pubkey: key(3), signer: true },
        ],
        configData: { name: 'Workbench', big: 1 },
      },
    });
    assert.equal(account(CONFIG, Buffer.concat([keys, text('{no json')])), undefined);
    const nested = (levels: number): Buffer => text('['.repeat(levels) + ']'.repeat(levels));
    assert.ok(account(CONFIG, Buffer.concat([keys, nested(127)])) !== undefined);
    for (const levels of [128, 100_000])
      assert.equal(account(CONFIG, Buffer.concat([keys, nested(levels)])), undefined, 'deeper than nodes read');
  });
  test('the stake configuration is parsed', () => {
    const data = Buffer.concat([u8(0), f64(0.25), u8(12)]);
    const address = 'StakeConfig11111111111111111111111111111111';
    assert.deepEqual(account(CONFIG, data, address, '3.1'), {
      type: 'stakeConfig',
      info: { warmupCooldownRate: 0.25, slashPenalty: 12 },
    });
    assert.equal(account(CONFIG, data, address), undefined, 'newer nodes leave it as bytes');
    assert.equal(account(CONFIG, data), undefined);
  });
});

describe('parsed stake accounts', () => {
  test('states without a stake are parsed', () => {
    assert.deepEqual(account(STAKE, Buffer.concat([u32(0), bytes(196, 0)])), { type: 'uninitialized' });
    assert.deepEqual(account(STAKE, Buffer.concat([u32(3), bytes(196, 0)])), { type: 'rewardsPool' });
    assert.equal(account(STAKE, Buffer.concat([u32(4), bytes(196, 0)])), undefined);
  });
});

describe('parsed accounts of the upgradeable loader', () => {
  const code = Buffer.from('code of the program');
  test('a program and its data are parsed', () => {
    assert.deepEqual(account(LOADER, Buffer.concat([u32(2), keyBytes(4)])), {
      type: 'program',
      info: { programData: key(4) },
    });
    assert.deepEqual(account(LOADER, Buffer.concat([u32(3), u64(9), u8(1), keyBytes(5), code])), {
      type: 'programData',
      info: { slot: 9, authority: key(5), data: [code.toString('base64'), 'base64'] },
    });
  });
  test('an immutable program and an empty account are parsed', () => {
    assert.deepEqual(account(LOADER, Buffer.concat([u32(3), u64(9), u8(0), code])), {
      type: 'programData',
      info: { slot: 9, authority: null, data: [code.toString('base64'), 'base64'] },
    });
    assert.deepEqual(account(LOADER, u32(0)), { type: 'uninitialized' });
  });
});

describe('parsed sysvars', () => {
  test('epoch rewards, points of 128 bits exactly', () => {
    const head = [u64(42), u64(3), keyBytes(7)];
    const data = Buffer.concat([...head, u64(2n ** 64n - 1n), u64(1), u64(100), u64(20), u8(1)]);
    assert.deepEqual(account(SYSVAR, data, 'SysvarEpochRewards1111111111111111111111111'), {
      type: 'epochRewards',
      info: {
        distributionStartingBlockHeight: 42,
        numPartitions: 3,
        parentBlockhash: key(7),
        totalPoints: (2n ** 65n - 1n).toString(),
        totalRewards: '100',
        distributedRewards: '20',
        active: true,
      },
    });
  });
  test('the history of slots has a digit for each', () => {
    const data = Buffer.concat([u8(1), u64(16_384), u8(0b101), bytes(131_071, 0), u64(1_048_576), u64(43)]);
    const parsed = account(SYSVAR, data, 'SysvarS1otHistory11111111111111111111111111');
    assert.equal(parsed?.type, 'slotHistory');
    const { bits, nextSlot } = parsed.info as { readonly bits: string; readonly nextSlot: number };
    assert.equal(nextSlot, 43);
    assert.equal(bits, `101${'0'.repeat(1_048_573)}`);
  });
  test('fees and rewards of old clusters are parsed', () => {
    assert.deepEqual(account(SYSVAR, u64(5_000), 'SysvarFees111111111111111111111111111111111'), {
      type: 'fees',
      info: { feeCalculator: { lamportsPerSignature: '5000' } },
    });
    assert.deepEqual(account(SYSVAR, f64(1.5), 'SysvarRewards111111111111111111111111111111'), {
      type: 'rewards',
      info: { validatorPointValue: 1.5 },
    });
  });
});

describe('parsed token accounts', () => {
  test('a multisig lists its signers; an uninitialized one stays bytes', () => {
    const signers = Buffer.concat([keyBytes(1), keyBytes(2), keyBytes(3), bytes(8 * 32, 0)]);
    assert.deepEqual(account(TOKEN, Buffer.concat([u8(2, 3, 1), signers])), {
      type: 'multisig',
      info: {
        numRequiredSigners: 2,
        numValidSigners: 3,
        isInitialized: true,
        signers: [key(1), key(2), key(3)],
      },
    });
    assert.equal(account(TOKEN, Buffer.concat([u8(2, 3, 0), signers])), undefined);
  });

  /** The parsed extensions of a mint that has these. */
  function extensionsOf(...entries: readonly (readonly [type: number, value: Buffer])[]): unknown {
    const mint = Buffer.alloc(166);
    mint[45] = 1;
    mint[165] = 1;
    const list = entries.map(([type, value]) => Buffer.concat([u16(type), u16(value.length), value]));
    const parsed = account(TOKEN_2022, Buffer.concat([mint, ...list, bytes(8, 0)]));
    assert.equal(parsed?.type, 'mint');
    return (parsed.info as { readonly extensions?: unknown }).extensions;
  }
  /** Type, bytes, the name, and the parsed state. */
  const EXTENSIONS: readonly (readonly [number, Buffer, string, object?])[] = [
    [
      4,
      Buffer.concat([keyBytes(1), u8(1), keyBytes(2)]),
      'confidentialTransferMint',
      { authority: key(1), autoApproveNewAccounts: true, auditorElgamalPubkey: base64(32, 2) },
    ],
    [
      5,
      Buffer.concat([
        u8(1),
        keyBytes(3),
        bytes(64, 4),
        bytes(64, 5),
        bytes(64, 6),
        bytes(36, 7),
        u8(1, 0),
        u64(1),
        u64(2),
        u64(3),
        u64(4),
      ]),
      'confidentialTransferAccount',
      {
        approved: true,
        elgamalPubkey: base64(32, 3),
        pendingBalanceLo: base64(64, 4),
        pendingBalanceHi: base64(64, 5),
        availableBalance: base64(64, 6),
        decryptableAvailableBalance: base64(36, 7),
        allowConfidentialCredits: true,
        allowNonConfidentialCredits: false,
        pendingBalanceCreditCounter: 1,
        maximumPendingBalanceCreditCounter: 2,
        expectedPendingBalanceCreditCounter: 3,
        actualPendingBalanceCreditCounter: 4,
      },
    ],
    [
      16,
      Buffer.concat([bytes(32, 0), keyBytes(1), u8(0), bytes(64, 2)]),
      'confidentialTransferFeeConfig',
      {
        authority: null,
        withdrawWithheldAuthorityElgamalPubkey: base64(32, 1),
        harvestToMintEnabled: false,
        withheldAmount: base64(64, 2),
      },
    ],
    [17, bytes(64, 9), 'confidentialTransferFeeAmount', { withheldAmount: base64(64, 9) }],
    [
      24,
      Buffer.concat([bytes(64, 1), bytes(36, 2), keyBytes(3), bytes(64, 4)]),
      'confidentialMintBurn',
      {
        confidentialSupply: base64(64, 1),
        decryptableSupply: base64(36, 2),
        supplyElgamalPubkey: base64(32, 3),
        pendingBurn: base64(64, 4),
      },
    ],
    [13, u8(), 'nonTransferableAccount'],
    [15, u8(1), 'transferHookAccount', { transferring: true }],
    [27, u8(), 'pausableAccount'],
    [28, keyBytes(5), 'permissionedBurnConfig', { authority: key(5) }],
    [11, u8(1), 'cpiGuard', { lockCpi: true }],
    [
      21,
      Buffer.concat([keyBytes(1), keyBytes(2), u64(3), u64(4)]),
      'tokenGroup',
      { updateAuthority: key(1), mint: key(2), size: 3, maxSize: 4 },
    ],
    [
      23,
      Buffer.concat([keyBytes(1), keyBytes(2), u64(3)]),
      'tokenGroupMember',
      { mint: key(1), group: key(2), memberNumber: 3 },
    ],
  ];
  for (const [type, value, extension, state] of EXTENSIONS)
    test(`the extension ${extension} is parsed`, () => {
      assert.deepEqual(extensionsOf([type, value]), [{ extension, ...(state === undefined ? {} : { state }) }]);
    });
  test('extensions that are too short, or newer than this, are reported as such along with the others', () => {
    assert.deepEqual(extensionsOf([4, u8(1)], [999, u8(1, 2)], [13, u8()]), [
      { extension: 'unparseableExtension' },
      { extension: 'unparseableExtension' },
      { extension: 'nonTransferableAccount' },
    ]);
  });
  test('without any extension the list is left out', () => assert.equal(extensionsOf(), undefined));
  test('amounts of 64 bits leave as their digits', () => {
    const mint = Buffer.alloc(166);
    mint[45] = 1;
    mint[165] = 1;
    const value = u64(2n ** 64n - 1n);
    const parsed = accountText(TOKEN_2022, Buffer.concat([mint, u16(2), u16(8), value]));
    assert.match(parsed ?? '', /"withheldAmount":18446744073709551615[,}]/);
  });
});

// jsonParsed for instructions that no transaction of this engine executes: votes, confidential tokens, old
// loaders. Bytes by the programs' layouts; integers little-endian.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  u8,
  u16,
  u32,
  u64,
  key,
  bytes,
  base64,
  keyBytes,
  VOTE,
  STAKE,
  LOADER,
  TOKEN_2022,
  instruction,
} from './parsed-bytes';

describe('parsed vote instructions', () => {
  const hash = key(9);
  test('towersync counts each lockout from the one before, the first from the root', () => {
    const lockouts = Buffer.concat([u8(2), u8(0x80, 0x02, 31), u8(1, 30)]);
    const data = Buffer.concat([u32(14), u64(1_000), lockouts, keyBytes(9), u8(1), u64(55), keyBytes(8)]);
    assert.deepEqual(instruction(VOTE, data, 2), {
      type: 'towersync',
      info: {
        voteAccount: key(1),
        voteAuthority: key(2),
        towerSync: {
          lockouts: [
            { slot: 1_256, confirmation_count: 31 },
            { slot: 1_257, confirmation_count: 30 },
          ],
          root: 1_000,
          hash,
          timestamp: 55,
          blockId: key(8),
        },
      },
    });
  });
  test('an update of the vote state is parsed without a root and with the proof of a switch', () => {
    const data = Buffer.concat([u32(13), u64(2n ** 64n - 1n), u8(1, 7, 1), keyBytes(9), u8(0), keyBytes(4)]);
    assert.deepEqual(instruction(VOTE, data, 2), {
      type: 'compactupdatevotestateswitch',
      info: {
        voteAccount: key(1),
        voteAuthority: key(2),
        voteStateUpdate: { lockouts: [{ slot: 7, confirmation_count: 1 }], root: null, hash, timestamp: null },
        hash: key(4),
      },
    });
  });
  test('vote has its slots', () => {
    const data = Buffer.concat([u32(2), u64(2), u64(10), u64(11), keyBytes(9), u8(0)]);
    assert.deepEqual(instruction(VOTE, data, 4), {
      type: 'vote',
      info: {
        voteAccount: key(1),
        slotHashesSysvar: key(2),
        clockSysvar: key(3),
        voteAuthority: key(4),
        vote: { slots: [10, 11], hash, timestamp: null },
      },
    });
    assert.equal(instruction(VOTE, data, 3), undefined);
  });
  test('commissions in basis points', () => {
    const data = Buffer.concat([u32(18), u16(450), u32(1)]);
    assert.deepEqual(instruction(VOTE, data, 2), {
      type: 'updateCommissionBps',
      info: {
        voteAccount: key(1),
        withdrawAuthority: key(2),
        commissionBps: 450,
        commissionKind: 'BlockRevenue',
      },
    });
  });
});

describe('parsed stake instructions', () => {
  test('a lockup lists what it changes', () => {
    const data = Buffer.concat([u32(6), u8(0), u8(1), u64(44), u8(0)]);
    assert.deepEqual(instruction(STAKE, data, 2), {
      type: 'setLockup',
      info: { stakeAccount: key(1), custodian: key(2), lockup: { epoch: 44 } },
    });
  });
  test('a withdrawal is parsed without sysvars among its accounts', () => {
    assert.deepEqual(instruction(STAKE, Buffer.concat([u32(4), u64(9)]), 4), {
      type: 'withdraw',
      info: {
        stakeAccount: key(1),
        destination: key(2),
        lamports: 9,
        withdrawAuthority: key(3),
        custodian: key(4),
      },
    });
  });
  test('a request for the minimum delegation has no details', () => {
    assert.deepEqual(instruction(STAKE, u32(13), 0), { type: 'getMinimumDelegation' });
  });
});

describe('parsed confidential instructions', () => {
  const transfer = (first: number, second: number, third: number): Buffer =>
    Buffer.concat([u8(27, 7), bytes(36, 1), bytes(128, 2), u8(first, second, third)]);
  test('a transfer whose proofs are in accounts', () => {
    assert.deepEqual(instruction(TOKEN_2022, transfer(0, 0, 0), 7), {
      type: 'confidentialTransfer',
      info: {
        source: key(1),
        mint: key(2),
        destination: key(3),
        newSourceDecryptableAvailableBalance: base64(36, 1),
        equalityProofInstructionOffset: 0,
        ciphertextValidityProofInstructionOffset: 0,
        rangeProofInstructionOffset: 0,
        equalityProofAccount: key(4),
        ciphertextValidityProofAccount: key(5),
        rangeProofAccount: key(6),
        owner: key(7),
      },
    });
  });
  test('a transfer whose proofs are in other instructions', () => {
    const parsed = instruction(TOKEN_2022, transfer(1, 0xfe, 3), 5);
    assert.deepEqual(parsed?.info, {
      source: key(1),
      mint: key(2),
      destination: key(3),
      newSourceDecryptableAvailableBalance: base64(36, 1),
      equalityProofInstructionOffset: 1,
      ciphertextValidityProofInstructionOffset: -2,
      rangeProofInstructionOffset: 3,
      instructionsSysvar: key(4),
      owner: key(5),
    });
  });
  test('an account is set up', () => {
    const data = Buffer.concat([u8(27, 2), bytes(36, 1), u64(65_536), u8(0)]);
    assert.deepEqual(instruction(TOKEN_2022, data, 4), {
      type: 'configureConfidentialTransferAccount',
      info: {
        account: key(1),
        mint: key(2),
        decryptableZeroBalance: base64(36, 1),
        maximumPendingBalanceCreditCounter: 65_536,
        proofInstructionOffset: 0,
        proofContextStateAccount: key(3),
        owner: key(4),
      },
    });
  });
  /** Type by the two numbers of the instruction and its data, with accounts enough. */
  const TYPES: readonly (readonly [string, Buffer, number])[] = [
    ['initializeConfidentialTransferMint', Buffer.concat([u8(27, 0), bytes(32, 1), u8(1), bytes(32, 2)]), 1],
    ['updateConfidentialTransferMint', Buffer.concat([u8(27, 1, 1), bytes(32, 2)]), 2],
    ['approveConfidentialTransferAccount', u8(27, 3), 3],
    ['emptyConfidentialTransferAccount', u8(27, 4, 0), 3],
    ['depositConfidentialTransfer', Buffer.concat([u8(27, 5), u64(9), u8(2)]), 4],
    ['withdrawConfidentialTransfer', Buffer.concat([u8(27, 6), u64(9), u8(2), bytes(36, 1), u8(0, 0)]), 6],
    ['applyPendingConfidentialTransferBalance', Buffer.concat([u8(27, 8), u64(1), bytes(36, 1)]), 2],
    ['enableConfidentialTransferConfidentialCredits', u8(27, 9), 2],
    ['disableConfidentialTransferConfidentialCredits', u8(27, 10), 2],
    ['enableConfidentialTransferNonConfidentialCredits', u8(27, 11), 2],
    ['disableConfidentialTransferNonConfidentialCredits', u8(27, 12), 2],
    ['confidentialTransferWithFee', Buffer.concat([u8(27, 13), bytes(164, 1), u8(0, 0, 0, 0, 0)]), 9],
    ['configureConfidentialAccountWithRegistry', u8(27, 14), 3],
    ['initializeConfidentialTransferFeeConfig', Buffer.concat([u8(37, 0), bytes(64, 1)]), 1],
    ['withdrawWithheldConfidentialTransferTokensFromMint', Buffer.concat([u8(37, 1, 0), bytes(36, 1)]), 4],
    ['withdrawWithheldConfidentialTransferTokensFromAccounts', Buffer.concat([u8(37, 2, 2, 0), bytes(36, 1)]), 6],
    ['harvestWithheldConfidentialTransferTokensToMint', u8(37, 3), 3],
    ['enableConfidentialTransferFeeHarvestToMint', u8(37, 4), 2],
    ['disableConfidentialTransferFeeHarvestToMint', u8(37, 5), 2],
    ['initializeConfidentialMintBurnMint', Buffer.concat([u8(42, 0), bytes(68, 1)]), 1],
    ['rotateConfidentialMintBurnSupplyElGamalPubkey', Buffer.concat([u8(42, 1), bytes(32, 1), u8(0)]), 3],
    ['updateConfidentialMintBurnDecryptableSupply', Buffer.concat([u8(42, 2), bytes(36, 1)]), 2],
    ['confidentialMint', Buffer.concat([u8(42, 3), bytes(164, 1), u8(0, 0, 0)]), 6],
    ['confidentialBurn', Buffer.concat([u8(42, 4), bytes(164, 1), u8(0, 0, 0)]), 6],
    ['applyPendingBurn', u8(42, 5), 2],
    ['permissionedConfidentialBurn', Buffer.concat([u8(46, 3), bytes(164, 1), u8(0, 0, 0)]), 7],
  ];
  for (const [type, data, accounts] of TYPES)
    test(type, () => {
      assert.equal(instruction(TOKEN_2022, data, accounts)?.type, type);
      // One account fewer than it needs: never parsed wrongly.
      const fewer = instruction(TOKEN_2022, data, 0);
      assert.equal(fewer, undefined);
    });
  test('the accounts whose fees are withdrawn come after the withdraw authority', () => {
    const data = Buffer.concat([u8(37, 2, 2, 0), bytes(36, 1)]);
    assert.deepEqual(instruction(TOKEN_2022, data, 6)?.info, {
      mint: key(1),
      feeRecipient: key(2),
      proofInstructionOffset: 0,
      proofContextStateAccount: key(3),
      newDecryptableAvailableBalance: base64(36, 1),
      withdrawWithheldAuthority: key(4),
      sourceAccounts: [key(5), key(6)],
    });
  });
});

describe('parsed loader instructions', () => {
  test('instructions of the older loader are parsed', () => {
    const data = Buffer.concat([u32(0), u32(12), u64(3), Buffer.from('abc')]);
    assert.deepEqual(instruction('BPFLoader2111111111111111111111111111111111', data, 1), {
      type: 'write',
      info: { offset: 12, bytes: 'YWJj', account: key(1) },
    });
  });
  test('a deploy names its eight accounts', () => {
    assert.deepEqual(instruction(LOADER, Buffer.concat([u32(2), u64(4_096)]), 8), {
      type: 'deployWithMaxDataLen',
      info: {
        maxDataLen: 4_096,
        payerAccount: key(1),
        programDataAccount: key(2),
        programAccount: key(3),
        bufferAccount: key(4),
        rentSysvar: key(5),
        clockSysvar: key(6),
        systemProgram: key(7),
        authority: key(8),
      },
    });
    assert.equal(instruction(LOADER, Buffer.concat([u32(2), u64(4_096)]), 7), undefined);
  });
  test('an authority is taken away', () => {
    assert.deepEqual(instruction(LOADER, u32(4), 2), {
      type: 'setAuthority',
      info: { account: key(1), authority: key(2), newAuthority: null },
    });
  });
});

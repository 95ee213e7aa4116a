// The sysvars, by address.
import {
  bincodeList,
  EPOCH,
  f64,
  flag,
  hash,
  i64,
  LAMPORTS,
  PERCENT_UNIT,
  quotedNumber,
  SLOT_UNIT,
  struct,
  u128,
  u64,
  u8,
  UNIX_TIME,
  type LayoutRow,
} from './layout';

export interface Sysvar {
  /** As `jsonParsed` names its type. */
  readonly name: string;
  /** A single row `entries` is shown by `jsonParsed` without its name. */
  readonly rows: readonly LayoutRow[];
}

const sysvar = (name: string, ...rows: readonly LayoutRow[]): Sysvar => ({ name, rows });

const RATE: LayoutRow = ['lamportsPerSignature', quotedNumber(u64(LAMPORTS)), 'feeCalculator.lamportsPerSignature'];

export const SYSVARS: ReadonlyMap<string, Sysvar> = new Map([
  [
    'SysvarC1ock11111111111111111111111111111111',
    sysvar(
      'clock',
      ['slot', u64(SLOT_UNIT)],
      ['epochStartTimestamp', i64(UNIX_TIME)],
      ['epoch', u64(EPOCH)],
      ['leaderScheduleEpoch', u64(EPOCH)],
      ['unixTimestamp', i64(UNIX_TIME)],
    ),
  ],
  [
    'SysvarEpochSchedu1e111111111111111111111111',
    sysvar(
      'epochSchedule',
      ['slotsPerEpoch', u64()],
      ['leaderScheduleSlotOffset', u64()],
      ['warmup', flag],
      ['firstNormalEpoch', u64(EPOCH)],
      ['firstNormalSlot', u64(SLOT_UNIT)],
    ),
  ],
  [
    'SysvarRent111111111111111111111111111111111',
    sysvar(
      'rent',
      ['lamportsPerByte', quotedNumber(u64(LAMPORTS))],
      ['exemptionThreshold', f64],
      ['burnPercent', u8(PERCENT_UNIT)],
    ),
  ],
  [
    'SysvarEpochRewards1111111111111111111111111',
    sysvar(
      'epochRewards',
      ['distributionStartingBlockHeight', u64()],
      ['numPartitions', u64()],
      ['parentBlockhash', hash],
      ['totalPoints', quotedNumber(u128())],
      ['totalRewards', quotedNumber(u64(LAMPORTS))],
      ['distributedRewards', quotedNumber(u64(LAMPORTS))],
      ['active', flag],
    ),
  ],
  ['SysvarLastRestartS1ot1111111111111111111111', sysvar('lastRestartSlot', ['lastRestartSlot', u64(SLOT_UNIT)])],
  [
    'SysvarRecentB1ockHashes11111111111111111111',
    sysvar('recentBlockhashes', ['entries', bincodeList(struct(['blockhash', hash], RATE), 40)]),
  ],
  [
    'SysvarS1otHashes111111111111111111111111111',
    sysvar('slotHashes', ['entries', bincodeList(struct(['slot', u64(SLOT_UNIT)], ['hash', hash]), 40)]),
  ],
  [
    'SysvarS1otHistory11111111111111111111111111',
    // The account counts from the newest slot back over a bit each; the bits themselves say little to a reader.
    sysvar('slotHistory', ['slotsInHistory', { kind: 'bits' }], ['length', u64()], ['nextSlot', u64(SLOT_UNIT)]),
  ],
  [
    'SysvarStakeHistory1111111111111111111111111',
    sysvar('stakeHistory', [
      'entries',
      bincodeList(
        struct(
          ['epoch', u64(EPOCH)],
          ['effective', u64(LAMPORTS), 'stakeHistory.effective'],
          ['activating', u64(LAMPORTS), 'stakeHistory.activating'],
          ['deactivating', u64(LAMPORTS), 'stakeHistory.deactivating'],
        ),
        32,
      ),
    ]),
  ],
  ['SysvarFees111111111111111111111111111111111', sysvar('fees', RATE)],
  [
    'SysvarRewards111111111111111111111111111111',
    sysvar('rewards', ['validatorPointValue', f64], ['unused', f64, null]),
  ],
]);

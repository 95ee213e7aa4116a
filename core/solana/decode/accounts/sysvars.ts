// Decodes sysvar accounts, identified by address.
import { addressName } from '../../chain/addresses';
import { ByteReader } from '../../encoding/bytes';
import type { AccountBytes, Decoded, DecodedValue } from '../decoded';
import {
  bincodeList,
  EPOCH,
  f64,
  flag,
  hash,
  i64,
  integerValue,
  LAMPORTS,
  PERCENT_UNIT,
  readRows,
  SLOT_UNIT,
  struct,
  u128,
  u64,
  u8,
  UNIX_TIME,
  type LayoutRead,
  type LayoutRow,
} from '../layout';

/** The account counts from the newest slot back over a bit each; the bits themselves say little to a reader. */
const slotHistory: LayoutRead = (reader) => {
  const held = reader.u8();
  const words = held === 0 ? 0n : reader.u64();
  if (words * 8n > BigInt(reader.left)) reader.take(reader.left + 1);
  const bits = reader.failed ? new Uint8Array(0) : reader.take(Number(words) * 8);
  let found = 0;
  for (const byte of bits) for (let left = byte; left !== 0; left &= left - 1) found++;
  return integerValue(found);
};

const SYSVARS: ReadonlyMap<string, readonly LayoutRow[]> = new Map<string, readonly LayoutRow[]>([
  [
    'SysvarC1ock11111111111111111111111111111111',
    [
      ['slot', u64(SLOT_UNIT)],
      ['epochStartTimestamp', i64(UNIX_TIME)],
      ['epoch', u64(EPOCH)],
      ['leaderScheduleEpoch', u64(EPOCH)],
      ['unixTimestamp', i64(UNIX_TIME)],
    ],
  ],
  [
    'SysvarEpochSchedu1e111111111111111111111111',
    [
      ['slotsPerEpoch', u64()],
      ['leaderScheduleSlotOffset', u64()],
      ['warmup', flag],
      ['firstNormalEpoch', u64(EPOCH)],
      ['firstNormalSlot', u64(SLOT_UNIT)],
    ],
  ],
  [
    'SysvarRent111111111111111111111111111111111',
    [
      ['lamportsPerByte', u64(LAMPORTS)],
      ['exemptionThreshold', f64],
      ['burnPercent', u8(PERCENT_UNIT)],
    ],
  ],
  [
    'SysvarEpochRewards1111111111111111111111111',
    [
      ['distributionStartingBlockHeight', u64()],
      ['numPartitions', u64()],
      ['parentBlockhash', hash],
      ['totalPoints', u128()],
      ['totalRewards', u64(LAMPORTS)],
      ['distributedRewards', u64(LAMPORTS)],
      ['active', flag],
    ],
  ],
  ['SysvarLastRestartS1ot1111111111111111111111', [['lastRestartSlot', u64(SLOT_UNIT)]]],
  [
    'SysvarRecentB1ockHashes11111111111111111111',
    [['entries', bincodeList(struct(['blockhash', hash], ['lamportsPerSignature', u64(LAMPORTS)]), 40)]],
  ],
  [
    'SysvarS1otHashes111111111111111111111111111',
    [['entries', bincodeList(struct(['slot', u64(SLOT_UNIT)], ['hash', hash]), 40)]],
  ],
  [
    'SysvarS1otHistory11111111111111111111111111',
    [
      ['slotsInHistory', slotHistory],
      ['length', u64()],
      ['nextSlot', u64(SLOT_UNIT)],
    ],
  ],
  [
    'SysvarStakeHistory1111111111111111111111111',
    [
      [
        'entries',
        bincodeList(
          struct(
            ['epoch', u64(EPOCH)],
            ['effective', u64(LAMPORTS)],
            ['activating', u64(LAMPORTS)],
            ['deactivating', u64(LAMPORTS)],
          ),
          32,
        ),
      ],
    ],
  ],
  ['SysvarFees111111111111111111111111111111111', [['lamportsPerSignature', u64(LAMPORTS)]]],
  [
    'SysvarRewards111111111111111111111111111111',
    [
      ['validatorPointValue', f64],
      ['unused', f64],
    ],
  ],
]);

/** `undefined` without an address: the bytes alone do not identify a sysvar. */
export function decodeSysvar({ address, data }: AccountBytes): Decoded | undefined {
  const rows = address === undefined ? undefined : SYSVARS.get(address);
  const fields = rows === undefined ? undefined : readRows(new ByteReader(data), rows);
  if (address === undefined || fields === undefined) return undefined;
  return { kind: 'sysvar', title: addressName(address) ?? 'Sysvar', fields };
}

/** A runtime feature's account: the slot it was switched on in, if it was. */
export function decodeFeature({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const tag = reader.u8();
  const slot = reader.u64();
  if (reader.failed || tag > 1) return undefined;
  const value: DecodedValue = tag === 0 ? { kind: 'none' } : integerValue(slot, SLOT_UNIT);
  return { kind: 'feature', title: 'Runtime feature', fields: [{ name: 'activatedAt', value }] };
}

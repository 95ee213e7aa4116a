// Sysvar accounts as `jsonParsed` shows them.
import { WireText, type WireJson } from '../../api';
import type { AgaveLine } from '../../ledger/types';
import { Fields, NotParsed } from './parsedFields';

interface Parsed {
  readonly type: string;
  readonly info: WireJson;
}

/** Slots that the history of slots remembers, a bit each. */
const SLOT_HISTORY_BITS = 1024 * 1024;

const SYSVARS: ReadonlyMap<string, { type: string; read: (fields: Fields, line: AgaveLine) => WireJson }> = new Map([
  [
    'SysvarC1ock11111111111111111111111111111111',
    {
      type: 'clock',
      read: (f) => ({
        slot: f.u64(),
        epochStartTimestamp: f.i64(),
        epoch: f.u64(),
        leaderScheduleEpoch: f.u64(),
        unixTimestamp: f.i64(),
      }),
    },
  ],
  [
    'SysvarEpochSchedu1e111111111111111111111111',
    {
      type: 'epochSchedule',
      read: (f) => ({
        slotsPerEpoch: f.u64(),
        leaderScheduleSlotOffset: f.u64(),
        warmup: f.bool(),
        firstNormalEpoch: f.u64(),
        firstNormalSlot: f.u64(),
      }),
    },
  ],
  ['SysvarRent111111111111111111111111111111111', { type: 'rent', read: rentOf }],
  [
    'SysvarS1otHashes111111111111111111111111111',
    {
      type: 'slotHashes',
      read: (f) => f.list(f.u64(), 40, () => ({ slot: f.u64(), hash: f.key() })),
    },
  ],
  [
    'SysvarRecentB1ockHashes11111111111111111111',
    {
      type: 'recentBlockhashes',
      read: (f) =>
        f.list(f.u64(), 40, () => ({
          blockhash: f.key(),
          feeCalculator: { lamportsPerSignature: f.u64().toString() },
        })),
    },
  ],
  [
    'SysvarStakeHistory1111111111111111111111111',
    {
      type: 'stakeHistory',
      read: (f) =>
        f.list(f.u64(), 32, () => ({
          epoch: f.u64(),
          stakeHistory: { effective: f.u64(), activating: f.u64(), deactivating: f.u64() },
        })),
    },
  ],
  [
    'SysvarLastRestartS1ot1111111111111111111111',
    { type: 'lastRestartSlot', read: (f) => ({ lastRestartSlot: f.u64() }) },
  ],
  [
    'SysvarEpochRewards1111111111111111111111111',
    {
      type: 'epochRewards',
      read: (f) => ({
        distributionStartingBlockHeight: f.u64(),
        numPartitions: f.u64(),
        parentBlockhash: f.key(),
        totalPoints: f.u128().toString(),
        totalRewards: f.u64().toString(),
        distributedRewards: f.u64().toString(),
        active: f.bool(),
      }),
    },
  ],
  ['SysvarS1otHistory11111111111111111111111111', { type: 'slotHistory', read: slotHistory }],
  [
    'SysvarFees111111111111111111111111111111111',
    { type: 'fees', read: (f) => ({ feeCalculator: { lamportsPerSignature: f.u64().toString() } }) },
  ],
  ['SysvarRewards111111111111111111111111111111', { type: 'rewards', read: (f) => ({ validatorPointValue: f.f64() }) }],
]);

/** Since SIMD-0194 the rate is that of a byte, without years, and older nodes show it by its older name. */
function rentOf(fields: Fields, line: AgaveLine): WireJson {
  const rate = fields.u64().toString();
  if (line !== '3.1') return { lamportsPerByte: rate };
  return { lamportsPerByteYear: rate, exemptionThreshold: fields.f64(), burnPercent: fields.u8() };
}

/** The bits as text of a million digits, made while it is written. */
function slotHistory(fields: Fields): WireJson {
  const words = fields.option(() => fields.u64());
  if (words !== BigInt(SLOT_HISTORY_BITS / 64)) throw new NotParsed();
  const bytes = fields.bytes(SLOT_HISTORY_BITS / 8);
  fields.u64();
  const bits = new WireText(function* () {
    for (let at = 0; at < bytes.length; at += 1024) yield bitsOf(bytes.subarray(at, at + 1024));
  });
  return { nextSlot: fields.u64(), bits };
}

/** The lowest bit of a byte comes first. */
function bitsOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) for (let bit = 0; bit < 8; bit++) text += (byte >> bit) & 1;
  return text;
}

/** `undefined` for a sysvar not in the table; throws NotParsed for data too short for it. */
export function parseSysvar(address: string, data: Uint8Array, line: AgaveLine): Parsed | undefined {
  const sysvar = SYSVARS.get(address);
  return sysvar === undefined ? undefined : { type: sysvar.type, info: sysvar.read(new Fields(data), line) };
}

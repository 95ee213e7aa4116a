// Sysvar accounts as `jsonParsed` shows them.
import { encodeBase58 } from '../../core/values/base58';
import type { WireJson } from '../api';

interface Parsed {
  readonly type: string;
  readonly info: WireJson;
}

/** Reads fixed-width fields in order. */
class Fields {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly data: Uint8Array) {
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  u8(): number {
    return this.view.getUint8(this.at++);
  }

  u64(): bigint {
    this.at += 8;
    return this.view.getBigUint64(this.at - 8, true);
  }

  i64(): bigint {
    this.at += 8;
    return this.view.getBigInt64(this.at - 8, true);
  }

  f64(): number {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }

  hash(): string {
    this.at += 32;
    return encodeBase58(this.data.subarray(this.at - 32, this.at));
  }
}

const SYSVARS: ReadonlyMap<string, { type: string; read: (fields: Fields) => WireJson }> = new Map([
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
        warmup: f.u8() === 1,
        firstNormalEpoch: f.u64(),
        firstNormalSlot: f.u64(),
      }),
    },
  ],
  [
    'SysvarRent111111111111111111111111111111111',
    {
      type: 'rent',
      read: (f) => ({
        lamportsPerByteYear: f.u64().toString(),
        exemptionThreshold: f.f64(),
        burnPercent: f.u8(),
      }),
    },
  ],
  [
    'SysvarS1otHashes111111111111111111111111111',
    {
      type: 'slotHashes',
      read: (f) => Array.from({ length: Number(f.u64()) }, () => ({ slot: f.u64(), hash: f.hash() })),
    },
  ],
  [
    'SysvarRecentB1ockHashes11111111111111111111',
    {
      type: 'recentBlockhashes',
      read: (f) =>
        Array.from({ length: Number(f.u64()) }, () => ({
          blockhash: f.hash(),
          feeCalculator: { lamportsPerSignature: f.u64().toString() },
        })),
    },
  ],
  [
    'SysvarStakeHistory1111111111111111111111111',
    {
      type: 'stakeHistory',
      read: (f) =>
        Array.from({ length: Number(f.u64()) }, () => ({
          epoch: f.u64(),
          stakeHistory: { effective: f.u64(), activating: f.u64(), deactivating: f.u64() },
        })),
    },
  ],
  [
    'SysvarLastRestartS1ot1111111111111111111111',
    { type: 'lastRestartSlot', read: (f) => ({ lastRestartSlot: f.u64() }) },
  ],
]);

/** `undefined` for a sysvar not in the table, or data too short for it. */
export function parseSysvar(address: string, data: Uint8Array): Parsed | undefined {
  const sysvar = SYSVARS.get(address);
  if (sysvar === undefined) return undefined;
  try {
    return { type: sysvar.type, info: sysvar.read(new Fields(data)) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

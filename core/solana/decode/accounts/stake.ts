// Stake accounts: their state in four bytes, the authorities, and a delegation where there is one.
import { ByteReader } from '../../encoding/bytes';
import type { AccountBytes, Decoded } from '../decoded';
import {
  EPOCH,
  f64,
  i64,
  LAMPORTS,
  NO_VALUE,
  pubkey,
  readRows,
  struct,
  textValue,
  u64,
  u8,
  UNIX_TIME,
  type LayoutRow,
} from '../layout';

const STATES = ['uninitialized', 'initialized', 'delegated', 'rewards pool'] as const;
const INITIALIZED = 1;
const DELEGATED = 2;
/** A stake that nobody deactivated says the last epoch there can be. */
const NEVER = 0xffff_ffff_ffff_ffffn;

const META: readonly LayoutRow[] = [
  ['rentExemptReserve', u64(LAMPORTS)],
  ['staker', pubkey],
  ['withdrawer', pubkey],
  ['lockup', struct(['unixTimestamp', i64(UNIX_TIME)], ['epoch', u64(EPOCH)], ['custodian', pubkey])],
];

const STAKE: readonly LayoutRow[] = [
  ['voter', pubkey],
  ['stake', u64(LAMPORTS)],
  ['activationEpoch', u64(EPOCH)],
  [
    'deactivationEpoch',
    (reader) => {
      const epoch = reader.u64();
      return epoch === NEVER ? NO_VALUE : { kind: 'integer', value: epoch, unit: EPOCH };
    },
  ],
  ['warmupCooldownRate', f64],
  ['creditsObserved', u64()],
  ['flags', u8()],
];

export function decodeStake({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const number = reader.u32();
  const state = STATES[number];
  if (reader.failed || state === undefined) return undefined;
  const rows = number === DELEGATED ? [...META, ...STAKE] : number === INITIALIZED ? META : [];
  const fields = readRows(reader, rows);
  if (fields === undefined) return undefined;
  return { kind: 'stake', title: 'Stake account', fields: [{ name: 'state', value: textValue(state) }, ...fields] };
}

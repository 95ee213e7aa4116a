// Stake accounts: their state, the authorities, and a delegation where there is one.
import { ByteReader } from '../../encoding/bytes';
import { STAKE_DELEGATION, STAKE_META } from '../../layouts/stakeAccount';
import type { AccountBytes, Decoded } from '../decoded';
import { readRows, textValue } from '../layout';

const STATES = ['uninitialized', 'initialized', 'delegated', 'rewards pool'] as const;
const INITIALIZED = 1;
const DELEGATED = 2;

export function decodeStake({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const number = reader.u32();
  const state = STATES[number];
  if (reader.failed || state === undefined) return undefined;
  const rows = number === DELEGATED ? [...STAKE_META, ...STAKE_DELEGATION] : number === INITIALIZED ? STAKE_META : [];
  const fields = readRows(reader, rows);
  if (fields === undefined) return undefined;
  return { kind: 'stake', title: 'Stake account', fields: [{ name: 'state', value: textValue(state) }, ...fields] };
}

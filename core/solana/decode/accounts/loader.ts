// Programs as the loaders keep them: the upgradeable loader's program, program data and buffer, loader v4, the two old
// loaders and the native one. Code is counted and not shown.
import { ByteReader } from '../../encoding/bytes';
import { pubkey, SLOT_UNIT, u64, type LayoutRow } from '../../layouts/layout';
import { LOADER_ACCOUNTS } from '../../layouts/loaderAccounts';
import type { AccountBytes, Decoded, DecodedField, DecodedKind } from '../decoded';
import { flagOf, integerValue, readRows, textValue } from '../layout';

/** Nodes take a buffer without an authority to have no room for one either; the loader itself makes none. */
const bufferCode = (data: Uint8Array): number => (data[4] === 1 ? 37 : 5);

interface Shown {
  readonly kind: DecodedKind;
  readonly title: string;
  /** Where the code begins. */
  readonly code?: (data: Uint8Array) => number;
}

/** As LOADER_ACCOUNTS. */
const SHOWN: readonly Shown[] = [
  { kind: 'programBuffer', title: 'Uninitialized account of the upgradeable loader' },
  { kind: 'programBuffer', title: 'Program buffer', code: bufferCode },
  { kind: 'program', title: 'Program' },
  { kind: 'programData', title: 'Program data', code: () => 45 },
];

export function decodeUpgradeable({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const number = reader.u32();
  const [shown, layout] = [SHOWN[number], LOADER_ACCOUNTS[number]];
  if (reader.failed || shown === undefined || layout === undefined) return undefined;
  const { kind, title, code } = shown;
  const fields = readRows(reader, layout.rows);
  if (fields === undefined) return undefined;
  return { kind, title, fields: [...fields, ...(code === undefined ? [] : codeFields(data, code(data)))] };
}

const V4: readonly LayoutRow[] = [
  ['slot', u64(SLOT_UNIT)],
  ['authorityOrNextVersion', pubkey],
  ['status', { kind: 'word', bytes: 8, words: ['retracted', 'deployed', 'finalized'] }],
];
const V4_CODE = 48;

export function decodeLoaderV4({ data }: AccountBytes): Decoded | undefined {
  const fields = readRows(new ByteReader(data), V4);
  if (fields === undefined) return undefined;
  return { kind: 'program', title: 'Program (loader v4)', fields: [...fields, ...codeFields(data, V4_CODE)] };
}

/** A program of the loaders that cannot upgrade: its data is its code. */
export function decodeFixedProgram({ data }: AccountBytes): Decoded | undefined {
  if (data.length === 0) return undefined;
  return { kind: 'program', title: 'Program (not upgradeable)', fields: codeFields(data, 0) };
}

/** A program of the node itself: its data is its name. */
export function decodeNativeProgram({ data }: AccountBytes): Decoded | undefined {
  if (data.length === 0 || data.length > 128 || data.some((byte) => byte < 0x20 || byte > 0x7e)) return undefined;
  return {
    kind: 'program',
    title: 'Native program',
    fields: [{ name: 'name', value: textValue(String.fromCharCode(...data)) }],
  };
}

const ELF = [0x7f, 0x45, 0x4c, 0x46];

function codeFields(data: Uint8Array, from: number): readonly DecodedField[] {
  return [
    { name: 'codeLength', value: integerValue(Math.max(0, data.length - from), { kind: 'bytes' }) },
    { name: 'isElf', value: flagOf(ELF.every((byte, at) => data[from + at] === byte)) },
  ];
}

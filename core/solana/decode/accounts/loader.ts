// Programs as the loaders keep them: the upgradeable loader's program, program data and buffer, loader v4, the two old
// loaders and the native one. Code is counted and not shown.
import { ByteReader } from '../../encoding/bytes';
import type { AccountBytes, Decoded, DecodedField, DecodedKind } from '../decoded';
import {
  fixedOption,
  flagOf,
  integerValue,
  pubkey,
  readRows,
  SLOT_UNIT,
  textValue,
  u64,
  type LayoutRow,
} from '../layout';

interface Shape {
  readonly kind: DecodedKind;
  readonly title: string;
  readonly rows: readonly LayoutRow[];
  /** Where the code begins. */
  readonly code?: (data: Uint8Array) => number;
}

/** Nodes take a buffer without an authority to have no room for one either; the loader itself makes none. */
const bufferCode = (data: Uint8Array): number => (data[4] === 1 ? 37 : 5);

/** By the number in the first four bytes. */
const UPGRADEABLE: readonly Shape[] = [
  { kind: 'programBuffer', title: 'Uninitialized account of the upgradeable loader', rows: [] },
  { kind: 'programBuffer', title: 'Program buffer', rows: [['authority', fixedOption(pubkey)]], code: bufferCode },
  { kind: 'program', title: 'Program', rows: [['programData', pubkey]] },
  {
    kind: 'programData',
    title: 'Program data',
    rows: [
      ['slot', u64(SLOT_UNIT)],
      ['upgradeAuthority', fixedOption(pubkey)],
    ],
    code: () => 45,
  },
];

export function decodeUpgradeable({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const shape = UPGRADEABLE[reader.u32()];
  if (reader.failed || shape === undefined) return undefined;
  const { kind, title, rows, code } = shape;
  const fields = readRows(reader, rows);
  if (fields === undefined) return undefined;
  return { kind, title, fields: [...fields, ...(code === undefined ? [] : codeFields(data, code(data)))] };
}

const V4_STATUS = ['retracted', 'deployed', 'finalized'] as const;
const V4_CODE = 48;

export function decodeLoaderV4({ data }: AccountBytes): Decoded | undefined {
  const fields = readRows(new ByteReader(data), [
    ['slot', u64(SLOT_UNIT)],
    ['authorityOrNextVersion', pubkey],
    [
      'status',
      (reader) => {
        const status = reader.u64();
        const name = status < 3n ? V4_STATUS[Number(status)] : undefined;
        return name === undefined ? integerValue(status) : textValue(name);
      },
    ],
  ]);
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

// Durable nonce accounts of the System Program, 80 bytes.
import { ByteReader } from '../../encoding/bytes';
import { hash, LAMPORTS, pubkey, u64, type LayoutRow } from '../../layouts/layout';
import type { AccountBytes, Decoded } from '../decoded';
import { readRows, textValue } from '../layout';

const SIZE = 80;

const INITIALIZED: readonly LayoutRow[] = [
  ['authority', pubkey],
  ['blockhash', hash],
  ['lamportsPerSignature', u64(LAMPORTS)],
];

/** `undefined` for other accounts of the System Program, which contain no program data. */
export function decodeNonce({ data }: AccountBytes): Decoded | undefined {
  if (data.length !== SIZE) return undefined;
  const reader = new ByteReader(data);
  const version = reader.u32();
  const state = reader.u32();
  if (version > 1 || state > 1) return undefined;
  const fields = state === 0 ? [] : readRows(reader, INITIALIZED);
  if (fields === undefined) return undefined;
  return {
    kind: 'nonce',
    title: 'Nonce account',
    fields: [
      { name: 'version', value: textValue(version === 0 ? 'legacy' : 'current') },
      { name: 'state', value: textValue(state === 0 ? 'uninitialized' : 'initialized') },
      ...fields,
    ],
  };
}

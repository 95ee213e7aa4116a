// Accounts of the Config program: the former stake configuration, and the validators' information.
import { encodeBase58 } from '../../encoding/base58';
import { ByteReader } from '../../encoding/bytes';
import { f64, flag, pubkey, struct, u8 } from '../../layouts/layout';
import type { AccountBytes, Decoded } from '../decoded';
import { items, readRows, textValue } from '../layout';

const STAKE_CONFIG = 'StakeConfig11111111111111111111111111111111';
const VALIDATOR_INFO = 'Va1idator1nfo111111111111111111111111111111';

const KEY = struct(['pubkey', pubkey], ['signer', flag]);
const UTF8 = new TextDecoder('utf-8');

/** Keys with whether each signs, then the data, of a type given by the first key. */
export function decodeConfig({ address, data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const count = reader.compactU16();
  const first = encodeBase58(data.subarray(reader.at, reader.at + 32));
  const keys = items(reader, count, KEY);
  if (reader.failed) return undefined;
  if (address === STAKE_CONFIG) {
    const fields = readRows(reader, [
      ['warmupCooldownRate', f64],
      ['slashPenalty', u8()],
    ]);
    return fields === undefined ? undefined : { kind: 'config', title: 'Stake configuration', fields };
  }
  if (count === 0 || first !== VALIDATOR_INFO) return undefined;
  const text = reader.take(Number(reader.u64()));
  if (reader.failed) return undefined;
  return {
    kind: 'config',
    title: 'Validator info',
    fields: [
      { name: 'keys', value: keys },
      { name: 'configData', value: textValue(UTF8.decode(text)) },
    ],
  };
}

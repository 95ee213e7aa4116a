// Vote accounts of every version.
import { ByteReader } from '../../encoding/bytes';
import { VOTE_VERSIONS } from '../../layouts/voteAccount';
import type { AccountBytes, Decoded } from '../decoded';
import { readRows, textValue } from '../layout';

export function decodeVote({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const version = VOTE_VERSIONS[reader.u32()];
  if (reader.failed || version === undefined) return undefined;
  const fields = readRows(reader, version.rows);
  if (fields === undefined) return undefined;
  return {
    kind: 'vote',
    title: 'Vote account',
    fields: [{ name: 'version', value: textValue(version.name) }, ...fields],
  };
}

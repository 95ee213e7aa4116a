// Shared by decoder tests: an account decoded or a failed test, and its fields as text.
import assert from 'node:assert/strict';
import { decodeAccount } from '../../../core/solana/decode/decode';
import { NO_PROGRAMS, type Decoded, type DecodedField, type DecodedValue } from '../../../core/solana/decode/decoded';
import { valueText } from '../../../core/solana/decode/decodedText';
import { decodeArguments } from '../../../core/solana/decode/idl/decode';

export function decode(owner: string, data: Uint8Array, address?: string): Decoded {
  const account = { owner, lamports: 1n, data, executable: false, ...(address === undefined ? {} : { address }) };
  const decoded = decodeAccount(account, NO_PROGRAMS);
  assert.ok(decoded, `nothing decodes ${data.length} bytes of ${owner}`);
  return decoded;
}

/** The arguments of an instruction, or a failed test with the reason why they were not read. */
export function argumentsOf(...call: Parameters<typeof decodeArguments>): readonly DecodedField[] {
  const read = decodeArguments(...call);
  if ('fields' in read) return read.fields;
  return assert.fail(`not decoded: ${read.unread}`);
}

/** Every field as text, by name. */
export const texts = (fields: readonly DecodedField[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, value }) => [name, valueText(value)]));

export function field(decoded: Decoded, name: string): DecodedValue {
  const found = decoded.fields.find((candidate) => candidate.name === name);
  assert.ok(found, `${decoded.title} has no field ${name}`);
  return found.value;
}

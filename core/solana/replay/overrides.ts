// A user's changes to the accounts, programs or time of a replay: kept with the case, and shown with every outcome.
import { known } from '../common/known';
import { decodeBase64 } from '../encoding/base64';
import { integerOf, isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../json/json';
import { timeText } from '../decode/decodedText';
import { MAX_DATA } from '../chain/accountJson';
import { isPublicKey } from '../chain/keys';
import { groupDigits, MAX_U64 } from '../chain/lamports';
import { ACCOUNT_FIELDS, type AccountField, type ReplayAccounts, type ReplayCase, type ReplayOverride } from './case';

/** With one more; it takes the place of an earlier one of the same thing. */
export const withOverride = (replay: ReplayCase, override: ReplayOverride): ReplayCase => ({
  ...replay,
  clock: override.kind === 'clock' ? undefined : replay.clock,
  overrides: [...(replay.overrides ?? []).filter((one) => keyOf(one) !== keyOf(override)), override],
});

const keyOf = (override: ReplayOverride): string =>
  [override.kind, 'address' in override ? override.address : '', 'field' in override ? override.field : ''].join(' ');

/** `code of ADDRESS: open.so`. From outside: to be made harmless. */
export function overrideText(override: ReplayOverride): string {
  switch (override.kind) {
    case 'program':
      return `code of ${override.address}: ${override.file}`;
    case 'account':
      return `account ${override.address}: ${override.file}`;
    case 'field':
      return `${override.field} of ${override.address}: ${override.value}`;
    case 'clock':
      return `time of the clock: ${timeText(BigInt(override.unixTime))}`;
    case 'slot':
      return `slot: ${groupDigits(String(override.slot))}`;
  }
}

/** Longer values are said by their size. UTF-16 units. */
const MAX_SAID = 64;

/** With another value for a field of an account that is there; a text says why not. `value`: lamports, base58, or base64. */
export function withField(
  replay: ReplayCase,
  { address, field, value }: { readonly address: string; readonly field: string; readonly value: string },
): ReplayCase | string {
  const account = replay.accounts.get(address);
  if (account === undefined) return `The case has no account ${address}`;
  const wanted = ACCOUNT_FIELDS.find((name) => name === field);
  if (wanted === undefined) return `A field is one of ${ACCOUNT_FIELDS.join(', ')}`;
  const changed = fieldOf(wanted, value);
  if (typeof changed === 'string') return changed;
  const accounts: ReplayAccounts = new Map([...replay.accounts, [address, { ...account, ...changed }]]);
  const said = value.length > MAX_SAID ? `${groupDigits(String(changed.data?.length ?? 0))} bytes` : value;
  return withOverride({ ...replay, accounts }, { kind: 'field', address, field: wanted, value: said });
}

interface FieldValue {
  readonly lamports?: bigint;
  readonly owner?: string;
  readonly data?: Uint8Array;
}

function fieldOf(field: AccountField, value: string): FieldValue | string {
  switch (field) {
    case 'lamports':
      return /^\d{1,20}$/.test(value) && BigInt(value) <= MAX_U64
        ? { lamports: BigInt(value) }
        : 'Lamports are a whole number below 2^64';
    case 'owner':
      return isPublicKey(value) ? { owner: value } : 'The owner is the address of a program';
    case 'data': {
      const data = decodeBase64(value);
      return data === undefined || data.length > MAX_DATA ? 'Data is base64, at most 10 MiB' : { data };
    }
  }
}

export const overrideJson = (override: ReplayOverride): JsonObject => known({ ...override });

/** Those of a case's file; anything else is left out. */
export function overridesIn(value: JsonValue | undefined): readonly ReplayOverride[] {
  return isJsonArray(value) ? value.flatMap((one) => (isJsonObject(one) ? overrideIn(one) : [])) : [];
}

function overrideIn(one: JsonObject): readonly ReplayOverride[] {
  const [address, file, text] = ['address', 'file', 'value'].map((name) => member(one, name));
  const count = (name: string): number => Number(integerOf(member(one, name)) ?? -1n);
  const field = ACCOUNT_FIELDS.find((name) => name === member(one, 'field'));
  const kind = member(one, 'kind');
  const isOfFile = typeof address === 'string' && typeof file === 'string';
  switch (kind) {
    case 'program':
    case 'account':
      return isOfFile ? [{ kind, address, file }] : [];
    case 'field':
      return typeof address === 'string' && typeof text === 'string' && field !== undefined
        ? [{ kind, address, field, value: text }]
        : [];
    case 'clock':
      return isTime(count('unixTime')) ? [{ kind, unixTime: count('unixTime') }] : [];
    case 'slot':
      return isTime(count('slot')) ? [{ kind, slot: count('slot') }] : [];
    default:
      return [];
  }
}

/** Seconds, or a slot, as the options take them. */
const isTime = (value: number): boolean => Number.isSafeInteger(value) && value >= 0 && value < 10 ** 11;

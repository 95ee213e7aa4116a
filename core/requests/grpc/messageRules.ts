// Rules of a subscription beyond its descriptor: requests that a server refuses although the types are right.
// From the semantics of the Yellowstone service (Solana contract facts); one function per message, nothing else looked at.
import { withoutTrailing } from '../../solana/common/ends';
import { fieldNamed } from '../../../proto/names';
import type { MessageDescription } from '../../../proto/requests';
import { decodeBase58 } from '../../solana/encoding/base58';
import { base64Length } from '../../solana/encoding/base64';
import { integerOf, isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../solana/json/json';
import { isBase58, isKeyText } from '../../solana/chain/keys';
import type { RequestProblem } from '../methods/problems';
import { problemAt } from '../methods/reporter';
import type { CallPath } from '../document/call';

const MAX_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;
const MAX_BASE58_DIGITS = 175;
const MAX_NAME_BYTES = 128;

/** The members of a message that are there, by the names of its descriptor. */
interface Given {
  readonly path: CallPath;
  /** A name or a value that only a run knows: nothing is missing then. */
  readonly isOpen: boolean;
  readonly members: ReadonlyMap<string, { readonly key: string; readonly value: JsonValue }>;
}

type Rule = (given: Given) => readonly RequestProblem[];

const NONE: readonly RequestProblem[] = [];

/** Faults that a server refuses in a message of valid types. `isUnknown` as for the types. */
export function ruleFaults(
  description: MessageDescription,
  value: JsonObject,
  path: CallPath,
  isUnknown: (value: JsonValue) => boolean,
): readonly RequestProblem[] {
  const rule = RULES.get(description.name);
  if (rule === undefined) return NONE;
  const members = new Map<string, { readonly key: string; readonly value: JsonValue }>();
  let isOpen = false;
  for (const [key, item] of Object.entries(value)) {
    const field = fieldNamed(description, key);
    if (field === undefined) isOpen ||= isUnknown(key);
    else if (item !== null) members.set(field.name, { key, value: isUnknown(item) ? null : item });
  }
  return rule({ path, isOpen, members });
}

const SUBSCRIPTIONS: ReadonlySet<string> = new Set([
  'SubscribeRequest',
  'SubscribeDeshredRequest',
  'SubscribePreprocessedRequest',
]);

/** A subscription without any filter opens but gets no updates. A ping is not a subscription. */
export function emptyFaults(
  description: MessageDescription,
  value: JsonValue,
  isUnknown: (value: JsonValue) => boolean,
): readonly RequestProblem[] {
  if (!SUBSCRIPTIONS.has(description.name) || !isJsonObject(value)) return NONE;
  const isAsked = Object.entries(value).some(
    ([key, item]) =>
      isUnknown(key) || isUnknown(item) || (isJsonObject(item) && (key === 'ping' || Object.keys(item).length > 0)),
  );
  if (isAsked) return NONE;
  return [
    problemAt('empty-subscription', 'Without a filter nothing comes: name one, such as "slots": { "all": {} }.', []),
  ];
}

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['SubscribeRequest', (given) => [...longNames(given), ...slices(given)]],
  ['SubscribeRequestFilterTransactions', transactionFilter],
  ['SubscribeDeshredRequest', longNames],
  ['SubscribePreprocessedRequest', longNames],
  ['SubscribeRequestFilterAccounts', accountFilters],
  ['SubscribeRequestFilterAccountsFilter', accountFilter],
  ['SubscribeRequestFilterAccountsFilterMemcmp', memcmp],
  [
    'SubscribeRequestFilterAccountsFilterLamports',
    (given) =>
      oneOf(given, 'filter-shape', ['eq', 'ne', 'lt', 'gt'], 'A lamports filter needs one of eq, ne, lt and gt.'),
  ],
  ['IsBlockhashValidRequest', (given) => oneOf(given, 'missing-field', ['blockhash'], '"blockhash" is missing.')],
]);

/** At least one of the members; the descriptor sees to it that there are not two. */
function oneOf(given: Given, code: 'filter-shape' | 'missing-field', names: readonly string[], message: string) {
  const isThere = given.isOpen || names.some((name) => given.members.has(name));
  return isThere ? NONE : [problemAt(code, message, given.path)];
}

/** Every map of a subscription holds filters by name. */
function longNames({ path, members }: Given): RequestProblem[] {
  const found: RequestProblem[] = [];
  for (const { key, value } of members.values()) {
    if (!isJsonObject(value) || key === 'ping') continue;
    for (const name of Object.keys(value)) {
      if (name.length * 3 <= MAX_NAME_BYTES || new TextEncoder().encode(name).length <= MAX_NAME_BYTES) continue;
      found.push(
        problemAt('out-of-range', `A filter's name has at most ${MAX_NAME_BYTES} bytes.`, [...path, key, name], 'key'),
      );
    }
  }
  return found;
}

/** Slices go up and do not overlap. */
function slices({ path, members }: Given): RequestProblem[] {
  const list = members.get('accounts_data_slice');
  if (list === undefined || !isJsonArray(list.value)) return [];
  let end = 0n;
  for (const [index, slice] of list.value.entries()) {
    if (!isJsonObject(slice)) return [];
    const offset = u64Of(member(slice, 'offset') ?? 0);
    const length = u64Of(member(slice, 'length') ?? 0);
    if (offset === undefined || length === undefined) return [];
    const at = [...path, list.key, index];
    const message = `Slices go up by offset and do not overlap: this one begins before byte ${end}.`;
    if (offset < end)
      return [problemAt('out-of-range', message, Object.hasOwn(slice, 'offset') ? [...at, 'offset'] : at)];
    end = offset + length;
  }
  return [];
}

/** A 64-bit integer of proto3 JSON, as number or digits; undefined if invalid (already reported). */
function u64Of(value: JsonValue): bigint | undefined {
  const integer = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : integerOf(value);
  return integer === undefined || integer < 0n ? undefined : integer;
}

/** Members that restrict a filter, including those that a run fills in. */
const hasAny = ({ members }: Given, names: readonly string[]): boolean =>
  names.some((name) => {
    const value = members.get(name)?.value;
    return value !== undefined && !(isJsonArray(value) && value.length === 0);
  });

const unbounded = ({ path }: Given, message: string): RequestProblem => problemAt('unbounded-scan', message, path);

function transactionFilter(given: Given): readonly RequestProblem[] {
  if (given.isOpen || hasAny(given, ['signature', 'account_include', 'account_required', 'cuckoo_account_include']))
    return NONE;
  return [unbounded(given, 'Without an account or a signature the transactions of everybody come.')];
}

function accountFilters(given: Given): RequestProblem[] {
  const { path, members } = given;
  const isBounded = given.isOpen || hasAny(given, ['account', 'owner', 'filters', 'cuckoo_accounts_filter']);
  const found = isBounded ? [] : [unbounded(given, 'Without an account, an owner or a filter every write comes.')];
  return [...found, ...filterFaults(path, members)];
}

function filterFaults(path: CallPath, members: Given['members']): RequestProblem[] {
  const list = members.get('filters');
  if (list === undefined || !isJsonArray(list.value)) return [];
  const at = [...path, list.key];
  const found: RequestProblem[] = [];
  if (list.value.length > MAX_FILTERS)
    found.push(
      problemAt('too-many-items', `At most ${MAX_FILTERS} filters, all of which have to match.`, [...at, MAX_FILTERS]),
    );
  const sized = list.value.flatMap((item, index) => ((member(item, 'datasize') ?? null) === null ? [] : [index]));
  const [, second] = sized;
  if (second !== undefined)
    found.push(
      problemAt('conflicting-fields', 'datasize may be in one filter only.', [...at, second, 'datasize'], 'key'),
    );
  return found;
}

function accountFilter(given: Given): readonly RequestProblem[] {
  const state = given.members.get('token_account_state');
  if (state?.value === false)
    return [
      problemAt('enum-value', 'A server takes true only; leave the filter out otherwise.', [...given.path, state.key]),
    ];
  const kinds = ['memcmp', 'datasize', 'token_account_state', 'lamports'];
  return oneOf(given, 'filter-shape', kinds, 'A filter needs one of memcmp, datasize, tokenAccountState and lamports.');
}

function memcmp(given: Given): readonly RequestProblem[] {
  const found: RequestProblem[] = [];
  const tooLong = `A filter compares at most ${MAX_MEMCMP_BYTES} bytes.`;
  const bytes = given.members.get('bytes');
  if (typeof bytes?.value === 'string' && bytesOf(bytes.value) > MAX_MEMCMP_BYTES)
    found.push(problemAt('out-of-range', tooLong, [...given.path, bytes.key]));
  if (typeof bytes?.value === 'string' && isKeyText(bytes.value))
    found.push({
      ...problemAt(
        'base58-bytes',
        'This looks like a base58 key, but "bytes" takes base64.',
        [...given.path, bytes.key],
        'key',
      ),
      fixes: [{ kind: 'rename', name: 'base58' }],
    });
  const base64 = given.members.get('base64');
  if (typeof base64?.value === 'string') {
    const at = [...given.path, base64.key];
    const length = base64Length(base64.value);
    if (length < 0) found.push(problemAt('not-base64', 'This is base64 with padding.', at));
    else if (length > MAX_MEMCMP_BYTES) found.push(problemAt('out-of-range', tooLong, at));
  }
  const base58 = given.members.get('base58');
  if (typeof base58?.value === 'string') {
    const at = [...given.path, base58.key];
    const { value } = base58;
    if (!isBase58(value))
      found.push(problemAt('not-base58', 'This is base58: letters and digits without 0, O, I and l.', at));
    else if (value.length > MAX_BASE58_DIGITS || (decodeBase58(value)?.length ?? 0) > MAX_MEMCMP_BYTES)
      found.push(problemAt('out-of-range', tooLong, at));
  }
  const isMissing = oneOf(
    given,
    'missing-field',
    ['bytes', 'base58', 'base64'],
    'One of bytes, base58 and base64 is due.',
  );
  return [...found, ...isMissing];
}

/** Bytes of base64 in either alphabet, with or without its padding. */
const bytesOf = (text: string): number => Math.floor((withoutTrailing(text, '=').length * 3) / 4);

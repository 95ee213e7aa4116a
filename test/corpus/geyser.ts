// Messages of the Yellowstone calls, valid ones and ones with marked faults, made from the fields that the service is
// known to take (yellowstone-grpc, README and geyser.proto); never from the descriptors that the checks read.
import { base58OfLength, base64OfLength, BLOCKHASH, KEY, OTHER_KEY, SIGNATURE } from './values';

/** A field of a message, by its name in the .proto; in JSON also in lowerCamel. */
interface Field {
  readonly name: string;
  readonly type: 'u64' | 'u32' | 'i32' | 'bool' | 'key' | 'signature' | 'blockhash' | 'bytes' | 'base58' | 'base64';
  readonly many?: 'list';
}
interface Words {
  readonly name: string;
  /** Names of an enum in the order of their numbers. */
  readonly words: readonly string[];
}
interface Nested {
  readonly name: string;
  readonly message: string;
  readonly many?: 'list' | 'map';
}
type AnyField = Field | Words | Nested;

interface Message {
  readonly fields: readonly AnyField[];
  /** Of these exactly one is there. */
  readonly oneOf?: readonly string[];
}

const field = (name: string, type: Field['type'], many?: 'list'): Field =>
  many === undefined ? { name, type } : { name, type, many };
const filters = (name: string, message: string): Nested => ({ name, message, many: 'map' });
const COMMITMENT: Words = { name: 'commitment', words: ['PROCESSED', 'CONFIRMED', 'FINALIZED'] };

const MESSAGES: Readonly<Record<string, Message>> = {
  SubscribeRequest: {
    fields: [
      filters('accounts', 'Accounts'),
      filters('slots', 'Slots'),
      filters('transactions', 'Transactions'),
      filters('blocks', 'Blocks'),
      filters('blocks_meta', 'Empty'),
      COMMITMENT,
      { name: 'accounts_data_slice', message: 'Slice', many: 'list' },
      filters('entry', 'Empty'),
      { name: 'ping', message: 'Ping' },
      filters('transactions_status', 'Transactions'),
      field('from_slot', 'u64'),
    ],
  },
  SubscribeDeshredRequest: {
    fields: [filters('deshred_transactions', 'Deshred'), { name: 'ping', message: 'Ping' }, filters('slots', 'Slots')],
  },
  Accounts: {
    fields: [
      field('account', 'key', 'list'),
      field('owner', 'key', 'list'),
      { name: 'filters', message: 'AccountsFilter', many: 'list' },
      field('nonempty_txn_signature', 'bool'),
    ],
  },
  AccountsFilter: {
    fields: [
      { name: 'memcmp', message: 'Memcmp' },
      field('datasize', 'u64'),
      { name: 'token_account_state', words: ['true'] },
      { name: 'lamports', message: 'Lamports' },
    ],
    oneOf: ['datasize', 'memcmp', 'token_account_state', 'lamports'],
  },
  Memcmp: {
    fields: [field('offset', 'u64'), field('bytes', 'bytes'), field('base58', 'base58'), field('base64', 'base64')],
    oneOf: ['base58', 'bytes', 'base64'],
  },
  Lamports: {
    fields: [field('eq', 'u64'), field('ne', 'u64'), field('lt', 'u64'), field('gt', 'u64')],
    oneOf: ['eq', 'ne', 'lt', 'gt'],
  },
  Slots: { fields: [field('filter_by_commitment', 'bool'), field('interslot_updates', 'bool')] },
  Transactions: {
    fields: [
      field('vote', 'bool'),
      field('failed', 'bool'),
      field('account_include', 'key', 'list'),
      field('account_exclude', 'key', 'list'),
      field('signature', 'signature'),
      field('account_required', 'key', 'list'),
      { name: 'token_accounts', words: ['ALL', 'BALANCE_CHANGED'] },
    ],
  },
  Deshred: {
    fields: [
      field('vote', 'bool'),
      field('account_include', 'key', 'list'),
      field('account_exclude', 'key', 'list'),
      field('account_required', 'key', 'list'),
    ],
  },
  Blocks: {
    fields: [
      field('account_include', 'key', 'list'),
      field('include_transactions', 'bool'),
      field('include_accounts', 'bool'),
      field('include_entries', 'bool'),
    ],
  },
  Empty: { fields: [] },
  Slice: { fields: [field('offset', 'u64'), field('length', 'u64')] },
  Ping: { fields: [field('id', 'i32')] },
  PingRequest: { fields: [field('count', 'i32')] },
  AtCommitment: { fields: [COMMITMENT] },
  IsBlockhashValid: { fields: [field('blockhash', 'blockhash'), COMMITMENT], oneOf: ['blockhash'] },
};

const CALLS: Readonly<Record<string, string>> = {
  Subscribe: 'SubscribeRequest',
  SubscribeDeshred: 'SubscribeDeshredRequest',
  SubscribeReplayInfo: 'Empty',
  Ping: 'PingRequest',
  GetLatestBlockhash: 'AtCommitment',
  GetBlockHeight: 'AtCommitment',
  GetSlot: 'AtCommitment',
  GetVersion: 'Empty',
  IsBlockhashValid: 'IsBlockhashValid',
};

export const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const mark = (code: string, text: string): string => `⟦${code}|${text}⟧`;
const wrong = (code: string, ...texts: readonly string[]): string[] => texts.map((text) => mark(code, text));

const VALID: Readonly<Record<Field['type'], readonly string[]>> = {
  u64: ['1', '"1"', '0', '18446744073709551615', '"18446744073709551615"', '1.0', '1e3'],
  u32: ['0', '4294967295', '"4294967295"'],
  i32: ['-2147483648', '2147483647', '"-5"'],
  bool: ['true', 'false'],
  key: [`"${KEY}"`, `"${OTHER_KEY}"`],
  signature: [`"${SIGNATURE}"`],
  blockhash: [`"${BLOCKHASH}"`],
  bytes: ['"AQID"', '"AQI="', '"AQI"', '"-_-_"', '""', `"${base64OfLength(128)}"`],
  base58: ['"3"', `"${KEY}"`, `"${base58OfLength(128)}"`],
  base64: ['"AQID"', '"AQI="', `"${base64OfLength(128)}"`],
};

const FAULTS: Readonly<Record<Field['type'], readonly string[]>> = {
  u64: [
    ...wrong('wrong-type', 'true', '[1]', '{}', '"x"', '1.5', '"1.5"', '""'),
    ...wrong('out-of-range', '-1', '"-1"', '18446744073709551616', '"18446744073709551616"'),
  ],
  u32: [...wrong('wrong-type', 'true', '"x"'), ...wrong('out-of-range', '-1', '4294967296')],
  i32: [...wrong('wrong-type', 'true', '0.5', '{}'), ...wrong('out-of-range', '2147483648', '-2147483649')],
  bool: wrong('wrong-type', '"true"', '1', '[]', '{}'),
  key: [
    ...wrong('wrong-type', '5', 'true', '{}'),
    ...wrong('wrong-length', '""', '"abc"', `"${SIGNATURE}"`),
    ...wrong('not-base58', `"${KEY.slice(0, -1)}0"`),
  ],
  signature: [...wrong('wrong-type', '5', '[]'), ...wrong('wrong-length', `"${KEY}"`), mark('not-base58', '"0x1"')],
  blockhash: [...wrong('wrong-type', '5'), ...wrong('wrong-length', '"abc"', '""'), mark('not-base58', '"0x1"')],
  bytes: [
    ...wrong('wrong-type', '5', '[1, 2]'),
    ...wrong('not-base64', '"*"', '"A"'),
    mark('out-of-range', `"${base64OfLength(129)}"`),
  ],
  base58: [...wrong('wrong-type', '5'), mark('not-base58', '"0"'), mark('out-of-range', `"${base58OfLength(129)}"`)],
  base64: [
    ...wrong('wrong-type', '5'),
    ...wrong('not-base64', '"*"', '"AQI"'),
    mark('out-of-range', `"${base64OfLength(129)}"`),
  ],
};

const messageOf = (name: string): Message => MESSAGES[name] ?? { fields: [] };

/** `"name": value` members that a message needs besides `other`. */
function needed({ fields, oneOf }: Message, other?: string): string[] {
  if (oneOf === undefined || (other !== undefined && oneOf.includes(other))) return [];
  const first = fields.find((one) => one.name === oneOf[0]);
  return first === undefined ? [] : [`"${camel(first.name)}": ${validOf(first)[0] ?? '{}'}`];
}

const object = (members: readonly string[]): string => (members.length === 0 ? '{}' : `{ ${members.join(', ')} }`);

/** Valid texts of a field; the first is the plain one. */
function validOf(one: AnyField): readonly string[] {
  if ('words' in one)
    return one.words[0] === 'true' ? ['true'] : one.words.flatMap((word, number) => [`"${word}"`, String(number)]);
  if ('type' in one) {
    const each = VALID[one.type];
    return one.many === undefined ? each : ['[]', ...each.map((text) => `[${text}]`), `[${each.join(', ')}]`];
  }
  const each = validMessages(one.message);
  if (one.many === 'list') return ['[]', ...each.map((text) => `[${text}]`)];
  if (one.many === 'map') return ['{}', ...each.map((text) => `{ "a filter": ${text} }`), '{ "a": {}, "b": {} }'];
  return each;
}

/** One field at a time, in both spellings, and as null. */
function validMessages(name: string): readonly string[] {
  const message = messageOf(name);
  const made = [object(needed(message))];
  for (const one of message.fields) {
    const others = needed(message, one.name);
    for (const text of validOf(one)) made.push(object([...others, `"${camel(one.name)}": ${text}`]));
    const [plain = '{}'] = validOf(one);
    made.push(object([...others, `"${one.name}": ${plain}`]));
    made.push(
      object([...needed(message), ...(others.length === 0 && message.oneOf ? [] : [`"${camel(one.name)}": null`])]),
    );
  }
  return [...new Set(made)];
}

function faultsOf(one: AnyField): readonly string[] {
  if ('words' in one) {
    if (one.words[0] === 'true') return [mark('enum-value', 'false'), ...wrong('wrong-type', '1', '"true"')];
    const first = one.words[0] ?? '';
    return [
      ...wrong('enum-value', `"${first.toLowerCase()}"`, `"${first}S"`, '""', String(one.words.length), '-1'),
      ...wrong('wrong-type', 'true', '1.5', '[]', '{}'),
    ];
  }
  if ('type' in one) {
    const each = FAULTS[one.type];
    return one.many === undefined
      ? each
      : [
          ...wrong('wrong-type', '{}', '"x"', '5'),
          ...each.map((text) => `[${text}]`),
          `[${mark('wrong-type', 'null')}]`,
        ];
  }
  const each = faultyMessages(one.message);
  const [plain = '{}'] = validMessages(one.message);
  if (one.many === 'list') return [...wrong('wrong-type', '{}', '5'), ...each.flatMap((text) => [`[${text}]`])];
  if (one.many === 'map')
    return [
      ...wrong('wrong-type', '[]', '"all"', '5'),
      ...each.map((text) => `{ "a": ${text} }`),
      `{ "a": ${plain}, "b": ${mark('wrong-type', 'null')} }`,
      `{ "${'n'.repeat(128)}": ${plain}, ${mark('out-of-range', `"${'n'.repeat(129)}"`)}: ${plain} }`,
    ];
  return each;
}

function faultyMessages(name: string): readonly string[] {
  const message = messageOf(name);
  const { fields, oneOf } = message;
  const made = wrong('wrong-type', '[]', '5', '"x"');
  made.push(object([...needed(message), `${mark('error unknown-field', '"nothing"')}: 1`]));
  if (oneOf !== undefined)
    made.push(mark(name === 'Memcmp' || oneOf.length === 1 ? 'missing-field' : 'filter-shape', '{}'));
  for (const one of fields) {
    const others = needed(message, one.name);
    for (const fault of faultsOf(one)) made.push(object([...others, `"${camel(one.name)}": ${fault}`]));
    const slip = `${camel(one.name).slice(0, -2)}${camel(one.name).slice(-1)}`;
    if (fields.every((other) => other.name !== slip))
      made.push(object([...needed(message), `${mark('error unknown-field', `"${slip}"`)}: ${validOf(one)[0]}`]));
    const [first] = oneOf ?? [];
    const other = fields.find((candidate) => candidate.name === first);
    if (oneOf?.includes(one.name) === true && other !== undefined && one !== other)
      made.push(
        object([...needed(message), `${mark('conflicting-fields', `"${camel(one.name)}"`)}: ${validOf(one)[0]}`]),
      );
  }
  return made;
}

/** Rules between values of one message. */
const RULES: readonly string[] = [
  '{ "accountsDataSlice": [{ "offset": 4, "length": 1 }, { "offset": ⟦out-of-range|0⟧, "length": 1 }] }',
  '{ "accountsDataSlice": [{ "offset": 0, "length": 2 }, { "offset": ⟦out-of-range|"1"⟧, "length": 1 }] }',
  '{ "accountsDataSlice": [{ "length": 2 }, ⟦out-of-range|{ "length": 1 }⟧] }',
  '{ "accounts": { "a": { "filters": [{ "datasize": 1 }, { ⟦conflicting-fields|"datasize"⟧: 2 }] } } }',
  `{ "accounts": { "a": { "filters": [${'{ "lamports": { "gt": 1 } }, '.repeat(4)}⟦too-many-items|{ "datasize": 5 }⟧] } } }`,
];

export interface GeyserCall {
  readonly call: string;
  /** Nothing where the block has no body. */
  readonly body: string | undefined;
}

/** By grammar a body is an object or an array: other text is not a body at all, and an array is a batch. */
const isBody = (text: string): boolean => /^(?:⟦[a-z-]+\|)?\{/.test(text);

export const VALID_MESSAGES: readonly GeyserCall[] = Object.entries(CALLS).flatMap(([call, message]) => [
  ...(call === 'IsBlockhashValid' ? [] : [{ call, body: undefined }]),
  ...validMessages(message).map((body) => ({ call, body })),
]);

export const FAULTY_MESSAGES: readonly GeyserCall[] = [
  ...Object.entries(CALLS).flatMap(([call, message]) =>
    [...new Set(faultyMessages(message))].filter(isBody).map((body) => ({ call, body })),
  ),
  ...RULES.map((body) => ({ call: 'Subscribe', body })),
];

export const geyserBlock = ({ call, body }: GeyserCall): string =>
  `GRPC geyser.Geyser/${call}\n${body === undefined ? '' : `${body}\n`}`;

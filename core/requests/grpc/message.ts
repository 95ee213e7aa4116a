// Checks the message of a gRPC call against its description, as proto3 JSON is read: both spellings of a name, enums by
// name or number, 64-bit integers as text or number, bytes as base64, null as left out.
import { withoutTrailing } from '../../solana/common/ends';
import { enumValueNamed, fieldNamed, writtenNames } from '../../../proto/names';
import type { EnumDescription, FieldDescription, MessageDescription, ValueType } from '../../../proto/requests';
import { judgeBase58, KEY_BYTES, SIGNATURE_BYTES } from '../../solana/chain/keys';
import {
  integerOf,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../../solana/json/json';
import { nearestNames } from '../../solana/common/nearest';
import { emptyFaults, ruleFaults } from './messageRules';
import type { CallPath } from '../document/call';
import type { RequestProblem } from '../methods/problems';
import { problemAt } from '../methods/reporter';

/** The faults of a message; `isUnknown` is true for text that only a run knows. */
export function checkGrpcMessage(
  description: MessageDescription,
  value: JsonValue,
  isUnknown: (value: JsonValue) => boolean,
): RequestProblem[] {
  const checker = new MessageChecker(isUnknown);
  checker.message(description, value, []);
  if (checker.faults.length === 0) checker.faults.push(...emptyFaults(description, value, isUnknown));
  return checker.faults;
}

/** Bounds of the integer types, both included. */
const BOUNDS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  uint64: [0n, 2n ** 64n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
};

/** Texts that hold base58, with the bytes that are due; the .proto knows them as text only. */
const BASE58: Readonly<Record<string, number>> = {
  'geyser.SubscribeRequestFilterAccounts.account': KEY_BYTES,
  'geyser.SubscribeRequestFilterAccounts.owner': KEY_BYTES,
  'geyser.SubscribeRequestFilterTransactions.signature': SIGNATURE_BYTES,
  'geyser.SubscribeRequestFilterTransactions.account_include': KEY_BYTES,
  'geyser.SubscribeRequestFilterTransactions.account_exclude': KEY_BYTES,
  'geyser.SubscribeRequestFilterTransactions.account_required': KEY_BYTES,
  'geyser.SubscribeRequestFilterBlocks.account_include': KEY_BYTES,
  'geyser.SubscribeRequestFilterDeshredTransactions.account_include': KEY_BYTES,
  'geyser.SubscribeRequestFilterDeshredTransactions.account_exclude': KEY_BYTES,
  'geyser.SubscribeRequestFilterDeshredTransactions.account_required': KEY_BYTES,
  'geyser.SubscribePreprocessedRequestFilterTransactions.signature': SIGNATURE_BYTES,
  'geyser.SubscribePreprocessedRequestFilterTransactions.account_include': KEY_BYTES,
  'geyser.SubscribePreprocessedRequestFilterTransactions.account_exclude': KEY_BYTES,
  'geyser.SubscribePreprocessedRequestFilterTransactions.account_required': KEY_BYTES,
  'geyser.IsBlockhashValidRequest.blockhash': KEY_BYTES,
};

/** The bytes of a base58 text; undefined if any text is allowed. */
const base58Bytes = ({ parent, name }: FieldDescription): number | undefined => BASE58[`${parent.typeName}.${name}`];

/** Whether the texts of a field are public keys of accounts. */
export const holdsAddresses = (field: FieldDescription): boolean =>
  base58Bytes(field) === KEY_BYTES && field.name !== 'blockhash';

class MessageChecker {
  readonly faults: RequestProblem[] = [];

  constructor(private readonly isUnknown: (value: JsonValue) => boolean) {}

  message(description: MessageDescription, value: JsonValue, path: CallPath): void {
    if (!isJsonObject(value)) {
      this.#wrong(`an object (${description.name})`, value, path);
      return;
    }
    const chosen = new Map<string, string>();
    for (const [key, member] of Object.entries(value)) {
      const field = fieldNamed(description, key);
      if (field === undefined) this.#unknownField(description, value, key, path);
      else if (member !== null) {
        this.#oneof(field, key, chosen, [...path, key]);
        this.#field(field, member, [...path, key]);
      }
    }
    this.faults.push(...ruleFaults(description, value, path, this.isUnknown));
  }

  #unknownField(description: MessageDescription, value: JsonObject, key: string, path: CallPath): void {
    // A key with its value is said to be a secret; that says more.
    if (this.isUnknown(key) || key === 'api_key') return;
    const unused = writtenNames(description).filter((name) => !Object.hasOwn(value, name));
    const names = nearestNames(key, unused, 2);
    const hint = names[0] === undefined ? '' : ` Did you mean ${JSON.stringify(names[0])}?`;
    const message = `${description.name} has no field ${JSON.stringify(key)}; the request would be refused.${hint}`;
    const fixes = names.map((name) => ({ kind: 'rename' as const, name }));
    this.faults.push({ ...problemAt('unknown-field', message, [...path, key], 'key'), severity: 'error', fixes });
  }

  #oneof({ oneof }: FieldDescription, key: string, chosen: Map<string, string>, path: CallPath): void {
    if (oneof === undefined) return;
    const other = chosen.get(oneof);
    chosen.set(oneof, key);
    if (other === undefined) return;
    const message = `${JSON.stringify(key)} cannot be set together with ${JSON.stringify(other)}: only one of them counts.`;
    this.faults.push(problemAt('conflicting-fields', message, path, 'key'));
  }

  #field(field: FieldDescription, value: JsonValue, path: CallPath): void {
    switch (field.many) {
      case 'no':
        this.#one(field, value, path);
        return;
      case 'list':
        if (!isJsonArray(value)) this.#wrong('an array', value, path);
        else for (const [index, item] of value.entries()) this.#one(field, item, [...path, index]);
        return;
      case 'map':
        if (!isJsonObject(value)) this.#wrong('an object with a name for each filter', value, path);
        else for (const [key, item] of Object.entries(value)) this.#one(field, item, [...path, key]);
    }
  }

  #one(field: FieldDescription, value: JsonValue, path: CallPath): void {
    const { type } = field;
    switch (type.kind) {
      case 'message':
        // Types of the language itself have a special JSON form.
        if (type.description !== undefined) this.message(type.description, value, path);
        return;
      case 'enum':
        this.#enumeration(type.description, value, path);
        return;
      case 'scalar':
        this.#scalar(field, type.name, value, path);
    }
  }

  #enumeration(description: EnumDescription, value: JsonValue, path: CallPath): void {
    const names = description.values.map(({ name }) => name);
    const number = integerOf(value);
    if (typeof value !== 'string' && number === undefined) {
      this.#wrong(`one of ${names.join(', ')}`, value, path);
      return;
    }
    if (this.isUnknown(value)) return;
    const isKnown =
      typeof value === 'string' ? names.includes(value) : enumValueNamed(description, String(number)) !== undefined;
    if (isKnown) return;
    const message = `${description.name} is one of ${names.join(', ')}.`;
    const near = typeof value === 'string' ? nearestNames(value.toUpperCase(), names, 1) : [];
    const fixes = near.map((name) => ({ kind: 'replace' as const, value: name }));
    this.faults.push({ ...problemAt('enum-value', message, path), fixes });
  }

  #scalar(field: FieldDescription, type: string, value: JsonValue, path: CallPath): void {
    if (this.isUnknown(value)) return;
    const bounds = BOUNDS[type];
    if (bounds !== undefined) this.#integer(bounds, value, path);
    else if (type === 'bool' && typeof value !== 'boolean') this.#wrong('true or false', value, path);
    else if (type === 'string') this.#text(field, value, path);
    else if (type === 'bytes') this.#bytes(value, path);
  }

  #integer([low, high]: readonly [bigint, bigint], value: JsonValue, path: CallPath): void {
    const number = typeof value === 'string' && /^-?\d{1,40}$/.test(value) ? BigInt(value) : wholeNumber(value);
    if (number === undefined) this.#wrong('an integer, as a number or as text', value, path);
    else if (number < low || number > high)
      this.faults.push(problemAt('out-of-range', `Expected ${low} to ${high}.`, path));
  }

  #text(field: FieldDescription, value: JsonValue, path: CallPath): void {
    const bytes = base58Bytes(field);
    if (typeof value !== 'string') this.#wrong('text', value, path);
    else if (bytes !== undefined) {
      const verdict = judgeBase58(value, bytes);
      if (verdict.kind === 'ok') return;
      const code = verdict.kind === 'alphabet' ? 'not-base58' : 'wrong-length';
      this.faults.push(problemAt(code, `Expected base58 text of ${bytes} bytes.`, path));
    }
  }

  #bytes(value: JsonValue, path: CallPath): void {
    if (typeof value !== 'string') this.#wrong('base64 text', value, path);
    else if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(value) || withoutTrailing(value, '=').length % 4 === 1)
      this.faults.push(problemAt('not-base64', 'Bytes are written as base64 text.', path));
  }

  #wrong(expected: string, value: JsonValue, path: CallPath): void {
    if (this.isUnknown(value)) return;
    this.faults.push(problemAt('wrong-type', `Expected ${expected}.`, path));
  }
}

/** The integer value of a number; proto3 JSON accepts 1.0 and 1e3 as integers too. */
function wholeNumber(value: JsonValue): bigint | undefined {
  const exact = integerOf(value);
  if (exact !== undefined || !(value instanceof JsonNumber)) return exact;
  const number = value.toNumber();
  return Number.isSafeInteger(number) ? BigInt(number) : undefined;
}

/** The field at a path of a message: through lists, and through maps by any key. */
export function fieldAt(root: MessageDescription, path: CallPath): FieldDescription | undefined {
  let message: MessageDescription | undefined = root;
  let field: FieldDescription | undefined;
  let isInside = false;
  for (const step of path) {
    // The step after a list or a map is an index or a key.
    if (field !== undefined && !isInside && field.many !== 'no') {
      isInside = true;
      continue;
    }
    if (field !== undefined) message = messageIn(field.type);
    field = message === undefined ? undefined : fieldNamed(message, String(step));
    isInside = false;
    if (field === undefined) return undefined;
  }
  return field;
}

/** The message type at a path; undefined if its keys are filter names, or it is not a message. */
export function messageAt(root: MessageDescription, path: CallPath): MessageDescription | undefined {
  if (path.length === 0) return root;
  const field = fieldAt(root, path);
  if (field === undefined) return undefined;
  const isElement = fieldAt(root, path.slice(0, -1)) === field;
  return field.many === 'no' || isElement ? messageIn(field.type) : undefined;
}

const messageIn = (type: ValueType): MessageDescription | undefined =>
  type.kind === 'message' ? type.description : undefined;

/** `uint64`, `CommitmentLevel`, `SubscribeRequestFilterSlots by name`: what a field takes, in a word. */
export function fieldLabel({ many, type }: FieldDescription): string {
  const one = type.kind === 'enum' ? type.description.name : type.name;
  return many === 'list' ? `${one}[]` : many === 'map' ? `${one} by name` : one;
}

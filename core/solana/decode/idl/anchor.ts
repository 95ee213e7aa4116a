// An Anchor IDL file, of the old form, which Shank writes too, and of the one since Anchor 0.30. Never throws: what makes no
// sense is left out and reported as a problem.
import { isJsonArray, JsonNumber, member, type JsonObject, type JsonValue } from '../../json/json';
import { isPublicKey } from '../../chain/keys';
import { headOf, instructionHead, idlWriter, recordHead, type IdlWriter } from './anchorHead';
import { countType, readFields, readType } from './anchorType';
import { anchorSource } from './sources';
import {
  U8,
  type Idl,
  type IdlAccountRole,
  type IdlConstant,
  type IdlError,
  type IdlField,
  type IdlInstruction,
  type IdlRecord,
  type IdlType,
  type IdlTypeDef,
  type IdlVariant,
} from './model';
import { listAt, MAX_ENTRIES, MAX_ERROR_TEXT, textAt, Problems } from './problems';

/** The one program that the file describes; nothing where it lists no instructions. */
export function readAnchor(file: JsonObject, problems: Problems): readonly Idl[] {
  if (isJsonArray(member(file, 'instructions'))) return [readFile(file, problems)];
  problems.say('instructions', 'an IDL lists its instructions');
  return [];
}

function readFile(file: JsonObject, problems: Problems): Idl {
  const metadata = member(file, 'metadata');
  const address = textAt(file, 'address') ?? textAt(metadata, 'address');
  const isAddress = address !== undefined && isPublicKey(address);
  if (address !== undefined && !isAddress) problems.say('address', 'this is not a public key');
  const origin = idlWriter(file);
  const types = new Map<string, IdlTypeDef>();
  for (const value of listAt(file, 'types', '', problems)) addType(value, 'types', types, problems);
  const accounts = readRecords({ file, key: 'accounts', origin }, types, problems);
  const events = readRecords({ file, key: 'events', origin }, types, problems);
  const instructions = readInstructions({ file, origin, types }, problems);
  checkNames(types, problems);
  return {
    ...(isAddress ? { address } : {}),
    name: textAt(metadata, 'name') ?? textAt(file, 'name') ?? 'program',
    instructions,
    accounts,
    events,
    types,
    errors: readErrors(file, problems),
    constants: readConstants(file, problems),
    ...(origin === 'anchor' && { usesAnchor: true }),
  };
}

function addType(value: JsonValue, place: string, types: Map<string, IdlTypeDef>, problems: Problems): void {
  const name = textAt(value, 'name');
  if (name === undefined) return void problems.say(place, 'a type has a name');
  const type = readBody(member(value, 'type'), `${place}.${name}`, problems);
  if (type === undefined) return;
  const generics = listAt(value, 'generics', `${place}.${name}.`, problems);
  types.set(name, {
    name,
    generics: generics.map((generic) => (typeof generic === 'string' ? generic : (textAt(generic, 'name') ?? ''))),
    type,
    isAligned: member(value, 'serialization') === 'bytemuckunsafe' && !isPacked(member(value, 'repr')),
  });
}

const isPacked = (repr: JsonValue | undefined): boolean => member(repr, 'packed') === true;

function readBody(value: JsonValue | undefined, place: string, problems: Problems): IdlType | undefined {
  switch (value === undefined ? undefined : textAt(value, 'kind')) {
    case 'struct': {
      const fields = readFields(listAt(value, 'fields', `${place}.`, problems), place, problems);
      return fields === undefined ? undefined : { kind: 'struct', fields };
    }
    case 'enum': {
      const variants = listAt(value, 'variants', `${place}.`, problems).map((variant): IdlVariant | undefined => {
        const name = textAt(variant, 'name') ?? '?';
        const fields = readFields(
          listAt(variant, 'fields', `${place}.${name}.`, problems),
          `${place}.${name}`,
          problems,
        );
        return fields === undefined ? undefined : { name, type: { kind: 'struct', fields } };
      });
      const read = variants.filter((variant) => variant !== undefined);
      const tag = countType(member(value, 'size'), U8);
      if (tag === undefined) return problems.say(place, 'the size of an enum is an integer type');
      return read.length < variants.length ? undefined : { kind: 'enum', tag, variants: new Map(read.entries()) };
    }
    case 'type':
    case 'alias':
      return readType(member(value, 'alias') ?? member(value, 'value'), place, problems);
    default:
      return problems.say(place, 'a type is a struct, an enum or an alias');
  }
}

/** Accounts and events. The old form holds their types in place, and they are known by their names like any other. */
function readRecords(
  { file, key, origin }: { readonly file: JsonObject; readonly key: 'accounts' | 'events'; readonly origin: IdlWriter },
  types: Map<string, IdlTypeDef>,
  problems: Problems,
): readonly IdlRecord[] {
  const records: IdlRecord[] = [];
  const namespace = key === 'accounts' ? 'account' : 'event';
  for (const value of listAt(file, key, '', problems)) {
    const name = textAt(value, 'name');
    if (name === undefined) {
      problems.say(key, 'an entry has a name');
      continue;
    }
    const place = `${key}.${name}`;
    const head = recordHead(value, { name, namespace, origin, place }, problems);
    if (head === 'wrong') continue;
    if (member(value, 'type') !== undefined) addType(value, key, types, problems);
    else if (key === 'events' && isJsonArray(member(value, 'fields'))) {
      const fields = readFields(listAt(value, 'fields', place, problems), place, problems);
      if (fields === undefined) continue;
      types.set(name, { name, generics: [], type: { kind: 'struct', fields }, isAligned: false });
    }
    if (!types.has(name)) problems.say(place, `there is no type "${name}"`);
    records.push({ name, ...headOf(head), type: { kind: 'defined', name, generics: [] } });
  }
  return records;
}

interface InstructionFile {
  readonly file: JsonObject;
  readonly origin: IdlWriter;
  readonly types: ReadonlyMap<string, IdlTypeDef>;
}

function readInstructions({ file, origin, types }: InstructionFile, problems: Problems): readonly IdlInstruction[] {
  const instructions: IdlInstruction[] = [];
  for (const [index, value] of listAt(file, 'instructions', '', problems).entries()) {
    const name = textAt(value, 'name');
    if (name === undefined) {
      problems.say('instructions', 'an instruction has a name');
      continue;
    }
    const place = `instructions.${name}`;
    const head = instructionHead(value, { name, index, origin, types, place }, problems);
    const args = readFields(listAt(value, 'args', `${place}.`, problems), `${place}.args`, problems);
    if (head === 'wrong' || args === undefined) continue;
    const accounts: IdlAccountRole[] = [];
    addRoles(listAt(value, 'accounts', `${place}.`, problems), { prefix: '', args, depth: 0 }, accounts);
    instructions.push({
      name,
      ...headOf(head),
      accounts,
      ...(member(value, 'legacyOptionalAccountsStrategy') === true && { omitsOptional: true }),
      args,
    });
  }
  return instructions;
}

interface RoleGroup {
  /** Before the names of its accounts. */
  readonly prefix: string;
  readonly args: readonly IdlField[];
  readonly depth: number;
}

function addRoles(values: readonly JsonValue[], within: RoleGroup, into: IdlAccountRole[]): void {
  const { prefix, args, depth } = within;
  for (const value of values) {
    if (into.length >= MAX_ENTRIES || depth > 8) return;
    const name = prefix + (textAt(value, 'name') ?? '?');
    const group = member(value, 'accounts');
    const source = anchorSource(value, args);
    if (isJsonArray(group)) addRoles(group, { prefix: `${name}.`, args, depth: depth + 1 }, into);
    else into.push({ name, ...flagsOf(value), ...addressOf(value), ...(source === undefined ? {} : { source }) });
  }
}

/** Each flag in the spelling of both forms. */
const flagsOf = (value: JsonValue): Pick<IdlAccountRole, 'isOptional' | 'isWritable' | 'isSigner'> => {
  const has = (...names: readonly string[]): boolean => names.some((name) => member(value, name) === true);
  return {
    isOptional: has('optional', 'isOptional'),
    isWritable: has('writable', 'isMut'),
    isSigner: has('isOptionalSigner') ? 'either' : has('signer', 'isSigner'),
  };
};

const addressOf = (value: JsonValue): Pick<IdlAccountRole, 'address'> => {
  const address = textAt(value, 'address');
  return address !== undefined && isPublicKey(address) ? { address } : {};
};

function readErrors(file: JsonObject, problems: Problems): ReadonlyMap<number, IdlError> {
  const errors = new Map<number, IdlError>();
  for (const value of listAt(file, 'errors', '', problems)) {
    const code = member(value, 'code');
    const name = textAt(value, 'name');
    const message = member(value, 'msg');
    if (typeof code !== 'number' || name === undefined) problems.say('errors', 'an error has a code and a name');
    else
      errors.set(code, { name, ...(typeof message === 'string' ? { message: message.slice(0, MAX_ERROR_TEXT) } : {}) });
  }
  return errors;
}

/** A constant's value is Rust source, mostly a number or a text in quotes. */
function readConstants(file: JsonObject, problems: Problems): readonly IdlConstant[] {
  return listAt(file, 'constants', '', problems).flatMap((value) => {
    const name = textAt(value, 'name');
    if (name === undefined) return problems.say('constants', 'a constant has a name') ?? [];
    // Rust's own types are known by no IDL; the value says enough.
    const type = readType(member(value, 'type'), '', new Problems()) ?? { kind: 'unreadable', what: 'type' };
    const given = member(value, 'value');
    const text = typeof given === 'number' ? String(given) : given instanceof JsonNumber ? given.text : given;
    if (typeof text === 'string') return [{ name, type, text: text.slice(0, MAX_ERROR_TEXT) }];
    return problems.say(`constants.${name}`, 'a constant has a value') ?? [];
  });
}

/** Reports missing types; values that contain one are not decoded. */
function checkNames(types: ReadonlyMap<string, IdlTypeDef>, problems: Problems): void {
  for (const { name, type } of types.values()) {
    for (const { name: field, type: named } of fieldsIn(type)) {
      if (named.kind === 'defined' && !types.has(named.name))
        problems.say(`types.${name}.${field}`, `there is no type "${named.name}"`);
    }
  }
}

const fieldsIn = (type: IdlType): readonly IdlField[] =>
  type.kind === 'struct'
    ? type.fields
    : type.kind === 'enum'
      ? [...type.variants.values()].flatMap((variant) => fieldsIn(variant.type))
      : [];

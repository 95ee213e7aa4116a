// A Codama document (standard "codama", specification 1.x): its program, and the other programs it describes. Lists may be
// absent, as they are since version 1.10 of the node packages. Never throws: what makes no sense is left out and reported.
import { isJsonArray, isJsonObject, JsonNumber, member, type JsonObject, type JsonValue } from '../../json/json';
import { isPublicKey } from '../../chain/keys';
import { CodamaTypes, countAt } from './codamaType';
import type {
  Idl,
  IdlAccountRole,
  IdlConstant,
  IdlDiscriminator,
  IdlError,
  IdlField,
  IdlIdentified,
  IdlInstruction,
  IdlRecord,
  IdlType,
} from './model';
import { listAt, MAX_ERROR_TEXT, MAX_NESTING, short, textAt, type Problems } from './problems';
import { codamaSource, type CodamaContext } from './sources';

/** Conditions on one record; more make no sense. */
const MAX_DISCRIMINATORS = 16;

export const isCodama = (file: JsonObject): boolean =>
  member(file, 'standard') === 'codama' || member(file, 'kind') === 'rootNode';

/** The document's program first; nothing where it has none. */
export function readCodama(file: JsonObject, problems: Problems): readonly Idl[] {
  const main = member(file, 'program');
  if (!isJsonObject(main)) {
    problems.say('program', 'a Codama document has a program');
    return [];
  }
  const others = listAt(file, 'additionalPrograms', '', problems).filter(isJsonObject);
  const types = new CodamaTypes(nameOf(main), problems);
  const programs = [main, ...others].map(
    (node, index) => new ProgramReader(node, index === 0 ? '' : `${nameOf(node)}: `, types, problems),
  );
  // A program may use the types of those after it.
  for (const program of programs) program.addTypes();
  types.defineAll();
  return programs.map((program) => program.read());
}

const nameOf = (program: JsonObject): string => textAt(program, 'name') ?? 'program';

class ProgramReader {
  readonly #node: JsonObject;
  readonly #prefix: string;
  readonly #types: CodamaTypes;
  readonly #problems: Problems;

  /** `prefix`: before the places of its problems. */
  constructor(node: JsonObject, prefix: string, types: CodamaTypes, problems: Problems) {
    this.#node = node;
    this.#prefix = prefix;
    this.#types = types;
    this.#problems = problems;
  }

  addTypes(): void {
    this.#types.add(nameOf(this.#node), this.#list('definedTypes'), `${this.#prefix}definedTypes`);
  }

  read(): Idl {
    const address = textAt(this.#node, 'publicKey');
    const isAddress = address !== undefined && isPublicKey(address);
    if (address !== undefined && !isAddress) this.#problems.say(`${this.#prefix}publicKey`, 'this is not a public key');
    return {
      ...(isAddress ? { address } : {}),
      name: nameOf(this.#node),
      instructions: this.#all('instructions', (node, name, place) => this.#instruction(node, name, place)),
      accounts: this.#all('accounts', (node, name, place) => this.#record(node, name, place)),
      events: this.#all('events', (node, name, place) => this.#record(node, name, place)),
      types: this.#types.types,
      errors: new Map(this.#all('errors', (node, name, place) => this.#error(node, name, place))),
      constants: this.#all('constants', (node, name, place) => this.#constant(node, name, place)),
      ...(textAt(this.#node, 'origin') === 'anchor' ? { usesAnchor: true } : {}),
    };
  }

  #list(key: string): readonly JsonValue[] {
    return listAt(this.#node, key, this.#prefix, this.#problems);
  }

  /** The named nodes of a list; those without a name are a problem. */
  #all<T>(key: string, read: (node: JsonValue, name: string, place: string) => T | undefined): readonly T[] {
    const found: T[] = [];
    for (const node of this.#list(key)) {
      const name = textAt(node, 'name');
      if (name === undefined) this.#problems.say(this.#prefix + key, 'an entry has a name');
      const one = name === undefined ? undefined : read(node, name, `${this.#prefix}${key}.${name}`);
      if (one !== undefined) found.push(one);
    }
    return found;
  }

  #at(place: string): ReturnType<CodamaTypes['at']> {
    return this.#types.at(nameOf(this.#node), place);
  }

  #record(node: JsonValue, name: string, place: string): IdlRecord {
    const data = member(node, 'data');
    const type = this.#types.read(data, this.#at(place));
    const { discriminators, constants } = this.#discriminators(node, structIn(data), place);
    return { name, discriminators, start: 0, type: marked(type, constants) };
  }

  #instruction(node: JsonValue, name: string, place: string): IdlInstruction {
    const nodes = listAt(node, 'arguments', `${place}.`, this.#problems);
    const args = this.#types.fields(nodes, this.#at(place));
    const { discriminators, constants } = this.#discriminators(node, nodes, place);
    return {
      name,
      discriminators,
      start: 0,
      accounts: this.#roles(node, place, args),
      ...(member(node, 'optionalAccountStrategy') === 'omitted' ? { omitsOptional: true } : {}),
      args: markedFields(args, constants),
    };
  }

  /** An unknown discriminator disables the record: without it the others would match too much. */
  #discriminators(node: JsonValue, fields: readonly JsonValue[], place: string): Discriminators {
    const constants = new Map<string, Uint8Array>();
    const found: IdlDiscriminator[] = [];
    const all = listAt(node, 'discriminators', `${place}.`, this.#problems);
    for (const one of all.slice(0, MAX_DISCRIMINATORS)) {
      const read = this.#discriminator(one, fields, constants, place);
      if (read === undefined) {
        this.#problems.say(`${place}.discriminators`, `cannot read ${short(textAt(one, 'kind') ?? 'one')}`);
        return { discriminators: [], constants: new Map() };
      }
      found.push(read);
    }
    return { discriminators: found, constants };
  }

  #discriminator(
    node: JsonValue,
    fields: readonly JsonValue[],
    constants: Map<string, Uint8Array>,
    place: string,
  ): IdlDiscriminator | undefined {
    const offset = countAt(node, 'offset') ?? 0;
    switch (textAt(node, 'kind')) {
      case 'sizeDiscriminatorNode': {
        const size = countAt(node, 'size');
        return size === undefined ? undefined : { kind: 'size', size };
      }
      case 'constantDiscriminatorNode': {
        const bytes = this.#types.constant(member(node, 'constant'), this.#at(`${place}.discriminators`));
        return bytes === undefined ? undefined : { kind: 'bytes', offset, bytes };
      }
      case 'fieldDiscriminatorNode': {
        const name = textAt(node, 'name');
        const field = fields.find((one) => textAt(one, 'name') === name);
        if (name === undefined || field === undefined) return undefined;
        const type = this.#types.read(member(field, 'type'), this.#at(`${place}.${name}`));
        const bytes = this.#types.encoded(type, member(field, 'defaultValue'));
        if (bytes === undefined) return undefined;
        constants.set(name, bytes);
        return { kind: 'bytes', offset, bytes };
      }
      default:
        return undefined;
    }
  }

  #roles(node: JsonValue, place: string, args: readonly IdlField[]): readonly IdlAccountRole[] {
    const context: CodamaContext = {
      pdas: this.#list('pdas'),
      address: textAt(this.#node, 'publicKey'),
      args,
      type: (type) => this.#types.read(type, this.#at(place)),
      encoded: (type, value) => this.#types.encoded(type, value),
    };
    const accounts = listAt(node, 'accounts', `${place}.`, this.#problems).map((account): IdlAccountRole => {
      const value = member(account, 'defaultValue');
      const address = this.#address(value);
      const source = codamaSource(value, context);
      return {
        name: textAt(account, 'name') ?? '?',
        ...flagsOf(account),
        ...(address !== undefined && isPublicKey(address) ? { address } : {}),
        ...(source === undefined ? {} : { source }),
      };
    });
    const remaining = listAt(node, 'remainingAccounts', `${place}.`, this.#problems).map((account): IdlAccountRole => ({
      name: textAt(member(account, 'value'), 'name') ?? 'remaining',
      ...flagsOf(account),
      isRepeated: true,
    }));
    return [...accounts, ...remaining];
  }

  #address(value: JsonValue | undefined): string | undefined {
    switch (textAt(value, 'kind')) {
      case 'publicKeyValueNode':
        return textAt(value, 'publicKey');
      case 'programIdValueNode':
        return textAt(this.#node, 'publicKey');
      default:
        return undefined;
    }
  }

  #error(node: JsonValue, name: string, place: string): readonly [number, IdlError] | undefined {
    const code = member(node, 'code');
    const message = member(node, 'message');
    if (typeof code !== 'number') return this.#problems.say(place, 'an error has a code');
    return [code, { name, ...(typeof message === 'string' ? { message: message.slice(0, MAX_ERROR_TEXT) } : {}) }];
  }

  #constant(node: JsonValue, name: string, place: string): IdlConstant {
    const type = this.#types.read(member(node, 'type'), this.#at(place));
    return { name, type, text: constantText(member(node, 'value')).slice(0, MAX_ERROR_TEXT) };
  }
}

interface Discriminators extends Pick<IdlIdentified, 'discriminators'> {
  /** By the name of the field that they are in. */
  readonly constants: ReadonlyMap<string, Uint8Array>;
}

const flagsOf = (account: JsonValue): Pick<IdlAccountRole, 'isOptional' | 'isWritable' | 'isSigner'> => ({
  isOptional: member(account, 'isOptional') === true,
  isWritable: member(account, 'isWritable') === true,
  isSigner: member(account, 'isSigner') === 'either' ? 'either' : member(account, 'isSigner') === true,
});

/** The fields of the struct that other type nodes are around. */
function structIn(node: JsonValue | undefined): readonly JsonValue[] {
  let at = node;
  for (let depth = 0; depth <= MAX_NESTING && at !== undefined; depth++) {
    const fields = member(at, 'fields');
    if (isJsonArray(fields)) return fields;
    at = member(at, 'type');
  }
  return [];
}

const markedFields = (fields: readonly IdlField[], constants: ReadonlyMap<string, Uint8Array>): readonly IdlField[] =>
  fields.map((field) => {
    const constant = constants.get(field.name);
    return constant === undefined ? field : { ...field, constant };
  });

/** The type with the fields of the struct in it marked that are discriminators. */
function marked(type: IdlType, constants: ReadonlyMap<string, Uint8Array>): IdlType {
  if (constants.size === 0) return type;
  switch (type.kind) {
    case 'struct':
      return { ...type, fields: markedFields(type.fields, constants) };
    case 'prefixed':
    case 'fixed':
    case 'sentinel':
    case 'hidden':
    case 'moved':
      return { ...type, of: marked(type.of, constants) };
    default:
      return type;
  }
}

/** A value node as spelled in the file; for containers, only the kind. */
function constantText(value: JsonValue | undefined): string {
  for (const key of ['number', 'string', 'data', 'boolean', 'publicKey', 'variant']) {
    const found = member(value, key);
    if (typeof found === 'string') return found;
    if (typeof found === 'number' || typeof found === 'boolean') return String(found);
    if (found instanceof JsonNumber) return found.text;
  }
  return short(textAt(value, 'kind') ?? '');
}

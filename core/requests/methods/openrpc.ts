// Reads an OpenRPC document into method records, so that its methods are checked and explained as the contract's are.
// Parts of a schema that a record cannot express are not checked: a request that the service accepts is never refused.
import { isJsonArray, isJsonObject, member, parseJson, JsonSyntaxError, type JsonValue } from '../../solana/json/json';
import { markdownText } from '../../solana/common/markdown';
import { MAX_DOC, SchemaReader } from './jsonSchema';
import type { FieldSpec, MethodRecord, SubscriptionFacts } from './types';

/** Larger documents are refused. UTF-16 units. */
export const MAX_DOCUMENT = 4_000_000;
const MAX_METHODS = 2_000;
const MAX_PARAMS = 64;
/** More faults of one document than this help nobody. */
const MAX_FAULTS = 20;

export interface OpenRpcDocument {
  readonly methods: readonly MethodRecord[];
  /** The parts that could not be read. `place`: a line and column, or a path such as `methods[3].params[0]`. */
  readonly faults: readonly { readonly place: string; readonly message: string }[];
}

/** `source`: how the document is called in hovers. Never throws; what is sound in a faulty document is kept. */
export function readOpenRpc(text: string, source: string): OpenRpcDocument {
  if (text.length > MAX_DOCUMENT) return refused('the file', `it is larger than ${MAX_DOCUMENT} characters.`);
  let document: JsonValue;
  try {
    document = parseJson(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const offset = error instanceof JsonSyntaxError ? error.offset : 0;
    return refused(placeOf(text, offset), 'this is not valid JSON.');
  }
  const methods = member(document, 'methods');
  if (typeof member(document, 'openrpc') !== 'string' || !isJsonArray(methods))
    return refused('the file', 'an OpenRPC document has "openrpc" with a version and a list "methods".');
  return new DocumentReader(document, source).read(methods);
}

const refused = (place: string, message: string): OpenRpcDocument => ({ methods: [], faults: [{ place, message }] });

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

const METHOD_NAME = /^[A-Za-z_][\w.:/-]{0,99}$/;
const PARAM_NAME = /^[\w$.-]{1,100}$/;

class DocumentReader {
  readonly #faults: { place: string; message: string }[] = [];
  readonly #schemas: SchemaReader;

  constructor(
    document: JsonValue,
    private readonly source: string,
  ) {
    this.#schemas = new SchemaReader(document);
  }

  read(methods: readonly JsonValue[]): OpenRpcDocument {
    const records: MethodRecord[] = [];
    const names = new Set<string>();
    for (const [index, method] of methods.entries()) {
      const place = `methods[${index}]`;
      if (index >= MAX_METHODS) {
        this.#fault(place, `only the first ${MAX_METHODS} methods are read.`);
        break;
      }
      const record = this.#method(this.#schemas.resolved(method), place);
      if (record === undefined) continue;
      if (names.has(record.name)) this.#fault(place, `${record.name} is there already.`);
      names.add(record.name);
      records.push(record);
    }
    return { methods: records, faults: this.#faults };
  }

  #method(method: JsonValue | undefined, place: string): MethodRecord | undefined {
    const name = member(method, 'name');
    if (typeof name !== 'string' || !METHOD_NAME.test(name)) {
      this.#fault(`${place}.name`, 'a method needs a name of letters, digits and _ . : / -');
      return undefined;
    }
    const given = member(method, 'params') ?? [];
    if (!isJsonArray(given) || given.length > MAX_PARAMS) {
      this.#fault(`${place}.params`, `a list of at most ${MAX_PARAMS} parameters.`);
      return undefined;
    }
    const params = given.map((param, index) => this.#param(param, `${place}.params[${index}]`));
    const said = member(method, 'paramStructure');
    const summary = textOf(member(method, 'summary')) || textOf(member(method, 'description'));
    const result = this.#schemas.resolved(member(method, 'result'));
    const stream = subscriptionOf(name, this.#schemas.resolved(member(method, 'x-notification')));
    const closes = /^(.+)Unsubscribe$/.exec(name)?.[1];
    return {
      name,
      category: 'custom',
      transport: stream === undefined && closes === undefined ? 'both' : 'ws',
      ...(stream === undefined ? {} : { subscription: stream }),
      ...(closes === undefined ? {} : { closes: `${closes}Subscribe` }),
      summary: summary || 'No description.',
      params,
      ...(said === 'by-position' ? {} : { structure: said === 'by-name' ? ('byName' as const) : ('either' as const) }),
      result: codeOf(member(result, 'name')) || 'any',
      errors: [],
      ...(member(method, 'deprecated') === true ? { notes: ['Deprecated.'] } : {}),
      undocumented: true,
      source: this.source,
      example: [],
    };
  }

  #param(given: JsonValue, place: string): FieldSpec {
    const param = this.#schemas.resolved(given);
    const name = member(param, 'name');
    const isNamed = typeof name === 'string' && PARAM_NAME.test(name);
    if (!isNamed) this.#fault(`${place}.name`, 'a parameter needs a name of letters, digits and _ $ . -');
    const schema = member(param, 'schema');
    if (!isJsonObject(schema) && typeof schema !== 'boolean')
      this.#fault(`${place}.schema`, 'a parameter needs a schema.');
    const doc = textOf(member(param, 'summary')) || textOf(member(param, 'description'));
    return {
      name: isNamed ? name : (/\[(\d+)\]$/.exec(place)?.[1] ?? 'param'),
      ...this.#schemas.field(schema, doc),
      ...(member(param, 'required') === true ? { required: true as const } : {}),
    };
  }

  #fault(place: string, message: string): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ place, message });
  }
}

/**
 * A method whose name ends in `Subscribe` opens a stream. `x-notification` may say what comes: the name of the
 * notifications, or an object with `name` or `method`.
 */
function subscriptionOf(name: string, notification: JsonValue | undefined): SubscriptionFacts | undefined {
  const topic = /^(.+)Subscribe$/.exec(name)?.[1];
  if (topic === undefined) return undefined;
  const said = [notification, member(notification, 'method'), member(notification, 'name')];
  const named = said.find((one) => typeof one === 'string' && METHOD_NAME.test(one));
  return {
    unsubscribe: `${topic}Unsubscribe`,
    notification: typeof named === 'string' ? named : `${topic}Notification`,
    payload: codeOf(member(notification, 'summary')) || codeOf(member(notification, 'description')) || 'any',
  };
}

/** A text of the document as Markdown that shows it and nothing else. */
const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? markdownText(value, MAX_DOC) : '';

/** A text of the document for a member that is shown as code. */
const codeOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value.slice(0, MAX_DOC) : '');

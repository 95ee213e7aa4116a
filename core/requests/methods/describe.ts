// Describes methods for people: signatures, markdown, snippets. Derived from the records alone; nothing here is about a
// single method.
import { markdownBlock, markdownCode, markdownText } from '../../solana/common/markdown';
import { snippetChoice, snippetText } from '../snippet';
import { printJson } from '../../solana/json/json';
import { chainAge, type ChainAge } from '../../solana/chain/chain';
import { commitmentDocs } from '../../solana/chain/commitments';
import type { PackId } from '../../service/providers/packIds';
import { PACKS } from './packs/packs';
import type { Availability, Encoding, EnumValue, FieldSpec, MethodRecord, RemovedMethod, ValueSpec } from './types';

/** A signature label and the place of each parameter in it (UTF-16 offsets, end exclusive). */
export interface SignatureLabel {
  readonly label: string;
  readonly params: readonly (readonly [start: number, end: number])[];
}

/** `getBalance(pubkey: public key, config?: object)` with the span of each parameter. */
export function signatureLabel(record: MethodRecord): SignatureLabel {
  let label = `${record.name}(`;
  const params: (readonly [number, number])[] = [];
  for (const param of record.params) {
    if (params.length > 0) label += ', ';
    const start = label.length;
    label += `${param.name}${param.required === true ? '' : '?'}: ${specLabel(param.spec)}`;
    params.push([start, label.length]);
  }
  return { label: `${label})`, params };
}

/** A short name of what a value is: `public key`, `u64 1..1000`, `"confirmed" | "finalized"`. */
export function specLabel(spec: ValueSpec): string {
  switch (spec.kind) {
    case 'pubkey':
      return 'public key';
    case 'integer': {
      const type = spec.unit === 'lamports' ? 'lamports' : spec.type;
      if (spec.min === undefined && spec.max === undefined) return type;
      return `${type} ${spec.min ?? 0}..${spec.max ?? ''}`;
    }
    case 'enum':
      return spec.values.map((one) => JSON.stringify(one.value)).join(' | ');
    case 'encoding':
    case 'commitment':
      return spec.values.map((one) => JSON.stringify(one)).join(' | ');
    case 'memcmpBytes':
      return `encoded bytes, at most ${spec.maxBytes}`;
    case 'array': {
      const items = specLabel(spec.items);
      return `${/ [|.]|,/.test(items) ? `(${items})` : items}[]`;
    }
    case 'anyOf':
      return spec.options.map(specLabel).join(' | ');
    default:
      return spec.kind;
  }
}

/** The standard's documentation page of a method; some methods have no page. */
export function docsUrl(record: MethodRecord): string | undefined {
  if (record.undocumented === true) return undefined;
  const section = record.category === 'subscriptions' ? 'websocket' : 'http';
  return `https://solana.com/docs/rpc/${section}/${record.name.toLowerCase()}`;
}

/** ` [Solana documentation](…)`, or nothing. */
export function docsLink(record: MethodRecord): string {
  const url = docsUrl(record);
  return url === undefined ? '' : ` [Solana documentation](${url})`;
}

/** Hover and completion text of a method; `isMarked`: a finding at its name says already that it may change. */
export function methodMarkdown(record: MethodRecord, isMarked = false): string {
  const parts = [markdownBlock(signatureLabel(record).label), record.summary];
  if (record.unstable !== undefined && !isMarked) parts.push(`**May change.** ${record.unstable}`);
  if (record.since !== undefined) parts.push(availabilityText(record.since));
  if (record.params.length > 0) parts.push(record.params.map(paramLine).join('\n'));
  parts.push(`**Result** ${markdownCode(record.result)}`);
  if (record.subscription !== undefined) {
    const { notification, payload, unsubscribe } = record.subscription;
    parts.push(`**Each \`${notification}\`** ${markdownCode(payload)}. Ends with \`${unsubscribe}\`.`);
  }
  if (record.changes !== undefined)
    parts.push(record.changes.map(({ agave, doc }) => `- From Agave ${agave}: ${doc}`).join('\n'));
  if (record.notes !== undefined) parts.push(record.notes.map((note) => `- ${note}`).join('\n'));
  if (record.errors.length > 0) parts.push(`**Errors** ${record.errors.map((code) => `\`${code}\``).join(', ')}`);
  if (record.source !== undefined) return [...parts, `Added by ${markdownText(record.source)}.`].join('\n\n');
  if (record.pack !== undefined) return [...parts, packMarkdown(record.pack)].join('\n\n');
  const url = docsUrl(record);
  if (url !== undefined) parts.push(`[Solana documentation](${url})`);
  return parts.join('\n\n');
}

/** `Agave from 4.3; cloudbreak`: which servers know something that not all do. */
export function serversOf({ agave, servers = [] }: Availability): string {
  return [...(agave === undefined ? [] : [`Agave from ${agave}`]), ...servers].join(', ');
}

const availabilityText = (since: Availability): string => `**Not on every server.** Known to: ${serversOf(since)}.`;

/** Which pack it is, and where its documentation begins. */
function packMarkdown(id: PackId): string {
  const pack = PACKS.find((one) => one.id === id);
  return `Method pack \`${id}\`: ${pack?.doc ?? ''} [${pack?.title ?? id}](${pack?.url ?? ''})`;
}

const paramLine = (param: FieldSpec): string =>
  `- ${markdownCode(param.name)}${param.required === true ? '' : ' (optional)'}: ${param.doc}${param.pack === undefined ? '' : ` Of the method pack \`${param.pack}\`.`}`;

/** Hover text of a removed name. */
export function removedMarkdown(removed: RemovedMethod): string {
  const instead = removed.replacedBy === undefined ? 'Nothing takes its place.' : `Use \`${removed.replacedBy}\`.`;
  return [`Nodes no longer serve \`${removed.name}\`. ${instead}`, removed.note ?? ''].join(' ').trim();
}

/** Hover and completion text of a parameter or a config member of a method. */
export function fieldMarkdown(field: FieldSpec): string {
  const need = field.required === true ? 'required' : 'optional';
  const fallback = field.default === undefined ? '' : `, default ${markdownCode(printJson(field.default))}`;
  const since = field.since === undefined ? '' : `\n\n${availabilityText(field.since)}`;
  const origin = field.pack === undefined ? '' : `\n\n${packMarkdown(field.pack)}`;
  return `${markdownCode(field.name)}: ${markdownCode(specLabel(field.spec))} (${need}${fallback})\n\n${field.doc}${since}${origin}`;
}

const ENCODING_DOCS: Readonly<Record<Encoding, string>> = {
  base58: 'Base58 text; slow, and for account data limited to 128 bytes.',
  base64: 'Base64 text of any size.',
  'base64+zstd': 'Base64 of the data compressed with Zstandard.',
  jsonParsed: 'Parsed into fields where the program is known, else base64.',
  json: 'JSON with account keys and instructions, programs not parsed.',
};

/**
 * The values a place offers, each with its sentence: enums, encodings, commitments, booleans, known keys, `anyOf`. `chain`:
 * that of the endpoint.
 */
export function valuesOf(spec: ValueSpec, chain = chainAge()): readonly EnumValue[] {
  switch (spec.kind) {
    case 'enum':
      return spec.values;
    case 'encoding':
      return spec.values.map((value) => ({ value, doc: ENCODING_DOCS[value] }));
    case 'commitment':
      return spec.values.map((value) => ({ value, doc: commitmentDocs(chain)[value] }));
    case 'anyOf':
      return spec.options.flatMap((option) => valuesOf(option, chain));
    default:
      return [];
  }
}

/** Markdown of one value of a place: an encoding, a commitment level, an enum's word. */
export function valueMarkdown(spec: ValueSpec, value: string, chain?: ChainAge): string | undefined {
  const found = valuesOf(spec, chain).find((one) => one.value === value);
  return found === undefined ? undefined : `${markdownCode(JSON.stringify(value))}: ${found.doc}`;
}

/** The members of an object spec, seen through `anyOf`; none for other values. */
export function fieldsOf(spec: ValueSpec): readonly FieldSpec[] {
  if (spec.kind === 'object') return spec.fields;
  return spec.kind === 'anyOf' ? spec.options.flatMap(fieldsOf) : [];
}

/** The spec of an array's items, seen through `anyOf`. */
export function itemOf(spec: ValueSpec): ValueSpec | undefined {
  if (spec.kind === 'array') return spec.items;
  if (spec.kind !== 'anyOf') return undefined;
  for (const option of spec.options) if (option.kind === 'array') return option.items;
  return undefined;
}

/**
 * The field at a path within `params`, or `undefined`; a member by name, an array's item by any index (it has the
 * array's name and doc). A config in an earlier optional position is found there.
 */
export function specAt(record: MethodRecord, path: readonly (string | number)[]): FieldSpec | undefined {
  const [first, ...rest] = path;
  let field = typeof first === 'number' ? paramAt(record, first) : namedParam(record, first);
  for (const step of rest) {
    if (field === undefined) return undefined;
    field = typeof step === 'string' ? memberOf(field, step) : elementOf(field);
  }
  return field;
}

/** The parameter at a position, of those that repeat the last. */
const paramAt = (record: MethodRecord, index: number): FieldSpec | undefined =>
  record.params[index] ?? (record.repeats === true ? record.params.at(-1) : undefined);

const namedParam = (record: MethodRecord, name: string | undefined): FieldSpec | undefined =>
  record.structure === undefined ? undefined : record.params.find((param) => param.name === name);

/** A member of a config, by its name. */
export const memberOf = (field: FieldSpec, name: string): FieldSpec | undefined =>
  [field.spec, ...(field.alsoAccepts ?? [])].flatMap(fieldsOf).find((one) => one.name === name);

function elementOf(field: FieldSpec): FieldSpec | undefined {
  const spec = itemOf(field.spec);
  return spec === undefined ? undefined : { name: field.name, doc: field.doc, spec };
}

/**
 * LSP snippet of the value of `params`: the required parameters as tab stops, in quotes where they are strings;
 * `[]` if nothing is required.
 */
export function paramsSnippet(record: MethodRecord): string {
  const required = record.params.filter((param) => param.required === true);
  if (record.structure === 'byName' || record.structure === 'preferName') {
    const members = required.map(
      (param, index) => `${snippetText(JSON.stringify(param.name))}: ${fieldSnippet(param, index + 1)}`,
    );
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return `[${required.map((param, index) => fieldSnippet(param, index + 1)).join(', ')}]`;
}

/** LSP snippet of one value with its tab stop: `"${1:pubkey}"`, `${1|true,false|}`, `{ "mint": "$1" }`. */
export function fieldSnippet(field: FieldSpec, stop: number): string {
  const first = field.suggested?.[0] ?? field.default;
  return specSnippet(field.spec, stop, first === undefined || first === null ? field.name : printJson(first));
}

function specSnippet(spec: ValueSpec, stop: number, word: string): string {
  switch (spec.kind) {
    case 'integer':
      return `\${${stop}:${/^\d+$/.test(word) ? word : String(spec.min ?? 0)}}`;
    case 'number':
      return `\${${stop}:${/^[\d.]+$/.test(word) ? word : String(spec.min ?? 0)}}`;
    case 'null':
      return 'null';
    case 'any':
      return `$${stop}`;
    case 'boolean':
      return snippetChoice(stop, word === 'true' ? ['true', 'false'] : ['false', 'true']);
    case 'enum':
    case 'encoding':
    case 'commitment':
      return `"${snippetChoice(stop, choices(spec, word))}"`;
    case 'array':
      return `[${specSnippet(spec.items, stop, word)}]`;
    case 'object': {
      const shown = spec.fields.filter((field) => field.required === true);
      const field = shown[0] ?? (spec.exactlyOne === undefined ? undefined : spec.fields[0]);
      return field === undefined
        ? `{ $${stop} }`
        : `{ ${snippetText(JSON.stringify(field.name))}: ${fieldSnippet(field, stop)} }`;
    }
    case 'anyOf': {
      const option = spec.options.find((one) => one.kind !== 'object') ?? spec.options[0];
      return option === undefined ? `$${stop}` : specSnippet(option, stop, word);
    }
    default:
      return `"\${${stop}:${/^\w+$/.test(word) ? word : spec.kind}}"`;
  }
}

/** The default's word comes first. */
function choices(spec: ValueSpec, word: string): string[] {
  const values = valuesOf(spec).map((one) => one.value);
  return values.sort((a, b) => Number(JSON.stringify(b) === word) - Number(JSON.stringify(a) === word));
}

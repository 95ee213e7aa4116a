// Hover: what is under the cursor, in words. Reads the same tables as completion; says nothing that a finding at the same
// place says already.
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import { evaluate } from '../../document/variables/evaluate';
import { directiveShape } from '../../document/directives';
import { touches } from '../../document/lines';
import type { PathStep, Reference, Span } from '../../document/model';
import { printPath } from '../../document/variables/path';
import { HELPERS } from '../../document/variables/reference';
import { KEYWORDS } from '../../document/requestLine';
import type { Dynamic, Scope } from '../../document/variables/variables';
import { markdownBlock, markdownCode } from '../../../solana/common/markdown';
import { fieldMarkdown, methodMarkdown, specAt, valueMarkdown } from '../../methods/describe';
import type { FieldSpec } from '../../methods/types';
import { knownAddress } from '../../../solana/chain/addresses';
import { integerOf, jsonOf, printJson, type JsonValue } from '../../../solana/json/json';
import { unitText, type Unit, type UnitContext } from '../../../solana/chain/units';
import { lastValue, type AnswersPort } from '../answers';
import { conditionsOf, GEYSER_CALLS, shapeOfPath } from '../../document/call';
import { messageHover } from '../completion/messageHelp';
import { endpointOf } from '../../document/packs';
import { callMarkdown } from '../completion/transactionHelp';
import { transactionMarkdown } from './transactionText';
import { labelOf, unitOfShape, type ResultShape } from '../../methods/resultShape';
import { bodyPlace, lspRange, referenceAt, type BodyPlace, type CursorContext } from '../context';

/** Longer values are cut. */
const MAX_SHOWN = 400;

/** The inputs of a hover besides the text. */
export interface HoverPorts {
  readonly scope: () => Scope;
  readonly answers: AnswersPort;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** The editor runs our command that copies a text. */
  readonly copies?: boolean;
}

export function hoverAt(cursor: CursorContext, ports: HoverPorts): Hover | undefined {
  const found =
    referenceHover(cursor, ports) ?? bodyHover(cursor, ports) ?? conditionHover(cursor, ports) ?? headHover(cursor);
  if (found === undefined) return undefined;
  return { contents: { kind: MarkupKind.Markdown, value: found.text }, range: lspRange(cursor, found.span) };
}

interface HoverText {
  readonly text: string;
  readonly span: Span;
}

/** The parts that say something. */
const paragraphs = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n');

/** A value from the file or an answer, as a block of code. */
function fenced(value: JsonValue): string {
  const text = printJson(value, 2);
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return markdownBlock(shown, 'json');
}

function referenceHover(cursor: CursorContext, ports: HoverPorts): HoverText | undefined {
  const reference = referenceAt(cursor);
  const text = reference === undefined ? undefined : referenceText(cursor, ports, reference);
  return reference === undefined || text === undefined ? undefined : { text, span: reference.span };
}

/** Nothing for a reference that leads nowhere: a finding there says so. */
function referenceText(cursor: CursorContext, ports: HoverPorts, { content, span }: Reference): string | undefined {
  const { block } = cursor;
  const result = evaluate({ scope: ports.scope(), block }, content);
  switch (result.kind) {
    case 'known': {
      const unit = unitOfField(fieldAround(cursor, span.start));
      return `${originText[result.origin.kind]}\n\n${valueText(cursor, ports, result.value, unit)}`;
    }
    case 'unknown':
      return paragraphs(dynamicText(result.waitsFor), answerText(cursor, ports, result.waitsFor));
    case 'unresolved':
    case 'cycle':
      return undefined;
  }
}

const originText = {
  var: 'From `--var`.',
  environment: 'From the environment.',
  profile: 'From the endpoint profile.',
  variable: 'Variable.',
  dynamic: 'Known when the request is sent.',
  default: 'The default.',
  computed: 'Computed exactly.',
} as const;

function dynamicText(dynamic: Dynamic): string {
  switch (dynamic.kind) {
    case 'response': {
      const path = markdownCode(printPath(dynamic.path));
      const captured = dynamic.capture === undefined ? '' : 'Captured. ';
      return `${captured}From the response of ${markdownCode(dynamic.request.name.text)}${path === '' ? '' : `, at ${path}`}.`;
    }
    case 'helper': {
      const shape = HELPERS[dynamic.name];
      return shape === undefined ? dynamic.name : `\`${shape.usage}\`: ${shape.doc}`;
    }
    case 'row':
      return 'Of the row that `@foreach` is at.';
    case 'prompt':
      return 'Asked for before the request is sent.';
  }
}

/** The possible answers there, and the last one. */
function answerText(cursor: CursorContext, ports: HoverPorts, dynamic: Dynamic): string {
  if (dynamic.kind !== 'response') return '';
  const { request, path } = dynamic;
  const shape = shapeOfPath(request.placed.block, path, cursor.methods);
  const value = lastValue(ports.answers, request, path);
  const last = value === undefined ? '' : `Its last answer:\n\n${valueText(cursor, ports, value, unitOfShape(shape))}`;
  return paragraphs(shapeText(shape, path), last);
}

const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  lamports: 'Lamports: 1 SOL is 1,000,000,000 of them.',
  slot: 'A slot.',
  seconds: 'Seconds since 1970 (Unix time).',
  computeUnits: 'Compute units.',
  microLamports: 'Micro-lamports per compute unit.',
};

/** A shape in words; empty if they add nothing to the member's name. */
function shapeText(shape: ResultShape | undefined, path: readonly PathStep[]): string {
  const unit = unitOfShape(shape);
  if (unit !== undefined) return UNIT_WORDS[unit];
  const label = shape === undefined ? '' : labelOf(shape);
  return label === '' || label === path.at(-1) ? '' : markdownCode(label);
}

/** The path of an assertion, a capture, or a condition of `@retry`: the method's answer there. */
function conditionHover(cursor: CursorContext, ports: HoverPorts): HoverText | undefined {
  const { block, offset, methods } = cursor;
  const path = [...conditionsOf(block), ...block.settings.captures].find((one) => touches(one.path.span, offset))?.path;
  if (path === undefined) return undefined;
  const shape = shapeOfPath(block, path.steps, methods);
  const scope = ports.scope();
  const { name } = block.settings;
  const named = name === undefined ? undefined : scope.requestNamed(name.text);
  const value = named?.placed.block === block ? lastValue(ports.answers, named, path.steps) : undefined;
  const text = paragraphs(
    shapeText(shape, path.steps),
    value === undefined ? '' : `The last answer:\n\n${valueText(cursor, ports, value, unitOfShape(shape))}`,
  );
  return text === '' ? undefined : { text, span: path.span };
}

/** A value in familiar terms. */
function valueText(cursor: CursorContext, ports: HoverPorts, value: JsonValue, unit: Unit | undefined): string {
  return paragraphs(fenced(value), unitLine(cursor, ports, value, unit), addressText(value));
}

/** An amount, a slot or a time in words, with a link that copies them. */
function unitLine(cursor: CursorContext, ports: HoverPorts, value: JsonValue, unit: Unit | undefined): string {
  const integer = integerOf(value);
  const text = unit === undefined || integer === undefined ? undefined : unitText(unit, integer, around(cursor, ports));
  // Digits and our own words: nothing in it is read as markdown.
  return text === undefined ? '' : `${text}${ports.copies === true ? copyLink(text) : ''}`;
}

/** The command writes its text to the clipboard and does nothing else. */
function copyLink(text: string): string {
  const args = encodeURIComponent(JSON.stringify([text])).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
  return ` · [Copy](command:solanaRpc.copyValue?${args})`;
}

/** The clock, and the newest slot of the block's endpoint. */
function around({ block }: CursorContext, { scope, now }: HoverPorts): UnitContext {
  const { document, surroundings } = scope();
  const { slot, chain } = endpointOf(document, block, surroundings) ?? {};
  return {
    ...(now === undefined ? {} : { now: now() }),
    ...(slot === undefined ? {} : { slot, slotMs: chain?.slotMs }),
  };
}

/** The field of the method that the text at an offset fills. */
function fieldAround(cursor: CursorContext, offset: number): FieldSpec | undefined {
  const place = bodyPlace({ ...cursor, offset });
  const [first, ...path] = place?.path ?? [];
  return first !== 'params' || place?.record === undefined ? undefined : specAt(place.record, path);
}

const FIELD_UNITS = { lamports: 'lamports', slots: 'slot' } as const;

function unitOfField(field: FieldSpec | undefined): Unit | undefined {
  const unit = field?.spec.kind === 'integer' ? field.spec.unit : undefined;
  return unit === 'lamports' || unit === 'slots' ? FIELD_UNITS[unit] : undefined;
}

function addressText(value: JsonValue): string {
  const known = typeof value === 'string' ? knownAddress(value) : undefined;
  if (known === undefined) return '';
  const says = known.name.toLowerCase().includes(known.kind.toLowerCase());
  return `**${known.name}**${says ? '' : ` (${known.kind})`}`;
}

function bodyHover(cursor: CursorContext, ports: HoverPorts): HoverText | undefined {
  const place = bodyPlace(cursor);
  if (place?.token === undefined) return undefined;
  const text = placeText(cursor, ports, place, place.token);
  return text === undefined || text === '' ? undefined : { text, span: place.token };
}

function placeText(cursor: CursorContext, ports: HoverPorts, place: BodyPlace, token: Span): string | undefined {
  const { block } = cursor;
  if (block.requestLine?.transport === 'GRPC') return messageHover(block, place);
  const [first, ...path] = place.path;
  // A removed method has a finding, which names its replacement.
  if (first === 'method' && path.length === 0)
    return place.record === undefined ? undefined : methodMarkdown(place.record, true);
  if (first !== 'params' || place.record === undefined) return undefined;
  const ofCall = callMarkdown(cursor, place);
  if (ofCall !== undefined) return ofCall;
  const field = specAt(place.record, path);
  if (field === undefined) return undefined;
  if (place.isKey) return fieldMarkdown(field);
  const value = jsonOf(block.text.slice(token.start, token.end));
  const { document, surroundings } = ports.scope();
  return paragraphs(
    typeof value === 'string'
      ? valueMarkdown(field.spec, value, endpointOf(document, block, surroundings)?.chain)
      : undefined,
    value === undefined ? undefined : addressText(value),
    field.spec.kind === 'transaction' && typeof value === 'string' ? transactionMarkdown(value) : undefined,
    value === undefined ? undefined : unitLine(cursor, ports, value, unitOfField(field)),
    fieldMarkdown(field),
  );
}

/** Directives, the request line, variables. */
function headHover({ block, offset }: CursorContext): HoverText | undefined {
  const directive = block.directives.find(({ name }) => touches(name.span, offset));
  const shape = directive === undefined ? undefined : directiveShape(directive.name.text);
  if (directive !== undefined && shape !== undefined)
    return { text: `\`${shape.usage}\`\n\n${shape.doc}`, span: directive.name.span };
  const { requestLine } = block;
  if (requestLine !== undefined && touches(requestLine.keyword.span, offset)) {
    const keyword = KEYWORDS[requestLine.keyword.text];
    return keyword === undefined ? undefined : { text: keyword.doc, span: requestLine.keyword.span };
  }
  if (requestLine?.method !== undefined && touches(requestLine.method.span, offset)) {
    const doc = GEYSER_CALLS.get(requestLine.method.text);
    return doc === undefined ? undefined : { text: doc, span: requestLine.method.span };
  }
  const variable = block.variables.find(({ span }) => touches(span, offset));
  if (variable === undefined) return undefined;
  return { text: paragraphs('Variable.', fenced(variable.json), addressText(variable.json)), span: variable.span };
}

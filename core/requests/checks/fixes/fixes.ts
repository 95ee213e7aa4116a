// Quick fixes: from a diagnostic to the edits that mend it. One function per kind of fix; none looks beyond the file.
import {
  CodeActionKind,
  type CodeAction,
  type Diagnostic,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-types';
import type { Node } from 'jsonc-parser';
import { readCondition } from '../../document/variables/condition';
import { insteadOfOperator } from '../../document/foreign';
import { rangeOf } from '../../document/lines';
import type { Edit, PlacedBlock, Problem, Span } from '../../document/model';
import { fieldSnippet } from '../../methods/describe';
import { withoutStops } from '../../snippet';
import type { Fix } from '../../methods/problems';
import { printJson, type JsonObject, type JsonValue } from '../../../solana/json/json';
import {
  keySpan,
  nodeSpan,
  partPlace,
  propertyOf,
  spanWithout,
  type CallPath,
  type PartPlace,
} from '../../document/call';
import type { FixData, Mend } from '../problem';
import { foreignMends } from './foreignFix';
import { quoteMends } from './quoteFix';
import { secretEdits } from './secretFix';

/** The mends of a problem, best first. */
export function mendsOf(placed: PlacedBlock, problem: Problem): Mend[] {
  const { span } = problem;
  switch (problem.code) {
    case 'json-syntax':
      return [...foreignMends(placed.block, span), ...quoteMends(placed.block, span)];
    case 'trailing-comma':
      return [{ title: 'Remove the comma', edits: [{ span, text: '' }] }];
    case 'bare-variable':
      return [{ title: 'Put the variable in quotes', edits: [{ span, text: quoteReference(placed, span) }] }];
    case 'second-body':
      return startRequest(placed, span);
    case 'stray-text':
      return strayMends(placed, span);
    case 'bad-assertion':
      return [...operatorMends(placed, span), ...rangeMends(placed, span)];
    case 'secret-in-file':
      // Only a key that is written out can be moved.
      if (isFixData(problem.data)) return dataMends(placed, span, problem.data);
      return [
        {
          title: 'Move the key to secret storage',
          edits: secretEdits(placed.block, span),
          command: 'solanaRpc.moveSecret',
        },
      ];
    default:
      return isFixData(problem.data) ? dataMends(placed, problem.span, problem.data) : [];
  }
}

/** Renames what is named at a span of the block, with every use of it; undefined where that cannot be done. */
export type RenameAt = (placed: PlacedBlock, span: Span, name: string) => WorkspaceEdit['changes'] | undefined;

/** Code actions for the problems of a block, as LSP sends them back. */
export function codeActions(
  uri: string,
  placed: PlacedBlock,
  found: readonly { readonly problem: Problem; readonly diagnostic: Diagnostic }[],
  rename: RenameAt = () => undefined,
): CodeAction[] {
  return found.flatMap(({ problem, diagnostic }) =>
    mendsOf(placed, problem).map(({ title, edits, command, elsewhere }, index) => {
      const changes = edits.map((edit) => textEdit(placed, edit));
      if (elsewhere !== undefined)
        changes.push({ range: { start: elsewhere.at, end: elsewhere.at }, newText: elsewhere.text });
      const [edit] = edits;
      const { data } = problem;
      const isEverywhere = isFixData(data) && data.kind === 'rename' && data.isEverywhere === true;
      const everywhere = isEverywhere && edit !== undefined ? rename(placed, edit.span, edit.text) : undefined;
      return {
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        ...(index === 0 ? { isPreferred: true } : {}),
        ...(command === undefined
          ? { edit: { changes: everywhere ?? { [uri]: changes } } }
          : { command: { title, command, arguments: [uri, diagnostic.range, changes] } }),
      };
    }),
  );
}

const textEdit = (placed: PlacedBlock, { span, text }: Edit): TextEdit => ({
  range: rangeOf(placed, span),
  newText: text,
});

const isFixData = (data: unknown): data is FixData => typeof data === 'object' && data !== null && 'kind' in data;

/** A bare `{{a["b"]}}` in quotes escapes its own. */
function quoteReference({ block }: PlacedBlock, { start, end }: Span): string {
  return JSON.stringify(block.text.slice(start, end));
}

/** A title line before the text; on a line with other text, behind a line break. */
function startRequest({ block }: PlacedBlock, { start }: Span): Mend[] {
  const lineStart = block.text.lastIndexOf('\n', start - 1) + 1;
  const isFirst = block.text.slice(lineStart, start).trim() === '';
  const at = isFirst ? lineStart : start;
  const text = isFirst ? '###\n' : '\n\n###\n';
  return [{ title: 'Start a new request here', edits: [{ span: { start: at, end: at }, text }] }];
}

const STARTS_REQUEST = /^(?:\[|\{(?!\{)|(?:POST|WS|WEBSOCKET|SWQOS)\b)/;

/** Adds a title before text that begins a request, makes other lines comments, and removes the rest of a line. */
function strayMends(placed: PlacedBlock, span: Span): Mend[] {
  const { text } = placed.block;
  const stray = text.slice(span.start, span.end);
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
  if (text.slice(lineStart, span.start).trim() !== '') {
    const start = lineStart + text.slice(lineStart, span.start).trimEnd().length;
    return [{ title: 'Remove it', edits: [{ span: { start, end: span.end }, text: '' }] }];
  }
  const edits: Edit[] = [];
  for (let at = span.start; at < span.end; at = text.indexOf('\n', at) + 1) {
    edits.push({ span: { start: at, end: at }, text: '# ' });
    if (!text.slice(at, span.end).includes('\n')) break;
  }
  const comment = { title: 'Make it a comment', edits };
  return STARTS_REQUEST.test(stray) ? [...startRequest(placed, span), comment] : [comment];
}

/** The operator that is meant by another tool's, where the assertion can be read then. */
function operatorMends({ block }: PlacedBlock, { start, end }: Span): Mend[] {
  const source = block.text.slice(start, end);
  const [head = '', before = '', word = ''] = /^(\?\?\s*\S+\s+)(\S+)/.exec(source) ?? [];
  const operator = insteadOfOperator(word);
  if (operator === undefined) return [];
  const mended = before + operator + source.slice(head.length);
  if (!readCondition(mended, 2, mended.length).ok) return [];
  const span = { start: start + before.length, end: start + head.length };
  return [{ title: `Change to ${operator}`, edits: [{ span, text: operator }] }];
}

/** The ends of a range exchanged, where the assertion can be read then. */
function rangeMends({ block }: PlacedBlock, { start, end }: Span): Mend[] {
  const source = block.text.slice(start, end);
  const [, head = '', low = '', gap = '', high = ''] =
    /^(\?\?.*?\sbetween\s+)(\S+(?:\s+SOL\b)?)(\s+)(\S+(?:\s+SOL\b)?)\s*$/.exec(source) ?? [];
  const mended = head + high + gap + low;
  if (head === '' || !readCondition(mended, 2, mended.length).ok) return [];
  const span = { start: start + head.length, end: start + head.length + low.length + gap.length + high.length };
  return [{ title: 'Exchange the ends', edits: [{ span, text: high + gap + low }] }];
}

function dataMends(placed: PlacedBlock, span: Span, data: FixData): Mend[] {
  switch (data.kind) {
    case 'rename':
      return data.names.map((name) => ({ title: `Change to ${name}`, edits: [{ span: data.span, text: name }] }));
    case 'missing':
      return missingParams(placed, data);
    case 'unnamed':
      return [
        ...data.names.map((name) => ({ title: `Change to ${name}`, edits: [{ span: data.span, text: name }] })),
        ...(data.declare === undefined ? [] : declarations(placed, data.declare)),
      ];
    case 'edits':
      return [...data.choices];
    case 'top':
      return data.choices.map(({ title, text }) => ({ title, edits: [], elsewhere: { at: data.at, text } }));
    case 'call':
      return data.fixes.flatMap((fix) => callMend(placed, span, data, fix) ?? []);
  }
}

/** A variable of the file, or a question before the request is sent. */
function declarations(
  { block }: PlacedBlock,
  { name, at }: NonNullable<Extract<FixData, { kind: 'unnamed' }>['declare']>,
): Mend[] {
  const glue = at.isAlone ? '\n\n' : '\n';
  const declared = {
    title: `Declare the variable ${name}`,
    edits: [],
    elsewhere: { at: at.position, text: `@${name} = ${glue}` },
  };
  const start = (block.requestLine ?? block.body)?.span.start;
  if (start === undefined) return [declared];
  const lineStart = block.text.lastIndexOf('\n', start - 1) + 1;
  const span = { start: lineStart, end: lineStart };
  return [declared, { title: `Ask for ${name} before sending`, edits: [{ span, text: `# @prompt ${name}\n` }] }];
}

type CallData = Extract<FixData, { kind: 'call' }>;

function callMend(placed: PlacedBlock, span: Span, data: CallData, fix: Fix): Mend | undefined {
  switch (fix.kind) {
    case 'replace':
      return { title: `Change to ${shown(fix.value)}`, edits: [{ span, text: printJson(fix.value) }] };
    case 'rename': {
      const key = fix.path === undefined ? span : keyAt(placed, data, fix.path);
      if (key === undefined) return undefined;
      return { title: `Change to ${JSON.stringify(fix.name)}`, edits: [{ span: key, text: JSON.stringify(fix.name) }] };
    }
    case 'remove':
      return removal(placed, fix.path === undefined ? data : { ...data, path: ['params', ...fix.path] }, false);
    case 'cut':
      return removal(placed, data, true);
    case 'set':
      return setting(placed, data, fix.path, fix.members);
    case 'positional':
      return positional(placed, data, fix.names);
    case 'wrap': {
      const text = placed.block.text.slice(span.start, span.end);
      if (fix.member !== undefined)
        return {
          title: `Wrap in ${fix.member}`,
          edits: [{ span, text: `{ ${JSON.stringify(fix.member)}: ${text} }` }],
        };
      return { title: 'Put it in an array', edits: [{ span, text: `[${text}]` }] };
    }
    case 'unwrap':
      return unwrapped(placed, fix.of === 'params' ? { ...data, path: ['params'] } : data);
    case 'swap':
      return swapped(placed, data, fix.with);
  }
}

/** The required parameters that are not there, with a word in place of each value. */
function missingParams(placed: PlacedBlock, data: Extract<FixData, { kind: 'missing' }>): Mend[] {
  const { text: source } = placed.block;
  const call = placeOf(placed, data, [])?.node;
  if (call === undefined) return [];
  const params = propertyOf(call, 'params')?.children?.[1];
  const missing = data.params.slice(params?.children?.length ?? 0).filter((param) => param.required === true);
  const text = missing.map((param) => withoutStops(fieldSnippet(param, 1))).join(', ');
  const title = `Add ${missing.map((param) => param.name).join(' and ')}`;
  if (params === undefined) return [{ title, edits: [appended(source, call, `"params": [${text}]`)] }];
  return params.type === 'array' ? [{ title, edits: [appended(source, params, text)] }] : [];
}

function shown(value: JsonValue): string {
  const text = printJson(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The one element of an array in place of the array. */
function unwrapped(placed: PlacedBlock, data: CallData): Mend | undefined {
  const place = placeOf(placed, data, data.path);
  const [only, ...more] = place?.node.children ?? [];
  if (place?.isWhole !== true || place.node.type !== 'array' || only === undefined || more.length > 0) return undefined;
  return {
    title: 'Take it out of the array',
    edits: [{ span: nodeSpan(place.node), text: textOf(placed, only) }],
  };
}

/** The key of a member; `path` is within params. */
function keyAt({ block }: PlacedBlock, data: CallData, path: readonly (string | number)[]): Span | undefined {
  return block.body === undefined ? undefined : keySpan(block.body, data, ['params', ...path]);
}

/** The value of the problem and another one, each in the other's place. */
function swapped(placed: PlacedBlock, data: CallData, other: CallPath): Mend | undefined {
  const [a, b] = [data.path, ['params', ...other]].map((path) => placeOf(placed, data, path));
  if (a?.isWhole !== true || b?.isWhole !== true) return undefined;
  const edits = [
    { span: nodeSpan(a.node), text: textOf(placed, b.node) },
    { span: nodeSpan(b.node), text: textOf(placed, a.node) },
  ].sort((one, two) => one.span.start - two.span.start);
  return { title: 'Exchange the two', edits };
}

const textOf = ({ block }: PlacedBlock, { offset, length }: Node): string => block.text.slice(offset, offset + length);

/** The place of a part of a call. */
const placeOf = (
  { block: { body } }: PlacedBlock,
  data: { readonly index: number | undefined },
  path: CallPath,
): PartPlace | undefined => (body === undefined ? undefined : partPlace(body, data, path));

/** Takes an element or a member out, with the comma that it makes superfluous; `toEnd`: and all behind it. */
function removal(placed: PlacedBlock, data: CallData, toEnd: boolean): Mend | undefined {
  const place = placeOf(placed, data, data.path);
  if (place?.isWhole !== true) return undefined;
  const node = place.node.parent?.type === 'property' ? place.node.parent : place.node;
  const siblings = node.parent?.children ?? [];
  const span = spanWithout(siblings, siblings.indexOf(node), toEnd);
  return { title: toEnd ? 'Remove what is too much' : 'Remove it', edits: [{ span, text: '' }] };
}

/** Sets members of the config at `path` within params; makes the config, and params, where they are missing. */
function setting(placed: PlacedBlock, data: CallData, path: CallPath, members: JsonObject): Mend | undefined {
  const { block } = placed;
  const call = placeOf(placed, data, [])?.node;
  if (call?.type !== 'object') return undefined;
  const names = Object.entries(members).map(([key, value]) => `${key} to ${shown(value)}`);
  const title = `Set ${names.join(' and ')}`;
  const params = propertyOf(call, 'params')?.children?.[1];
  if (params === undefined)
    return path[0] === 0 && path.length === 1
      ? { title, edits: [memberEdit(block.text, call, { params: [members] })] }
      : undefined;
  const place = placeOf(placed, data, ['params', ...path]);
  if (place === undefined) return undefined;
  if (place.isWhole && place.node.type === 'object')
    return { title, edits: memberEdits(block.text, place.node, members) };
  const isNext = place.node === params && params.type === 'array' && params.children?.length === path[0];
  return isNext && path.length === 1 ? { title, edits: [appended(block.text, params, spaced(members))] } : undefined;
}

/** Members that are there get the value, the others are added behind the last. */
export function memberEdits(text: string, owner: Node, members: JsonObject): Edit[] {
  const fresh: Record<string, JsonValue> = {};
  const edits: Edit[] = [];
  for (const [key, value] of Object.entries(members)) {
    const old = propertyOf(owner, key)?.children?.[1];
    if (old === undefined) fresh[key] = value;
    else edits.push({ span: nodeSpan(old), text: spaced(value) });
  }
  return Object.keys(fresh).length === 0 ? edits : [...edits, memberEdit(text, owner, fresh)];
}

function memberEdit(text: string, owner: Node, members: JsonObject): Edit {
  const added = Object.entries(members)
    .map(([key, value]) => `${JSON.stringify(key)}: ${spaced(value)}`)
    .join(', ');
  return appended(text, owner, added);
}

/** Text behind the last child of a container, or all of an empty one's inside. */
function appended(text: string, owner: Node, added: string): Edit {
  const last = owner.children?.at(-1);
  if (last === undefined) {
    const inner = owner.type === 'object' ? ` ${added} ` : added;
    return { span: { start: owner.offset + 1, end: owner.offset + owner.length - 1 }, text: inner };
  }
  const { end } = nodeSpan(last);
  // On a separate line if the last child is on one.
  const lineStart = text.lastIndexOf('\n', last.offset - 1) + 1;
  const indent = text.slice(lineStart, last.offset);
  const glue = lineStart > owner.offset && indent.trim() === '' ? `,\n${indent}` : ', ';
  return { span: { start: end, end }, text: glue + added };
}

/** JSON on one line as people write it: `{ "a": 1 }`. */
function spaced(value: JsonValue): string {
  return printJson(value, 1).replace(/\n\s*/g, ' ').replace(/\[ /g, '[').replace(/ \]/g, ']');
}

/** Parameters by name as an array: known names in their order, each value as it was written. */
function positional(placed: PlacedBlock, data: CallData, names: readonly string[]): Mend | undefined {
  const place = placeOf(placed, data, ['params']);
  if (place?.isWhole !== true || place.node.type !== 'object') return undefined;
  const values = names.map((name) => propertyOf(place.node, name)?.children?.[1]);
  const last = values.findLastIndex((value) => value !== undefined);
  const texts = values.slice(0, last + 1).map((value) => (value === undefined ? 'null' : textOf(placed, value)));
  return {
    title: 'Write the parameters by position',
    edits: [{ span: nodeSpan(place.node), text: `[${texts.join(', ')}]` }],
  };
}

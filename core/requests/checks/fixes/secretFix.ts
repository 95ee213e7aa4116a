// The parts to remove from a file when its key moves to secret storage: the header, the parameter, the member; a
// variable gets its value from the environment. Places only: the client reads the key itself, and no edit contains it.
import type { Node } from 'jsonc-parser';
import type { Block, Span } from '../../document/model';
import { keysInUrl, type KeyInUrl } from '../../../service/providers/keyPlaces';
import type { Edit } from './mend';

/** The edits that take the key at `span` out of its block. */
export function secretEdits(block: Block, span: Span): readonly Edit[] {
  const isHere = (one: Span): boolean => one.start === span.start && one.end === span.end;
  const header = block.headers.find(({ value }) => isHere(value.span));
  if (header !== undefined) return [{ span: lineOf(block, header.span), text: '' }];
  const variable = block.variables.find(({ value }) => isHere(value.span));
  if (variable !== undefined) {
    const name = variable.name.text.toUpperCase().replaceAll('-', '_');
    return [{ span, text: `{{$processEnv ${name}}}` }];
  }
  const { url, query } = block.requestLine ?? {};
  const inUrl = url === undefined ? undefined : keyAt(url.text, span.start - url.span.start);
  if (inUrl?.kind === 'path') return [{ span, text: '{key}' }];
  if (inUrl?.kind === 'user') return [{ span: { start: span.start, end: span.end + 1 }, text: '' }];
  if ([url, query].some((one) => one !== undefined && one.span.start <= span.start && span.end <= one.span.end))
    return [{ span: parameterOf(block.text, span), text: '' }];
  const property = propertyAt(block.body?.tree(), span);
  return property === undefined ? [] : [{ span: property, text: '' }];
}

const keyAt = (url: string, start: number): KeyInUrl | undefined => keysInUrl(url).find((key) => key.start === start);

/** A whole line with its break. */
function lineOf({ text }: Block, { start, end }: Span): Span {
  const next = text.indexOf('\n', end);
  return { start: text.lastIndexOf('\n', start) + 1, end: next < 0 ? text.length : next + 1 };
}

/** `?NAME=…`, `&NAME=…`, or `NAME=…&` where others follow it. */
function parameterOf(text: string, { start, end }: Span): Span {
  const nameStart = 1 + Math.max(...['?', '&', ' ', '\t'].map((mark) => text.lastIndexOf(mark, start - 1)));
  if (text[end] === '&') return { start: nameStart, end: end + 1 };
  const before = text[nameStart - 1];
  return { start: before === '?' || before === '&' ? nameStart - 1 : nameStart, end };
}

/** The member whose value is at `span`, with its comma. */
function propertyAt(root: Node | undefined, { start }: Span): Span | undefined {
  const pending = root === undefined ? [] : [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'property' && node.children?.[1]?.offset === start) {
      const siblings = node.parent?.children ?? [];
      const index = siblings.indexOf(node);
      const [before, after] = [siblings[index - 1], siblings[index + 1]];
      const end = node.offset + node.length;
      if (before !== undefined) return { start: before.offset + before.length, end };
      return { start: node.offset, end: after?.offset ?? end };
    }
    pending.push(...(node.children ?? []));
  }
  return undefined;
}

// The parts to remove from a file when its key moves to secret storage: the header, the parameter, the member; a
// variable gets its value from the environment. Places only: the client reads the key itself, and no edit contains it.
import type { Node } from 'jsonc-parser';
import { nodesIn, spanWithout } from '../../document/call';
import { wholeLines } from '../../document/lines';
import type { Block, Edit, Span } from '../../document/model';
import { keysInUrl, type KeyInUrl } from '../../../service/providers/keyPlaces';

/** The edits that take the key at `span` out of its block. */
export function secretEdits(block: Block, span: Span): readonly Edit[] {
  const isHere = (one: Span): boolean => one.start === span.start && one.end === span.end;
  const header = block.headers.find(({ value }) => isHere(value.span));
  if (header !== undefined) return [{ span: wholeLines(block.text, header.span), text: '' }];
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

/** `?NAME=…`, `&NAME=…`, or `NAME=…&` where others follow it. */
function parameterOf(text: string, { start, end }: Span): Span {
  const nameStart = 1 + Math.max(...['?', '&', ' ', '\t'].map((mark) => text.lastIndexOf(mark, start - 1)));
  if (text[end] === '&') return { start: nameStart, end: end + 1 };
  const before = text[nameStart - 1];
  return { start: before === '?' || before === '&' ? nameStart - 1 : nameStart, end };
}

/** The member whose value is at `span`, with its comma. */
function propertyAt(root: Node | undefined, { start }: Span): Span | undefined {
  for (const node of nodesIn(root)) {
    const siblings = node.parent?.children ?? [];
    if (node.type === 'property' && node.children?.[1]?.offset === start)
      return spanWithout(siblings, siblings.indexOf(node));
  }
  return undefined;
}

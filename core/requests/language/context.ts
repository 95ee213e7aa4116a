// The context of the cursor: the part of the grammar, and the text being written. Considers one block only.
import { getLocation, type Node } from 'jsonc-parser';
import { blockAt, endOfLine, offsetAt, rangeOf, touches } from '../document/lines';
import type { Block, PlacedBlock, Position, Range, Reference, RequestDocument, Span } from '../document/model';
import type { MethodTable } from '../methods';
import type { MethodRecord } from '../methods/types';
import { isJsonArray, isJsonObject } from '../../solana/json/json';
import { partPlace } from '../document/call';
import { methodOf } from '../../solana/json/calls';

/** A place in a body. `path` is within the call; `index` is the call's place in a batch. */
export interface BodyPlace {
  readonly index: number | undefined;
  readonly path: readonly (string | number)[];
  readonly isKey: boolean;
  /** The token at the cursor, if any. */
  readonly token: Span | undefined;
  readonly record: MethodRecord | undefined;
  /** The request object as far as it parses. */
  readonly call: Node | undefined;
}

/** Everything a feature asks about a position. */
export interface CursorContext {
  /** The methods that are known in the file. */
  readonly methods: MethodTable;
  readonly document: RequestDocument;
  readonly placed: PlacedBlock;
  readonly block: Block;
  readonly offset: number;
  /** The line up to the cursor. */
  readonly before: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

export function cursorAt(document: RequestDocument, position: Position, methods: MethodTable): CursorContext {
  const placed = blockAt(document, position.line);
  const { block } = placed;
  const offset = offsetAt(placed, position);
  // A search from behind that begins before the first unit would look at that unit.
  const lineStart = offset === 0 ? 0 : block.text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = endOfLine(block.text, offset);
  return { methods, document, placed, block, offset, before: block.text.slice(lineStart, offset), lineStart, lineEnd };
}

export const lspRange = (cursor: Pick<CursorContext, 'placed'>, span: Span): Range => rangeOf(cursor.placed, span);

/** The place in the body, if the cursor is in one. */
export function bodyPlace({ methods, block, offset }: CursorContext): BodyPlace | undefined {
  const { body } = block;
  if (body === undefined || offset <= body.span.start || offset > body.span.end) return undefined;
  if (offset === body.span.end && body.valid) return undefined;
  // The text as it is written: behind a trailing comma the next element begins.
  const location = getLocation(block.text.slice(body.span.start, body.span.end), offset - body.span.start);
  const [first, ...rest] = location.path;
  const index = body.isBatch && typeof first === 'number' ? first : undefined;
  const path = body.isBatch ? rest : location.path;
  const node = location.previousNode;
  const start = body.span.start + (node?.offset ?? 0);
  const token = node === undefined ? undefined : { start, end: start + node.length };
  const call = partPlace(body, { index }, [])?.node;
  return {
    index,
    path,
    isKey: location.isAtPropertyKey,
    token: token !== undefined && touches(token, offset) ? token : undefined,
    record: methods.named(methodAt(block, index, call)),
    call,
  };
}

function methodAt(block: Block, index: number | undefined, call: Node | undefined): string {
  const value = block.body?.value();
  const request = isJsonArray(value) ? value[index ?? -1] : value;
  if (isJsonObject(request)) return methodOf(request) ?? '';
  // A body that is being written has no value yet, but a tree.
  const property = call?.children?.findLast((child) => child.children?.[0]?.value === 'method');
  return String(property?.children?.[1]?.value ?? '');
}

/** The reference the cursor is in or at the end of; in an expression the name there. */
export function referenceAt({ block, offset }: CursorContext): Reference | undefined {
  const found = block.references.find(({ span }) => touches(span, offset));
  if (found?.content.kind !== 'computed') return found;
  return block.references.find(({ span, isOperand }) => isOperand === true && touches(span, offset)) ?? found;
}

/** The text between "{{" and the cursor, whether or not the braces are closed behind it. */
export function referencePrefix({ before }: CursorContext): string | undefined {
  const open = before.lastIndexOf('{{');
  if (open < 0 || before[open - 1] === '\\' || before.indexOf('}}', open) >= 0) return undefined;
  return before.slice(open + 2);
}

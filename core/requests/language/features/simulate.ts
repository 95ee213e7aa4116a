// A sendTransaction request as the simulation of the same transaction: the text of the file with that one block changed
// in place, so that every line stays where it is. What belongs to the sending alone (checks, repeats, notes) is left out.
import { placeAt } from '../../document/lines';
import type { Block, Edit, RequestDocument, Span } from '../../document/model';
import { partPlace, nodeSpan } from '../../document/call';
import { methodOf } from '../../../solana/json/calls';

/** Directives that say something about the request as it is sent. */
const LEFT_OUT = new Set(['name', 'retry', 'note', 'until', 'disabled', 'key']);

export const isSendTransaction = ({ body, requestLine }: Block): boolean => {
  const value = body?.value();
  return requestLine?.transport !== 'GRPC' && value !== undefined && methodOf(value) === 'sendTransaction';
};

/** Undefined if the block at this line sends no transaction. */
export function simulationOf(document: RequestDocument, line: number): string | undefined {
  const { placed } = placeAt(document, line);
  const { block } = placed;
  const { body } = block;
  if (body === undefined || !isSendTransaction(block)) return undefined;
  const call = { index: undefined };
  const method = partPlace(body, call, ['method'])?.node;
  const transaction = partPlace(body, call, ['params', 0]);
  if (method === undefined || transaction?.isWhole !== true) return undefined;
  const edits: Edit[] = [{ span: nodeSpan(method), text: '"simulateTransaction"' }];
  const config = partPlace(body, call, ['params', 1]);
  if (config?.isWhole !== true) edits.push({ span: after(nodeSpan(transaction.node)), text: `, ${options('', '')}` });
  else if (config.node.type === 'object') {
    const member = (name: string): string => {
      const found = partPlace(body, call, ['params', 1, name]);
      if (found?.isWhole !== true) return '';
      const { start, end } = nodeSpan(found.node);
      return block.text.slice(start, end);
    };
    edits.push({ span: nodeSpan(config.node), text: options(member('encoding'), member('preflightCommitment')) });
  }
  const { requestLine } = block;
  if (requestLine !== undefined)
    edits.push({
      span: requestLine.span,
      text: requestLine.url === undefined ? 'POST' : `POST ${requestLine.url.text}`,
    });
  for (const { name, span } of block.directives) if (LEFT_OUT.has(name.text)) edits.push({ span, text: '' });
  for (const { span } of [...block.assertions, ...block.redirects]) edits.push({ span, text: '' });
  const lines = [...document.lines];
  lines.splice(placed.line, block.lineStarts.length, ...edited(block.text, edits).split('\n'));
  return lines.join('\n');
}

const after = ({ end }: Span): Span => ({ start: end, end });

/** `encoding` and `commitment` as written in the file; empty if absent. */
function options(encoding: string, commitment: string): string {
  const members = [
    ...(encoding === '' ? [] : [`"encoding": ${encoding}`]),
    '"sigVerify": false',
    '"innerInstructions": true',
    ...(commitment === '' ? [] : [`"commitment": ${commitment}`]),
  ];
  return `{ ${members.join(', ')} }`;
}

/** Keeps the number of lines: a replaced range keeps its line ends. */
function edited(text: string, edits: readonly Edit[]): string {
  let out = text;
  for (const { span, text: put } of [...edits].sort((a, b) => b.span.start - a.span.start)) {
    const ends = '\n'.repeat(text.slice(span.start, span.end).split('\n').length - 1);
    out = out.slice(0, span.start) + put + ends + out.slice(span.end);
  }
  return out;
}

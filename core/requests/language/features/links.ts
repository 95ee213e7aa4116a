// Links: files that a request file names, and the documentation of methods. Opens nothing.
import type { DocumentLink } from 'vscode-languageserver-types';
import { rangeOf } from '../../document/lines';
import type { Block, PlacedBlock, RequestDocument, Token } from '../../document/model';
import type { MethodTable } from '../../methods';
import { docsUrl } from '../../methods/describe';
import { partPlace, nodeSpan } from '../../document/call';
import { callsIn, methodOf } from '../../../solana/json/calls';

/** The URI of `path`, named in the file `from`; undefined if it is not a valid path. */
export type ResolveUri = (path: string, from: string) => string | undefined;

export function linksOf(document: RequestDocument, resolve: ResolveUri, methods: MethodTable): DocumentLink[] {
  return document.blocks.flatMap((placed) => [
    ...filesIn(placed.block).flatMap((token): DocumentLink[] => {
      const target = token.text.includes('{{') ? undefined : resolve(token.text, document.uri);
      return target === undefined ? [] : [{ range: rangeOf(placed, token.span), target }];
    }),
    ...methodLinks(placed, methods),
  ]);
}

function filesIn({ assertions, directives, references, redirects }: Block): Token[] {
  return [
    ...directives.filter(({ name, value }) => name.text === 'import' && value.text !== '').map(({ value }) => value),
    ...references.flatMap(({ content }) => (content.kind === 'helper' && content.name === '$file' ? content.args : [])),
    ...assertions.flatMap(({ value }) => (value?.kind === 'file' ? [{ text: value.path, span: value.span }] : [])),
    ...redirects.map(({ file }) => file),
  ];
}

function methodLinks(placed: PlacedBlock, methods: MethodTable): DocumentLink[] {
  const { body, requestLine } = placed.block;
  const value = body?.value();
  if (body === undefined || value === undefined || requestLine?.transport === 'GRPC') return [];
  return callsIn(value).flatMap((call) => {
    const record = methods.named(methodOf(call.request) ?? '');
    const target = record === undefined ? undefined : docsUrl(record);
    const node = target === undefined ? undefined : partPlace(body, call, ['method'])?.node;
    if (target === undefined || node === undefined) return [];
    const { start, end } = nodeSpan(node);
    return [{ range: rangeOf(placed, { start: start + 1, end: end - 1 }), target, tooltip: 'Solana documentation' }];
  });
}

// The request line: `POST [url]`, `WS [url]`, `SWQOS [url]`, `GRPC [url/]package.Service/Method`.
import type { RequestLine, Span, Token, Transport } from './model';
import { findReferences } from './variables/reference';

export interface KeywordShape {
  readonly transport: Transport;
  readonly usage: string;
  readonly doc: string;
}

/** The keywords, as data; completion and hover use the same sentences. */
export const KEYWORDS: Readonly<Record<string, KeywordShape>> = {
  POST: { transport: 'POST', usage: 'POST', doc: 'JSON-RPC over HTTPS. Left out, the method decides.' },
  WS: { transport: 'WS', usage: 'WS', doc: 'WebSocket: subscriptions.' },
  WEBSOCKET: { transport: 'WS', usage: 'WEBSOCKET', doc: 'The same as WS.' },
  SWQOS: {
    transport: 'SWQOS',
    usage: 'SWQOS',
    doc: 'Priority landing: sendTransaction through staked validators, with the SWQoS key.',
  },
  GRPC: {
    transport: 'GRPC',
    usage: 'GRPC geyser.Geyser/Subscribe',
    doc: 'Yellowstone gRPC; the body is the request message as proto3 JSON.',
  },
};

export interface RequestLineReading {
  readonly line?: RequestLine;
  /** Text that is not allowed on the line, and the reason if there is more to say. */
  readonly stray?: Span;
  readonly reason?: string;
}

const GRPC_PATH = /^(?:(.*)\/)?([A-Za-z_]\w*(?:\.\w+)+)\/([A-Za-z_]\w*)(?:\?(.*))?$/;

/** Reads a line that begins with one of the keywords. */
export function readRequestLine({ text, span }: Token): RequestLineReading {
  const word = /^[A-Z]+/.exec(text)?.[0] ?? '';
  const shape = Object.hasOwn(KEYWORDS, word) ? KEYWORDS[word] : undefined;
  if (shape === undefined) return { stray: span };
  const keyword: Token = { text: word, span: { start: span.start, end: span.start + word.length } };
  const from = word.length + (/^\s*/.exec(text.slice(word.length))?.[0].length ?? 0);
  const length = wordLength(text, from);
  const target = tokenAt(text, span.start, from, from + length);
  const after = text.slice(from + length).trimStart();
  const stray: { stray?: Span } = after === '' ? {} : { stray: { start: span.end - after.length, end: span.end } };
  if (shape.transport === 'GRPC') return { ...stray, ...grpcLine(keyword, target, span) };
  const line = { transport: shape.transport, keyword, span, ...(target.text === '' ? {} : { url: target }) };
  return { line, ...stray };
}

function grpcLine(keyword: Token, target: Token, span: Span): RequestLineReading {
  const match = GRPC_PATH.exec(target.text);
  if (match === null) {
    const reason = 'GRPC needs a path, such as geyser.Geyser/Subscribe.';
    return { line: { transport: 'GRPC', keyword, span }, stray: span, reason };
  }
  const [, url, service = '', method = '', query] = match;
  const serviceStart = target.span.start + (url === undefined ? 0 : url.length + 1);
  const methodStart = serviceStart + service.length + 1;
  const place = (text: string, start: number): Token => ({ text, span: { start, end: start + text.length } });
  return {
    line: {
      transport: 'GRPC',
      keyword,
      span,
      ...(url === undefined || url === '' ? {} : { url: place(url, target.span.start) }),
      service: place(service, serviceStart),
      method: place(method, methodStart),
      ...(query === undefined ? {} : { query: place(query, methodStart + method.length + 1) }),
    },
  };
}

/** A word runs to the next white space that is not inside `{{…}}`. */
function wordLength(text: string, from: number): number {
  let at = from;
  for (const { start, end } of [...findReferences(text, 0), { start: text.length, end: text.length }]) {
    while (at < start && !/\s/.test(text.charAt(at))) at++;
    if (at < start) break;
    at = Math.max(at, end);
  }
  return at - from;
}

function tokenAt(text: string, base: number, from: number, to: number): Token {
  return { text: text.slice(from, to), span: { start: base + from, end: base + to } };
}

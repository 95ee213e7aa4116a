// A `.http` file of REST Client, httpYac or JetBrains' HTTP Client as a `.jsonrpc` text: requests with JSON-RPC bodies, their
// variables, names, assertions and captures. What cannot be carried over is said, line by line. Keys are left out. Pure.
import { withoutComments } from '../curl/comments';
import { looksLikeKey, namesKey } from '../keyNames';
import { keysInUrl } from '../providers/keyPlaces';
import { isJsonArray, jsonOf, member, type JsonValue } from '../values/json/json';
import { assertionOf, scriptLine, translated } from './phrases';
import { isPublicKey, isSignature } from '../values/solana/keys';
import { readHttp, type HttpBlock } from './read';

/** What was left out or has to be looked at; `line` is one of the given file, from one. */
export interface ConvertNote {
  readonly line: number;
  readonly message: string;
}

export interface Converted {
  /** Holds no key that was written out; empty where nothing could be carried over. */
  readonly text: string;
  /** How many requests it has. */
  readonly requests: number;
  /** In the order of the lines. */
  readonly notes: readonly ConvertNote[];
}

/** A longer text is none that somebody wrote. UTF-16 units. */
export const MAX_HTTP = 5_000_000;

/** What is filled in by whoever sends, and says nothing about the request. */
const OWN_HEADERS = /^(?:content-type|content-length|accept|accept-encoding|host|user-agent|connection)$/i;
/** Addresses and signatures look like keys, too. */
const isKeyText = (text: string): boolean => looksLikeKey(text) && !isPublicKey(text) && !isSignature(text);
const TRANSPORTS: Readonly<Record<string, string>> = {
  POST: 'POST',
  WEBSOCKET: 'WS',
  WS: 'WS',
  WSS: 'WS',
  GRPC: 'GRPC',
};
/** Directives that mean the same here. */
const SAME = /^(?:name\s+\S+|note\b.*|prompt\s+\S.*|disabled|tag\b.*)$/;

class Conversion {
  readonly notes: ConvertNote[] = [];
  readonly #defined = new Set<string>();
  readonly #used = new Map<string, number>();
  /** Variables whose value is a key: they are left out. */
  readonly #keys = new Set<string>();

  note(line: number, message: string): void {
    this.notes.push({ line, message });
  }

  define(name: string): void {
    this.#defined.add(name);
  }

  variable(name: string, value: string, line: number): string | undefined {
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) {
      this.note(line, `A variable cannot be named ${name} here: letters, digits, "_" and "-".`);
      return undefined;
    }
    if (!value.includes('{{') && (namesKey(name, 'variable') || isKeyText(value))) {
      this.#keys.add(name);
      this.note(line, `The variable ${name} looks like a key and was left out: add it with Add Key, for its endpoint.`);
      return undefined;
    }
    this.define(name);
    return `@${name} = ${this.references(value, line)}`;
  }

  /** `{{…}}` in the words of this language. */
  references(text: string, line: number): string {
    return text.replace(/\{\{([^{}]*)\}\}/g, (all, inner: string) => {
      const { text: written, reason } = translated(inner.trim());
      if (reason !== undefined) this.note(line, `${all}: ${reason}`);
      const name = /^[A-Za-z_][A-Za-z0-9_-]*/.exec(written)?.[0];
      if (name !== undefined && !this.#used.has(name)) this.#used.set(name, line);
      return `{{${written}}}`;
    });
  }

  isKey(reference: string): boolean {
    const name = /^\{\{\s*([\w-]+)\s*\}\}$/.exec(reference)?.[1];
    return name !== undefined && this.#keys.has(name);
  }

  missing(): void {
    for (const [name, line] of this.#used)
      if (!this.#defined.has(name) && !this.#keys.has(name))
        this.note(line, `{{${name}}} has no value in the file: define it, or choose an environment that does.`);
  }
}

export function convertHttp(text: string): Converted {
  const conversion = new Conversion();
  if (text.length > MAX_HTTP) return { text: '', requests: 0, notes: [{ line: 1, message: 'The file is too long.' }] };
  const blocks = readHttp(text);
  // Names of answers may be used above the request.
  for (const { directives } of blocks)
    for (const { text: directive } of directives) conversion.define(/^name\s+(\S+)/.exec(directive)?.[1] ?? '');
  const preamble: string[] = [];
  const requests: string[] = [];
  for (const block of blocks) {
    // A variable of any block is one of the file elsewhere.
    for (const { name, value, number } of block.variables) {
      const line = conversion.variable(name, value, number);
      if (line !== undefined) preamble.push(line);
    }
    const request = convertBlock(block, conversion);
    if (request !== undefined) requests.push(request);
  }
  conversion.missing();
  const notes = [...conversion.notes].sort((a, b) => a.line - b.line);
  if (requests.length === 0) return { text: '', requests: 0, notes };
  const head = preamble.length === 0 ? [] : [`${preamble.join('\n')}\n`];
  return { text: [...head, ...requests].join('\n'), requests: requests.length, notes };
}

function convertBlock(block: HttpBlock, conversion: Conversion): string | undefined {
  const { request, title } = block;
  if (request === undefined) return undefined;
  const transport = TRANSPORTS[request.method];
  if (transport === undefined) {
    conversion.note(request.number, `A ${request.method} request is no JSON-RPC call and was left out.`);
    return undefined;
  }
  const body = bodyOf(block, conversion);
  if (body === undefined && transport !== 'GRPC') return undefined;
  const lines = [`### ${title === '' ? nameIn(body) : title}`.trimEnd()];
  for (const { text } of block.comments) lines.push(`# ${text}`.trimEnd());
  for (const { text, number } of block.directives) {
    if (SAME.test(text)) lines.push(`# @${text}`);
    else if (/^(?:ref|forceRef)\s/.test(text)) continue;
    else if (/^timeout\s+\d+$/.test(text)) lines.push(`# @${text}s`);
    else conversion.note(number, `@${text.slice(0, 60)} has no meaning here and was left out.`);
  }
  const trailer = trailerOf(block, conversion);
  lines.push(...trailer.directives, `${transport} ${urlOf(block, conversion)}`.trimEnd());
  for (const { name, value, number } of block.headers) {
    if (namesKey(name, 'header')) {
      conversion.note(
        number,
        `The header ${name} carries a key and was left out: add the key with Add Key, for its endpoint.`,
      );
    } else if (!OWN_HEADERS.test(name)) lines.push(`${name}: ${conversion.references(value, number)}`);
  }
  lines.push('', ...(body === undefined ? [] : [body.text]), ...trailer.assertions, '');
  return lines.join('\n');
}

interface Body {
  readonly text: string;
  readonly value: JsonValue;
}

/** The JSON-RPC body with `{{…}}` in quotes; undefined, with a note, where there is none. */
function bodyOf(block: HttpBlock, conversion: Conversion): Body | undefined {
  const line = block.body[0]?.number ?? block.request?.number ?? block.number;
  const written = block.body
    .map(({ text, number }) => conversion.references(text, number))
    .join('\n')
    .trimEnd();
  const isGrpc = block.request?.method === 'GRPC';
  if (written === '') {
    const isFile = block.others.some(({ text }) => /^<@?\s/.test(text));
    const why = isFile ? 'Its body is in another file' : 'It has no body';
    if (!isGrpc) conversion.note(line, `${why}, and a JSON-RPC request is one: it was left out.`);
    return undefined;
  }
  const text = quotedReferences(written);
  const value = jsonOf(withoutComments(text));
  const calls = isJsonArray(value) ? value : [value];
  if (value !== undefined && (isGrpc || calls.every((call) => typeof member(call, 'method') === 'string')))
    return { text, value };
  const why = value === undefined ? 'Its body is no JSON' : 'Its body is JSON without a "method"';
  conversion.note(line, `${why}, so that it is no JSON-RPC request: it was left out.`);
  return undefined;
}

/** A `{{x}}` outside of strings in quotes: it keeps the type of its value. */
const quotedReferences = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\[^][^"\\]*)*"?|\{\{[^{}]*\}\}/g, (part) =>
    part.startsWith('{{') ? `"${part.replaceAll('"', '\\"')}"` : part,
  );

const nameIn = (body: Body | undefined): string => {
  if (body === undefined) return '';
  if (isJsonArray(body.value)) return 'batch';
  const method = member(body.value, 'method');
  return typeof method === 'string' && !method.includes('{{') ? method : '';
};

/** The URL with the place of a key where one was. */
function urlOf({ request }: HttpBlock, conversion: Conversion): string {
  if (request === undefined) return '';
  const pieces: string[] = [];
  let copied = 0;
  // References have braces and blanks, which no URL has.
  for (const key of keysInUrl(request.url, isKeyText)) {
    const isReference = /^\{\{[^{}]*\}\}$/.test(key.text);
    if (isReference && !conversion.isKey(key.text)) continue;
    if (!isReference)
      conversion.note(request.number, 'The key in the URL was left out: add it with Add Key, for its endpoint.');
    pieces.push(request.url.slice(copied, key.start), key.kind === 'user' ? '' : '{key}');
    copied = key.kind === 'user' ? key.end + 1 : key.end;
  }
  const url = pieces.join('') + request.url.slice(copied);
  return conversion.references(
    url.replace(/\{\{[^{}]*\}\}/g, (reference) => (conversion.isKey(reference) ? '{key}' : reference)),
    request.number,
  );
}

/** What follows the body, and captures out of scripts. */
function trailerOf(
  block: HttpBlock,
  conversion: Conversion,
): { readonly directives: readonly string[]; readonly assertions: readonly string[] } {
  const directives: string[] = [];
  const assertions: string[] = [];
  for (const { text, number } of block.assertions) {
    const assertion = assertionOf(text);
    if (assertion === undefined)
      conversion.note(number, `?? ${text.slice(0, 80)} cannot be said here and was left out.`);
    else assertions.push(`?? ${conversion.references(assertion, number)}`);
  }
  for (const { text, number } of block.scripts) {
    const meant = scriptLine(text);
    if (meant.kind === 'nothing') continue;
    if (meant.kind === 'capture') {
      conversion.define(meant.name);
      directives.push(`# @capture ${meant.name} = ${meant.path}`);
    } else if (meant.kind === 'assertion') assertions.push(`?? ${meant.text}`);
    else conversion.note(number, 'Nothing in a request file is a program: this line of a script was left out.');
  }
  for (const { text, number } of block.others) {
    const saved = /^>>(!?)\s*(\S.*)$/.exec(text);
    if (saved !== null) assertions.push(`>>${saved[1] ?? ''} ${saved[2] ?? ''}`);
    else if (!text.startsWith('<>') && !/^<@?\s/.test(text))
      conversion.note(number, `"${text.slice(0, 60)}" names a script, and nothing here is a program: it was left out.`);
  }
  return { directives, assertions };
}

// A `.http` file of REST Client, httpYac or JetBrains' HTTP Client as a `.jsonrpc` text: requests with JSON-RPC bodies, their
// variables, names, assertions and captures. What cannot be carried over is said, line by line. Keys are left out. Pure.
import { isSentAnyway } from '../curl/read';
import { insteadOfDirective, insteadOfLine } from '../document/foreign';
import { NAME_PATTERN, readReference } from '../document/variables/reference';
import { looksLikeKey, namesKey } from '../../service/keys/keyNames';
import { keysInUrl } from '../../service/providers/keyPlaces';
import { isJsonArray, member, type JsonValue } from '../../solana/json/json';
import { isPublicKey, isSignature } from '../../solana/chain/keys';
import { convertHttpCommand } from './commands';
import type { HttpBlock, HttpBody, HttpLine } from './lines';
import { assertionOf, scriptLine, translated } from './phrases';
import { readHttp } from './read';

/** Something that was left out or needs a check. `line`: one-based, of the given file. */
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

/** Longer texts are refused: nobody writes such a file. UTF-16 units. */
export const MAX_HTTP = 5_000_000;

/** Headers that are filled in when a request is sent, and say nothing about it. */
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
const SAME = /^(?:note\b.*|prompt\s+\S.*|disabled|tag\b.*)$/;

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
    if (!NAME_PATTERN.test(name)) {
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
      const content = readReference(written, 0);
      const why = reason ?? (content.kind === 'invalid' ? content.reason : undefined);
      if (why !== undefined) this.note(line, `${all.slice(0, 80)}: ${why}`);
      const name =
        content.kind === 'variable' ? content.name : content.kind === 'response' ? content.request : undefined;
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
    for (const { text: directive } of directives) conversion.define(/^name[\s=]+(\S+)/.exec(directive)?.[1] ?? '');
  const preamble: HttpLine[] = [];
  const requests: string[] = [];
  let count = 0;
  for (const [index, block] of blocks.entries()) {
    // A variable of any block is one of the file elsewhere.
    for (const { name, value, number } of block.variables) {
      const line = conversion.variable(name, value, number);
      if (line !== undefined) preamble.push({ text: line, number });
    }
    const converted = convertBlock(block, conversion);
    requests.push(...converted);
    count += converted.length;
    if (hasRequest(block)) continue;
    const comments = [...block.comments, ...block.after].map(({ text: comment, number }) => ({
      text: commented(comment),
      number,
    }));
    if (index === 0) preamble.push(...comments);
    else if (block.title !== '' || comments.length > 0)
      requests.push([`### ${block.title}`.trimEnd(), ...comments.map(({ text: comment }) => comment), ''].join('\n'));
  }
  conversion.missing();
  const notes = [...conversion.notes].sort((a, b) => a.line - b.line);
  if (count === 0) return { text: '', requests: 0, notes };
  const lines = preamble.sort((a, b) => a.number - b.number).map(({ text: line }) => line);
  const head = lines.length === 0 ? [] : [`${lines.join('\n')}\n`];
  return { text: [...head, ...requests].join('\n'), requests: count, notes };
}

/** A comment as this language writes it. */
const commented = (text: string): string => `# ${text}`.trimEnd();

const hasRequest = ({ request, commands }: HttpBlock): boolean => request !== undefined || commands.length > 0;

/** The requests of a block: mostly one. */
function convertBlock(block: HttpBlock, conversion: Conversion): readonly string[] {
  for (const { text, number } of block.strays)
    conversion.note(number, `${insteadOfLine(text.trim()) ?? 'This line is not part of a request.'} It was left out.`);
  const calls = [...callsOf(block, conversion)];
  const isKept = calls.length > 0 || !hasRequest(block);
  // One note is enough for a request that was left out.
  if (!isKept) return [];
  const trailer = trailerOf(block, conversion);
  const [first, ...more] = calls;
  if (first === undefined) {
    for (const { text, number } of block.directives)
      conversion.note(number, `@${text.slice(0, 60)} belongs to a request, and this block has none: it was left out.`);
    return [];
  }
  const text = calls.flatMap(({ lines }) => lines).join('\n');
  const title = (call: Call): string => `### ${block.title === '' ? call.name : block.title}`.trimEnd();
  const head = [
    ...block.comments.map(({ text: comment }) => commented(comment)),
    ...directivesOf(block, text, conversion),
    ...trailer.directives,
  ];
  const tail = [...block.after.map(({ text: comment }) => commented(comment)), ...trailer.assertions];
  return [
    [title(first), ...head, ...first.lines, ...tail, ''].join('\n'),
    ...more.map((call) => [title(call), ...call.lines, ''].join('\n')),
  ];
}

/** One request, from its request line on. */
interface Call {
  /** For a block without a title. */
  readonly name: string;
  readonly lines: readonly string[];
}

function* callsOf(block: HttpBlock, conversion: Conversion): Generator<Call> {
  for (const command of block.commands) {
    const converted = convertHttpCommand(command);
    if (converted.kind === 'refused') conversion.note(command.number, converted.reason);
    else {
      for (const note of converted.notes) conversion.note(command.number, note);
      yield {
        name: converted.method,
        lines: converted.lines.map((line) => conversion.references(line, command.number)),
      };
    }
  }
  const { request } = block;
  if (request === undefined) return;
  const transport = TRANSPORTS[request.method];
  if (transport === undefined) {
    conversion.note(request.number, `A ${request.method} request is not a JSON-RPC call and was left out.`);
    return;
  }
  for (const { number } of block.separators)
    conversion.note(number, 'A block sends one message: each of these became a request with a separate connection.');
  const bodies = block.bodies.flatMap((body) => bodyOf(body, block, conversion) ?? []);
  if (bodies.length === 0) return;
  const head = [`${transport} ${urlOf(block, conversion)}`.trimEnd(), ...headersOf(block, conversion), ''];
  for (const body of bodies) yield { name: body.name, lines: [...head, ...body.lines] };
}

function headersOf({ headers }: HttpBlock, conversion: Conversion): readonly string[] {
  return headers.flatMap(({ name, value, number }) => {
    if (namesKey(name, 'header')) {
      conversion.note(
        number,
        `The header ${name} carries a key and was left out: add the key with Add Key, for its endpoint.`,
      );
      return [];
    }
    if (!OWN_HEADERS.test(name)) return [`${name}: ${conversion.references(value, number)}`];
    if (!isSentAnyway(name, value))
      conversion.note(number, `The header ${name} has a fixed value here, and this one was left out.`);
    return [];
  });
}

function directivesOf({ directives }: HttpBlock, request: string, conversion: Conversion): readonly string[] {
  return directives.flatMap(({ text, number }) => {
    const [, name, wait, unit = 's', waited] =
      /^(?:name[\s=]+([^\s=]+)|timeout\s+(\d+) ?(ms|s|m)?|(?:ref|forceRef)\s+(\S+))$/.exec(text) ?? [];
    if (name !== undefined) return [`# @name ${name}`];
    if (SAME.test(text)) return [`# @${text}`];
    if (wait !== undefined) return [`# @timeout ${wait}${unit}`];
    // A reference makes the other request run first.
    if (waited !== undefined && request.includes(`{{${waited}`)) return [];
    const instead = insteadOfDirective(/^[\w-]+/.exec(text)?.[0] ?? '');
    conversion.note(
      number,
      `@${text.slice(0, 60)} has no meaning here and was left out.${instead === undefined ? '' : ` ${instead}`}`,
    );
    return [];
  });
}

interface CallBody {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The JSON-RPC body with `{{…}}` in quotes; undefined, with a note, if the block has no such body. */
function bodyOf({ content }: HttpBody, block: HttpBlock, conversion: Conversion): CallBody | undefined {
  const { request, others } = block;
  const line = request?.number ?? block.number;
  const isGrpc = request?.method === 'GRPC';
  const file = others.find(({ text, isBeforeRequest }) => !isBeforeRequest && /^<(?!>)/.test(text));
  if (file !== undefined) {
    conversion.note(line, `Its body is in another file, and a JSON-RPC request is one: it was left out.`);
    return undefined;
  }
  if (content.kind === 'empty') {
    if (isGrpc && block.bodies.length === 1) return { name: '', lines: [] };
    conversion.note(line, 'It has no body, and a JSON-RPC request is one: it was left out.');
    return undefined;
  }
  if (content.kind === 'other') {
    conversion.note(content.number, `${content.reason}: the request was left out.`);
    return undefined;
  }
  const value = content.body.value();
  const calls = isJsonArray(value) ? value : [value];
  if (!isGrpc && !calls.every((call) => typeof member(call, 'method') === 'string')) {
    const number = content.lines[0]?.number ?? line;
    conversion.note(number, 'Its body is JSON without a "method", so it is not a JSON-RPC request: it was left out.');
    return undefined;
  }
  return { name: nameIn(value), lines: [withReferences(content, conversion)] };
}

/** The text of a body; a `{{x}}` outside of strings gets quotes, which keep the type of its value. */
function withReferences(
  { text, body, bare, lines }: Extract<HttpBody['content'], { kind: 'json' }>,
  conversion: Conversion,
): string {
  const unquoted = new Set(bare.map(({ start }) => start));
  let offset = 0;
  return text
    .split('\n')
    .map((line, index) => {
      const start = offset;
      offset += line.length + 1;
      return line.replace(/\{\{[^{}]*\}\}/g, (reference, at: number) => {
        // In a comment it is text.
        if (!body.text.startsWith('{{', start + at - body.span.start)) return reference;
        const written = conversion.references(reference, lines[index]?.number ?? 0);
        return unquoted.has(start + at) ? `"${written.replaceAll('"', '\\"')}"` : written;
      });
    })
    .join('\n');
}

function nameIn(value: JsonValue | undefined): string {
  if (isJsonArray(value)) return 'batch';
  const method = member(value, 'method');
  return typeof method === 'string' && !method.includes('{{') ? method : '';
}

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

/** The lines after the body, and the captures that scripts make. */
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
    if (meant.comment !== undefined) assertions.push(commented(meant.comment));
    if (meant.kind === 'comment') continue;
    if (meant.kind === 'capture') {
      conversion.define(meant.name);
      directives.push(`# @capture ${meant.name} = ${meant.path}`);
    } else if (meant.kind === 'assertion') assertions.push(`?? ${meant.text}`);
    else conversion.note(number, 'Nothing in a request file is a program: this line of a script was left out.');
  }
  for (const { text, number, isBeforeRequest } of block.others) {
    const saved = /^>>(!?)\s*(\S.*)$/.exec(text);
    if (saved !== null) assertions.push(`>>${saved[1] ?? ''} ${conversion.references(saved[2] ?? '', number)}`);
    else if (text.startsWith('<>'))
      conversion.note(
        number,
        `"${text.slice(0, 60)}" names an earlier response, and none is kept here: it was left out.`,
      );
    else if (isBeforeRequest || text.startsWith('>'))
      conversion.note(number, `"${text.slice(0, 60)}" names a script, and nothing here is a program: it was left out.`);
  }
  return { directives, assertions };
}

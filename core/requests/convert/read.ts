// Splits a `.http` file of REST Client, httpYac or JetBrains' HTTP Client into its requests: lines with their kind. Each line
// gets a place in its block. Reads shapes; decides nothing about what can be carried over. Pure.
import { Budget } from '../../solana/common/budget';
import { MAX_CURL } from '../curl/read';
import { beginsCommand, isWholeCommand } from '../curl/shells';
import { withoutMark, withPlainEnds } from '../../solana/common/textFile';
import { readHttpBody } from './body';
import { commentIn, directiveIn, variableIn, type Draft, type HttpBlock, type HttpLine } from './lines';
import { beginsOtherCommand } from './commands';

const METHODS =
  'GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT|LIST|QUERY|GRAPHQL|GRPC|WEBSOCKET|WS|WSS|SSE|EVENTSOURCE|MQTT|AMQP|RSOCKET';
const REQUEST = new RegExp(String.raw`^(${METHODS})(?:\s+(\S.*))?$`, 'i');
const VERSION = /\sHTTP\/\d(?:\.\d)?(?: \(prior knowledge\))?$/i;
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_|~-]+)\s*:\s*(?!\s)(.*)$/;
/** The next part of the URL; a path only where it is indented. */
const CONTINUED = /^(?:\s*[?&]|\s+\/(?!\/))\S/;
const OPENED = [
  [/^[<>]\s*\{%/, /%\}/],
  [/^\{\{[@+]?(?:request|response|streaming|after|responseLogging)?\s*$/, /^\}\}/],
] as const;
/** `>> file`, `<> file`, `> script`, `< file` and `<@latin1 file`. */
const OTHER = /^(?:>>|<>|>\s|<(?:@\w*)?\s)/;
/** Requests with more messages than one. */
const SEPARATED = /^(?:WEBSOCKET|WSS?|GRPC)$/;

type Stage = 'head' | 'headers' | 'body' | 'after';

const empty = (title: string, number: number): Draft => ({
  title,
  number,
  directives: [],
  comments: [],
  variables: [],
  headers: [],
  bodies: [],
  separators: [],
  commands: [],
  after: [],
  assertions: [],
  scripts: [],
  others: [],
  strays: [],
});

/** The blocks of a file, in order; what is in front of the first `###` is a block, too. */
export function readHttp(text: string): readonly HttpBlock[] {
  const reader = new Reader();
  for (const [index, line] of withPlainEnds(withoutMark(text)).split('\n').entries())
    reader.read({ text: line, number: index + 1 });
  return reader.end();
}

class Reader {
  readonly #blocks: HttpBlock[] = [];
  #block = empty('', 1);
  #stage: Stage = 'head';
  #body: HttpLine[] = [];
  /** The end of the script that is open. */
  #closing: RegExp | undefined;
  /** The lines of a command that is not over. */
  #command: HttpLine[] = [];
  #length = 0;
  /** Text in which the ends of commands are searched. UTF-16 units. */
  readonly #work = new Budget(2 * MAX_CURL);

  read(line: HttpLine): void {
    if (line.text.startsWith('###')) {
      this.#finish();
      this.#block = empty(line.text.replace(/^#+/, '').trim(), line.number);
    } else if (this.#closing !== undefined) this.#readScript(line.text, line.number, this.#closing);
    else if (this.#command.length > 0) this.#readCommand(line);
    else this.#readLine(line);
  }

  end(): readonly HttpBlock[] {
    this.#finish();
    return this.#blocks;
  }

  #finish(): void {
    this.#endCommand();
    const block = this.#block;
    for (const lines of this.#messages()) {
      const body = readHttpBody(lines);
      block.bodies.push(body);
      block.comments.push(...body.before);
      this.#stage = 'after';
      for (const line of body.behind) this.#readAfter(line);
    }
    this.#blocks.push(block);
    this.#stage = 'head';
    this.#body = [];
    this.#closing = undefined;
  }

  /** The body, cut at `===` where several messages may be sent. */
  #messages(): readonly (readonly HttpLine[])[] {
    const messages: HttpLine[][] = [[]];
    const isSeparated = SEPARATED.test(this.#block.request?.method ?? '');
    for (const line of this.#body) {
      if (isSeparated && /^===/.test(line.text)) {
        this.#block.separators.push(line);
        messages.push([]);
      } else messages.at(-1)?.push(line);
    }
    return messages;
  }

  #readScript(text: string, number: number, closing: RegExp): void {
    const end = text.search(closing);
    const inside = end < 0 ? text : text.slice(0, end);
    if (inside.trim() !== '') this.#block.scripts.push({ text: inside.trim(), number });
    this.#closing = end < 0 ? closing : undefined;
    const rest = end < 0 ? '' : text.slice(end + 2).trim();
    if (rest !== '') this.#block.strays.push({ text: rest, number });
  }

  #readCommand(line: HttpLine): void {
    this.#command.push(line);
    this.#length += line.text.length;
    if (this.#isOver(line)) this.#endCommand();
  }

  #isOver({ text }: HttpLine): boolean {
    if (beginsOtherCommand(this.#command[0]?.text ?? '')) return !/[\\^`][ \t]*$/.test(text);
    return this.#work.takes(this.#length) && isWholeCommand(textOf(this.#command));
  }

  #endCommand(): void {
    const [first] = this.#command;
    if (first === undefined) return;
    this.#block.commands.push({ text: textOf(this.#command), number: first.number });
    this.#command = [];
    this.#length = 0;
    this.#stage = 'after';
  }

  #readLine(line: HttpLine): void {
    const { text, number } = line;
    const opened = OPENED.find(([begin]) => begin.test(text));
    if (opened !== undefined) this.#readScript(text.replace(opened[0], ''), number, opened[1]);
    else if (/^\?\?/.test(text)) this.#block.assertions.push({ text: text.slice(2).trim(), number });
    else if (OTHER.test(text))
      this.#block.others.push({ text: text.trim(), number, isBeforeRequest: this.#stage === 'head' });
    else if (this.#stage === 'body') this.#readBodyLine(line);
    else if (this.#stage === 'after') this.#readAfter(line);
    else this.#readHead(line);
  }

  #readBodyLine(line: HttpLine): void {
    const directive = line.text.trimStart().startsWith('#') ? directiveIn(line) : undefined;
    const variable = this.#body.length === 0 ? variableIn(line) : undefined;
    if (directive !== undefined) this.#block.directives.push(directive);
    else if (variable !== undefined) this.#block.variables.push(variable);
    else if (this.#body.length > 0 || line.text.trim() !== '') this.#body.push(line);
  }

  /** Behind the body, or behind a command. */
  #readAfter(line: HttpLine): void {
    const block = this.#block;
    const directive = directiveIn(line);
    const comment = commentIn(line);
    const variable = variableIn(line);
    if (directive !== undefined) block.directives.push(directive);
    else if (comment !== undefined) block.after.push(comment);
    else if (variable !== undefined) block.variables.push(variable);
    else if (block.commands.length > 0 && this.#begins(line)) this.#readCommand(line);
    else if (line.text.trim() !== '') block.strays.push(line);
  }

  #begins({ text }: HttpLine): boolean {
    return beginsCommand(text) || beginsOtherCommand(text);
  }

  #readHead(line: HttpLine): void {
    const { text, number } = line;
    const block = this.#block;
    const directive = directiveIn(line);
    const comment = commentIn(line);
    const variable = variableIn(line);
    if (directive !== undefined) block.directives.push(directive);
    else if (comment !== undefined) block.comments.push(comment);
    else if (text.trim() === '') this.#stage = this.#stage === 'headers' ? 'body' : this.#stage;
    else if (variable !== undefined) block.variables.push(variable);
    else if (this.#stage === 'headers') this.#readHeader(line);
    else if (this.#begins(line)) this.#readCommand(line);
    else if (/^\s*(?:\{(?!\{)|\[)/.test(text)) {
      // A body alone is a request here.
      block.request = { text: '', number, method: 'POST', url: '' };
      this.#body.push(line);
      this.#stage = 'body';
    } else {
      const whole = withoutVersion(text.trim());
      const [, method, url = ''] = REQUEST.exec(whole) ?? [];
      if (method === undefined && !isUrl(whole)) {
        block.strays.push(line);
        return;
      }
      block.request = {
        text,
        number,
        method: (method ?? 'GET').toUpperCase(),
        url: method === undefined ? whole : url,
      };
      this.#stage = 'headers';
    }
  }

  #readHeader(line: HttpLine): void {
    const { text, number } = line;
    const { request } = this.#block;
    const [, name, value = ''] = HEADER.exec(text) ?? [];
    if (CONTINUED.test(text) && request !== undefined)
      this.#block.request = { ...request, url: request.url + withoutVersion(text.trim()) };
    else if (name !== undefined) this.#block.headers.push({ text, number, name, value: value.trim() });
    else {
      this.#body.push(line);
      this.#stage = 'body';
    }
  }
}

const withoutVersion = (text: string): string => text.replace(VERSION, '').trimEnd();

const textOf = (lines: readonly HttpLine[]): string => lines.map(({ text }) => text).join('\n');

/** A URL has no blanks outside of references; `NAME=value` is a variable of a shell. */
function isUrl(text: string): boolean {
  const bare = text.replace(/\{\{[^{}]*\}\}/g, '{}');
  return !/\s/.test(bare) && /[.:/{]/.test(bare) && !/^@|^\w+=/.test(bare);
}

// Splits a `.http` file of REST Client, httpYac or JetBrains' HTTP Client into its requests: lines with their kind. Reads
// shapes; decides nothing about what can be carried over. Pure.

/** A line and its number, from one. */
export interface HttpLine {
  readonly text: string;
  readonly number: number;
}

export interface HttpBlock {
  /** Behind `###`. */
  readonly title: string;
  readonly number: number;
  /** `# @name value`: the words behind the sign. */
  readonly directives: readonly HttpLine[];
  readonly comments: readonly HttpLine[];
  readonly variables: readonly (HttpLine & { readonly name: string; readonly value: string })[];
  readonly request?: HttpLine & { readonly method: string; readonly url: string };
  readonly headers: readonly (HttpLine & { readonly name: string; readonly value: string })[];
  readonly body: readonly HttpLine[];
  /** `?? …`. */
  readonly assertions: readonly HttpLine[];
  /** Lines of a script, one entry each; the text is what is in it. */
  readonly scripts: readonly HttpLine[];
  /** `>> file`, `< file` and what else has a meaning elsewhere. */
  readonly others: readonly HttpLine[];
}

type Draft = { -readonly [K in keyof HttpBlock]: HttpBlock[K] extends readonly (infer T)[] ? T[] : HttpBlock[K] };

const DIRECTIVE = /^\s*(?:#|\/\/)\s*@\s*(?!\s)(.*)$/;
const COMMENT = /^\s*(?:#|\/\/)\s?(.*)$/;
const VARIABLE = /^\s*@([^\s=:]+)\s*:?=\s*(?!\s)(.*)$/;
const METHODS =
  'GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT|LIST|QUERY|GRAPHQL|GRPC|WEBSOCKET|WS|WSS|SSE|EVENTSOURCE|MQTT|AMQP|RSOCKET';
const REQUEST = new RegExp(String.raw`^(?:(${METHODS})\s+)?(\S.*)$`, 'i');
const VERSION = /\sHTTP\/\d(?:\.\d)?$/i;
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_|~-]+)\s*:\s*(?!\s)(.*)$/;
const QUERY = /^\s+[?&]\S+/;
const OPENED = [
  [/^[<>]\s*\{%/, /%\}/],
  [/^\{\{[@+]?(?:request|response|streaming|after|responseLogging)?\s*$/, /^\}\}/],
] as const;

const empty = (title: string, number: number): Draft => ({
  title,
  number,
  directives: [],
  comments: [],
  variables: [],
  headers: [],
  body: [],
  assertions: [],
  scripts: [],
  others: [],
});

/** The blocks of a file, in order; what is in front of the first `###` is a block, too. */
export function readHttp(text: string): readonly HttpBlock[] {
  const blocks: Draft[] = [];
  let block = empty('', 1);
  let stage: 'head' | 'headers' | 'body' = 'head';
  let closing: RegExp | undefined;
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const own = { text: line, number };
    if (closing !== undefined) {
      const isEnd = closing.test(line);
      const inside = isEnd ? line.slice(0, line.search(closing)) : line;
      if (inside.trim() !== '') block.scripts.push({ text: inside.trim(), number });
      if (isEnd) closing = undefined;
      continue;
    }
    if (line.startsWith('###')) {
      blocks.push(block);
      block = empty(line.replace(/^#+/, '').trim(), number);
      stage = 'head';
      continue;
    }
    const opened = OPENED.find(([begin]) => begin.test(line));
    if (opened !== undefined) {
      const rest = line.replace(opened[0], '');
      const end = rest.search(opened[1]);
      const inside = end < 0 ? rest : rest.slice(0, end);
      if (inside.trim() !== '') block.scripts.push({ text: inside.trim(), number });
      if (end < 0) closing = opened[1];
      continue;
    }
    if (/^\?\?/.test(line)) block.assertions.push({ text: line.slice(2).trim(), number });
    else if (/^(?:>>|<>|>\s|<@?\s)/.test(line)) block.others.push({ text: line.trim(), number });
    else stage = readLine(block, own, stage);
  }
  return [...blocks, block].filter(hasSomething);
}

const hasSomething = (block: Draft): boolean =>
  block.request !== undefined ||
  block.variables.length + block.scripts.length + block.others.length > 0 ||
  block.comments.length > 0;

function readLine(block: Draft, line: HttpLine, stage: 'head' | 'headers' | 'body'): 'head' | 'headers' | 'body' {
  const { text, number } = line;
  const directive = DIRECTIVE.exec(text)?.[1];
  if (stage === 'body') {
    if (directive !== undefined && !text.trimStart().startsWith('//'))
      block.directives.push({ text: directive, number });
    else if (block.body.length > 0 || text.trim() !== '') block.body.push(line);
    return stage;
  }
  if (directive !== undefined) {
    block.directives.push({ text: directive.trim(), number });
    return stage;
  }
  const comment = COMMENT.exec(text)?.[1];
  if (comment !== undefined) {
    if (stage === 'head') block.comments.push({ text: comment, number });
    return stage;
  }
  if (text.trim() === '') return stage === 'headers' ? 'body' : stage;
  if (stage === 'headers') {
    const [, name, value = ''] = HEADER.exec(text) ?? [];
    if (QUERY.test(text) && block.request !== undefined)
      block.request = { ...block.request, url: block.request.url + text.trim() };
    else if (name !== undefined) block.headers.push({ text, number, name, value: value.trim() });
    else {
      block.body.push(line);
      return 'body';
    }
    return stage;
  }
  const [, variable, value = ''] = VARIABLE.exec(text) ?? [];
  if (variable !== undefined) {
    block.variables.push({ text, number, name: variable, value: value.trim() });
    return stage;
  }
  const [, method = 'GET', url = ''] = REQUEST.exec(text.trim().replace(VERSION, '').trimEnd()) ?? [];
  block.request = { text, number, method: method.toUpperCase(), url };
  return 'headers';
}

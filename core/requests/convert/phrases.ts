// Translates the lines of other request files into this language: helpers, assertions, and the few lines of scripts that
// only check or keep a value. Pure.

interface Phrase {
  readonly text: string;
  /** Why it means something else, or nothing, here. */
  readonly reason?: string;
}

/** Helpers, by what is between the braces; the first that fits counts. `$1` and `$2` are its parts. */
const HELPERS: readonly (readonly [pattern: RegExp, text: string, reason?: string])[] = [
  [/^\$(?:uuid|random\.uuid|guid)$/, '$guid'],
  [/^\$timestamp$/, '$timestamp'],
  [/^\$timestamp\s+(-?\d+)\s*([smhdw])$/, '$datetime unix $1$2'],
  [/^\$(?:isoTimestamp|localDatetime\s+iso8601|datetime\s+iso8601)$/, '$datetime iso'],
  [/^\$datetime\s+iso8601\s+(-?\d+)\s*([smhdw])$/, '$datetime iso $1$2'],
  [/^\$randomInt$/, '$randomInt 0 1000'],
  [
    /^\$random\.integer\(\s*(-?\d+)\s*,\s*(-?\d+)\s*\)$/,
    '$randomInt $1 $2',
    'the second number may be drawn here, too.',
  ],
  [/^\$(?:env\.|processEnv\s+)([A-Za-z_]\w*)$/, '$processEnv $1'],
  [/^\$dotenv\s+([A-Za-z_]\w*)$/, '$processEnv $1', 'it read a .env file, which is given with --env-file here.'],
  [
    /^\$(?:processEnv|dotenv)\s+%([A-Za-z_]\w*)$/,
    '$processEnv $1',
    'the value of a setting named the variable; write its name.',
  ],
  [/^process\.env\.([A-Za-z_]\w*)$/, '$processEnv $1'],
];

/** The inside of `{{…}}`. */
export function translated(inner: string): Phrase {
  for (const [pattern, text, reason] of HELPERS)
    if (pattern.test(inner)) return { text: inner.replace(pattern, text), ...(reason !== undefined && { reason }) };
  const answer = /^([A-Za-z_][\w-]*)\.(?:response\.body\.?|parsedBody\.?)(?:\$\.?)?(.*)$/.exec(inner);
  if (answer !== null) return { text: joined(answer[1] ?? '', answer[2] ?? '') };
  return { text: inner };
}

const joined = (name: string, path: string): string =>
  path === '' ? name : path.startsWith('[') ? `${name}${path}` : `${name}.${path}`;

const ORDER = '(===?|!==?|<=|>=|<|>)';
const VALUE = String.raw`("[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|true|false|null|\{\{[^{}]*\}\})`;
const BODY = String.raw`(?:response\.)?(?:parsedBody|body|data)`;
const PATH = String.raw`((?:\.[A-Za-z_$][\w$]*|\[(?:\d+|"[^"]*"|'[^']*')\])+)`;

const operator = (sign: string): string => (sign.startsWith('=') ? '==' : sign.startsWith('!') ? '!=' : sign);
const literal = (text: string): string => (text.startsWith("'") ? JSON.stringify(text.slice(1, -1)) : text);
const path = (text: string): string => text.replace(/^\./, '');

/** Words of httpYac for operators. */
const WORDS: Readonly<Record<string, string>> = {
  '==': '==',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  contains: 'contains',
  includes: 'contains',
  startsWith: 'startsWith',
  endsWith: 'endsWith',
  matches: 'matches',
  exists: 'exists',
  isNumber: 'isNumber',
  isString: 'isString',
  isArray: 'isArray',
  isBoolean: 'isBoolean',
  isFalse: '== false',
  isTrue: '== true',
};

/** An assertion of httpYac (`status == 200`, `js response.parsedBody.result == 5`, `header x == y`), without its `??`. */
export function assertionOf(text: string): string | undefined {
  const [, subject = '', sign = '', rest = ''] =
    /^(status|duration|header\s+\S+|body(?:\s+\S+)?|(?:js\s+)?(?:response\.)?(?:parsedBody|body)\S*)\s+(==|!=|<=|>=|<|>|[A-Za-z]+(?![A-Za-z]))\s*(?!\s)(.*)$/.exec(
      text,
    ) ?? [];
  const word = Object.hasOwn(WORDS, sign) ? WORDS[sign] : undefined;
  const place = subjectOf(subject);
  if (word === undefined || place === undefined) return undefined;
  const hasValue = !/^(?:exists|is[A-Z]\w*|== (?:true|false))$/.test(word);
  if (hasValue === (rest.trim() === '')) return undefined;
  return `${place} ${word}${hasValue ? ` ${valueOf(rest.trim(), place)}` : ''}`;
}

function subjectOf(text: string): string | undefined {
  if (text === 'status' || text === 'duration') return text;
  const header = /^header\s+(\S+)$/.exec(text)?.[1];
  if (header !== undefined) return `headers.${header.toLowerCase()}`;
  const own = /^(?:js\s+)?(?:response\.)?(?:parsedBody|body)(?:\s+\$?\.?|\.\$?\.?|(?=\[))(\S+)$/.exec(text)?.[1];
  return own === undefined || !/^(?:result|error|id|jsonrpc)\b|^\[/.test(own) ? undefined : own;
}

/** JSON, `{{…}}` and durations as they are; anything else is a text. */
function valueOf(text: string, place: string): string {
  if (place === 'duration' && /^\d+$/.test(text)) return `${text}ms`;
  if (/^\{\{[^{}]*\}\}$/.test(text)) return text;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text.replace(/^'(.*)'$/, '$1'));
  }
}

export type ScriptLine =
  | { readonly kind: 'capture'; readonly name: string; readonly path: string; readonly comment?: string }
  /** `comment`: what is shown where it fails. */
  | { readonly kind: 'assertion'; readonly text: string; readonly comment?: string }
  /** A comment, or the name of a test. */
  | { readonly kind: 'comment'; readonly comment: string }
  /** Brackets around others. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown'; readonly comment?: string };

const BRACKETS = /^\}?\)?;?$/;
const COMMENT =
  /^(?:\/\/(.*)|client\.test\(\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`)\s*,\s*(?:function\s*\(\)|\(\)\s*=>)\s*\{)$/;
const CAPTURE = new RegExp(String.raw`^client\.global\.set\(\s*["']([A-Za-z_][\w-]*)["']\s*,\s*${BODY}${PATH}\s*\);?$`);
const EXPORT = new RegExp(String.raw`^exports\.([A-Za-z_]\w*)\s*=\s*${BODY}${PATH};?$`);
const STATUS = new RegExp(String.raw`^client\.assert\(\s*response\.status\s*${ORDER}\s*(\d+)\s*(?:,(.*))?\);?$`);
const CHECK = new RegExp(String.raw`^client\.assert\(\s*${BODY}${PATH}\s*${ORDER}\s*${VALUE}\s*(?:,(.*))?\);?$`);

/** A line of a script that keeps or checks a value of the answer. */
export function scriptLine(text: string): ScriptLine {
  const line = text.trim();
  if (BRACKETS.test(line)) return { kind: 'nothing' };
  const [, ...comments] = COMMENT.exec(line) ?? [];
  const comment = comments.find((one) => one !== undefined);
  if (comment !== undefined) return { kind: 'comment', comment: comment.trim() };
  const kept = CAPTURE.exec(line) ?? EXPORT.exec(line);
  if (kept !== null) return { kind: 'capture', name: kept[1] ?? '', path: path(kept[2] ?? '') };
  const status = STATUS.exec(line);
  if (status !== null)
    return {
      kind: 'assertion',
      text: `status ${operator(status[1] ?? '')} ${status[2] ?? ''}`,
      ...messageOf(status[3]),
    };
  const check = CHECK.exec(line);
  if (check !== null)
    return {
      kind: 'assertion',
      text: `${path(check[1] ?? '')} ${operator(check[2] ?? '')} ${literal(check[3] ?? '')}`,
      ...messageOf(check[4]),
    };
  return { kind: 'unknown' };
}

/** The message of an assertion. */
const messageOf = (text: string | undefined): { readonly comment?: string } =>
  text === undefined ? {} : { comment: text.trim().replace(/^(["'`])(.*)\1$/, '$2') };

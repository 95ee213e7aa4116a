// The table of directives: what each is for, where it is allowed, and how its text is read. Completion, hover and the
// parser use the same rows.
import { readCondition } from './variables/condition';
import { readDuration } from './duration';
import { readPath } from './variables/path';
import type {
  Capture,
  Directive,
  ForEach,
  Operator,
  Prompt,
  Retry,
  RunCondition,
  Settings,
  Silence,
  Token,
  Until,
} from './model';
import { isPackId, PACK_IDS, type PackId } from '../../service/providers/packIds';
import { NAME_PATTERN } from './variables/reference';
import { rowsOfJson } from './variables/rows';

/** Settings while they are being read. */
export type SettingsDraft = { -readonly [K in keyof Settings]: Settings[K] } & {
  notes: string[];
  prompts: Prompt[];
  captures: Capture[];
  conditions: RunCondition[];
  silences: Silence[];
  imports: Token[];
  tags: string[];
  packs: PackId[];
};

export const emptySettings = (): SettingsDraft => ({
  notes: [],
  prompts: [],
  captures: [],
  conditions: [],
  silences: [],
  disabled: false,
  imports: [],
  tags: [],
  packs: [],
});

interface DirectiveShape {
  /** In a preamble: a default for all blocks, the only place, or not allowed. */
  readonly preamble: 'default' | 'only' | 'no';
  readonly usage: string;
  readonly doc: string;
  /** Reads the text into the draft; answers what is wrong with it. */
  readonly read: (directive: Directive, draft: SettingsDraft, text: string) => string | undefined;
}

const NAME_RULE = 'a name of letters, digits, "_" and "-" that begins with a letter or "_"';
const KEY_OR_NONE = 'A request has @key or @auth none, not both.';

export const DIRECTIVES: Readonly<Record<string, DirectiveShape>> = {
  name: {
    preamble: 'no',
    usage: '@name balance',
    doc: 'Names the request, so that others can read its response as `{{balance.result}}`. Unique in the file.',
    read: ({ value }, draft) => {
      if (!NAME_PATTERN.test(value.text)) return `@name takes ${NAME_RULE}.`;
      draft.name = value;
      return undefined;
    },
  },
  endpoint: {
    preamble: 'default',
    usage: '@endpoint mainnet',
    doc: 'The endpoint profile of this request; in the preamble, of the file.',
    read: ({ value }, draft) => {
      if (value.text === '') return '@endpoint takes the name of an endpoint profile.';
      draft.endpoint = value.text;
      return undefined;
    },
  },
  key: {
    preamble: 'default',
    usage: '@key label',
    doc: "Which stored key of the transport's type to use, by its label.",
    read: ({ value }, draft) => {
      if (value.text === '') return '@key takes the label of a stored key.';
      draft.key = value.text;
      return draft.auth === undefined ? undefined : KEY_OR_NONE;
    },
  },
  auth: {
    preamble: 'no',
    usage: '@auth none',
    doc: 'Asks without a key: no stored key and none of the environment is sent. Headers of the request stay. `none` is the only value.',
    read: ({ value }, draft) => {
      if (value.text !== 'none') return '@auth takes none: the request is then asked without a key.';
      draft.auth = value.text;
      return draft.key === undefined ? undefined : KEY_OR_NONE;
    },
  },
  timeout: {
    preamble: 'default',
    usage: '@timeout 30s',
    doc: 'How long to wait for the response: an integer with ms, s or m. Without it, 30s.',
    read: ({ value }, draft) => {
      const ms = readDuration(value.text);
      if (ms === undefined) return '@timeout takes a duration above zero, such as 500ms, 30s or 2m.';
      draft.timeoutMs = ms;
      return undefined;
    },
  },
  until: {
    preamble: 'no',
    usage: '@until 5 messages or 10s',
    doc: 'When a stream ends by itself: after so many messages, after a time, or whichever comes first. Without it, after 10s, unless it is watched: sent alone in the editor it runs until *Cancel*. With a number alone it fails once no message came for as long as `@timeout` says (30s). Its first 10,000 messages are kept, and 64 MiB of all streams of a run.',
    read: ({ value }, draft) => {
      const until = readUntil(value.text);
      if (until === undefined) return '@until takes "N messages", a duration, or "N messages or D"; N is at least 1.';
      draft.until = until;
      return undefined;
    },
  },
  retry: {
    preamble: 'no',
    usage: '@retry 20 every 500ms while result == null',
    doc: 'Repeats the request when the transport fails or, with `while`, as long as the condition holds.',
    read: (directive, draft, text) =>
      kept(readRetry(directive, text), (retry) => {
        draft.retry = retry;
      }),
  },
  note: {
    preamble: 'no',
    usage: '@note sends a real transaction',
    doc: 'Asks for confirmation, with this text, before the request is sent.',
    read: ({ value }, draft) => {
      draft.notes.push(value.text);
      return undefined;
    },
  },
  prompt: {
    preamble: 'no',
    usage: '@prompt amount Lamports to send',
    doc: "Asks for a variable's value before the request is sent. In the terminal it comes from `--var`.",
    read: ({ value }, draft) => {
      const match = /^(\S+)(?:\s+(?!\s)(.*))?$/.exec(value.text);
      const name = match?.[1] ?? '';
      if (!NAME_PATTERN.test(name)) return `@prompt takes ${NAME_RULE}, and a label if you like.`;
      draft.prompts.push({ name, label: match?.[2] ?? name });
      return undefined;
    },
  },
  capture: {
    preamble: 'no',
    usage: '@capture fee = result.value',
    doc: "Makes a variable out of this request's response: `{{fee}}` waits for the request, wherever it is in the file.",
    read: (directive, draft) => kept(readCapture(directive), (capture) => draft.captures.push(capture)),
  },
  if: {
    preamble: 'no',
    usage: '@if balance.result.value < 1000000',
    doc: 'Runs the request only where the condition holds: a path from the name of a request or a variable, and what an assertion may say of it. Else it is skipped, and so is what needs its response.',
    read: (directive, draft, text) =>
      kept(readRunCondition(directive, text), (condition) => draft.conditions.push(condition)),
  },
  foreach: {
    preamble: 'no',
    usage: '@foreach row in ./wallets.csv',
    doc: 'Runs the request once for each row of a .csv or .json file, or of a JSON array that is written here. `{{row.owner}}` is a column, `{{row.$index}}` counts from 0; others read `{{name.rows[0].result}}`.',
    read: (directive, draft) =>
      kept(readForEach(directive), (foreach) => {
        draft.foreach = foreach;
      }),
  },
  setup: {
    preamble: 'no',
    usage: '@setup',
    doc: 'Runs before the first selected request of the file. Where it fails the others are skipped.',
    read: (directive, draft) => readRole(directive, draft, 'setup'),
  },
  teardown: {
    preamble: 'no',
    usage: '@teardown',
    doc: 'Runs after the last selected request of the file, also after a failure and a cancel.',
    read: (directive, draft) => readRole(directive, draft, 'teardown'),
  },
  disabled: {
    preamble: 'no',
    usage: '@disabled',
    doc: 'Left out when the whole file runs.',
    read: ({ value }, draft) => {
      if (value.text !== '') return '@disabled takes nothing.';
      draft.disabled = true;
      return undefined;
    },
  },
  import: {
    preamble: 'only',
    usage: '@import ./shared.jsonrpc',
    doc: 'Makes the variables and named requests of another file visible here. Put it before the first "###".',
    read: (directive, draft) => {
      if (directive.value.text === '') return '@import takes the path of a file.';
      draft.imports.push({ text: directive.value.text, span: directive.span });
      return undefined;
    },
  },
  silence: {
    preamble: 'default',
    usage: '@silence unbounded-scan a test ledger has few accounts',
    doc: 'Findings of this code are not shown here; in the preamble, in the file. Say why behind the code. Never what stops a run, nor `secret-in-file`.',
    read: ({ value, span }, draft) => {
      const [, code, why = ''] = /^([a-z][a-z0-9-]*)(?:\s+(?!\s)(.*))?$/.exec(value.text) ?? [];
      if (code === undefined) return '@silence takes the code of a finding and the reason.';
      const { start } = value.span;
      draft.silences.push({ code: { text: code, span: { start, end: start + code.length } }, why, span });
      return undefined;
    },
  },
  tag: {
    preamble: 'default',
    usage: '@tag smoke slow',
    doc: 'Words by which `--tag` selects requests.',
    read: ({ value }, draft) => {
      const tags = value.text.split(/\s+/).filter((tag) => tag !== '');
      if (tags.length === 0) return '@tag takes one or more words.';
      draft.tags.push(...tags);
      return undefined;
    },
  },
  pack: {
    preamble: 'default',
    usage: '@pack das helius',
    doc: `Method packs of providers that are known here; in the preamble, in the file. There are ${PACK_IDS.map((id) => `\`${id}\``).join(', ')}.`,
    read: ({ value }, draft) => {
      const ids = value.text.split(/\s+/);
      if (!ids.every(isPackId)) return `@pack takes names of method packs: ${PACK_IDS.join(', ')}.`;
      draft.packs.push(...ids);
      return undefined;
    },
  },
};

export const directiveShape = (name: string): DirectiveShape | undefined =>
  Object.hasOwn(DIRECTIVES, name) ? DIRECTIVES[name] : undefined;

/** Compare with what is in a file, which is read for assertions alone. */
const FILED: ReadonlySet<Operator> = new Set<Operator>(['matchesSchema', 'matchesSnapshot']);

const COUNT = String.raw`[1-9]\d{0,14}`;
const UNTIL = new RegExp(String.raw`^(${COUNT})\s+messages?(?:\s+or\s+(\S+))?$`);
const RETRY = new RegExp(String.raw`^(${COUNT})\s+every\s+(\S+)(?:\s+while\s+(\S.*))?$`);

/** Keeps what was read; a text says why nothing was. */
function kept<T extends object>(reading: T | string, keep: (reading: T) => void): string | undefined {
  if (typeof reading === 'string') return reading;
  keep(reading);
  return undefined;
}

function readRole({ value }: Directive, draft: SettingsDraft, role: 'setup' | 'teardown'): string | undefined {
  if (value.text !== '') return `@${role} takes nothing.`;
  if (draft.role !== undefined && draft.role !== role) return 'A request is @setup or @teardown, not both.';
  draft.role = role;
  return undefined;
}

function readRunCondition({ value }: Directive, text: string): RunCondition | string {
  const reading = readCondition(text, value.span.start, value.span.end, true);
  if (!reading.ok) return reading.reason;
  const { condition } = reading;
  if (FILED.has(condition.operator)) return `${condition.operator} is for assertions.`;
  const [name, ...path] = condition.path.steps;
  if (typeof name !== 'string' || !NAME_PATTERN.test(name))
    return '@if begins with the name of a request or a variable, such as balance.result.value > 0.';
  const isVariable = path.length === 0;
  const content = isVariable ? { kind: 'variable' as const, name } : { kind: 'response' as const, request: name, path };
  return { content, condition, text: value.text };
}

const FOREACH = /^([A-Za-z_][A-Za-z0-9_-]*)(\s+in\s+)(\S.*)$/;

function readForEach({ value }: Directive): ForEach | string {
  const [, name, between = '', source = ''] = FOREACH.exec(value.text) ?? [];
  if (name === undefined) return '@foreach takes a name, "in" and a file or a list: row in ./wallets.csv.';
  const kind = source.startsWith('[') ? 'json' : 'file';
  if (kind === 'json') {
    const reading = rowsOfJson(source);
    if (!reading.ok) return reading.reason;
  } else if (!/\.(?:csv|json)$/i.test(source))
    return 'The rows of @foreach are in a .csv or .json file, or a JSON array.';
  const nameEnd = value.span.start + name.length;
  const start = nameEnd + between.length;
  return {
    name: { text: name, span: { start: value.span.start, end: nameEnd } },
    source: { kind, token: { text: source, span: { start, end: start + source.length } } },
  };
}

const CAPTURE = /^([A-Za-z_][A-Za-z0-9_-]*)(\s*=\s*)(\S.*)$/;

function readCapture({ value, span }: Directive): Capture | string {
  const [, name, equals = '', path = ''] = CAPTURE.exec(value.text) ?? [];
  if (name === undefined) return '@capture takes a name, "=" and a path into the response: fee = result.value.';
  const { steps, end } = readPath(path, 0, true);
  if (steps.length === 0 || end < path.length) return `"${path.slice(end)}" is not a step of a path.`;
  const nameEnd = value.span.start + name.length;
  const start = nameEnd + equals.length;
  return {
    name: { text: name, span: { start: value.span.start, end: nameEnd } },
    path: { text: path, steps, span: { start, end: start + path.length } },
    span,
  };
}

function readUntil(text: string): Until | undefined {
  const counted = UNTIL.exec(text);
  if (counted === null) {
    const ms = readDuration(text);
    return ms === undefined ? undefined : { ms };
  }
  const messages = Number(counted[1]);
  if (counted[2] === undefined) return { messages };
  const ms = readDuration(counted[2]);
  return ms === undefined ? undefined : { messages, ms };
}

function readRetry({ value }: Directive, text: string): Retry | string {
  const match = RETRY.exec(value.text);
  const everyMs = readDuration(match?.[2] ?? '');
  if (match === null || everyMs === undefined)
    return '@retry takes "N every D", and "while PATH OP VALUE" if you like; N is at least 1, D a duration above zero.';
  const times = Number(match[1]);
  if (match[3] === undefined) return { times, everyMs };
  const reading = readCondition(text, value.span.end - match[3].length, value.span.end);
  if (!reading.ok) return reading.reason;
  const { condition } = reading;
  return FILED.has(condition.operator) ? `${condition.operator} is for assertions.` : { times, everyMs, condition };
}

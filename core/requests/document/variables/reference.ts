// `{{…}}`: finds references in a text and reads what they name. Reads names and shapes; looks nothing up.
import { readExpression, splitDefault } from './expression';
import { insteadOfHelper } from '../foreign';
import { readPath } from './path';
import { readVariableText } from './value';
import type { ReferenceContent, Span, Token } from '../model';

export const NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Finds the end of `{{…}}` on its line. Remembers the next "}}" and line end: any number of questions costs one pass. */
export class ReferenceEnds {
  #close = -1;
  #lineEnd = -1;

  constructor(private readonly text: string) {}

  /** Offset after the "}}" of the "{{" at `at`; undefined where its line has none. `at` never decreases. */
  endAt(at: number): number | undefined {
    if (!this.text.startsWith('{{', at)) return undefined;
    if (this.#close < at + 2) this.#close = orEnd(this.text.indexOf('}}', at + 2));
    if (this.#lineEnd < at) this.#lineEnd = orEnd(this.text.indexOf('\n', at));
    return this.#close < this.#lineEnd && this.#close !== Infinity ? this.#close + 2 : undefined;
  }
}

const orEnd = (index: number): number => (index < 0 ? Infinity : index);

/** More references in one block are a mistake or an attack: each costs memory in every feature. */
export const MAX_REFERENCES = 50_000;

/**
 * The spans of `{{…}}` in a part of a block that begins at `base`, one more than MAX_REFERENCES at most. `\{{` (in a body
 * `\\{{`) is literal text.
 */
export function findReferences(part: string, base: number): Span[] {
  const spans: Span[] = [];
  let at = part.indexOf('{{');
  if (at < 0) return spans;
  const ends = new ReferenceEnds(part);
  while (at >= 0 && spans.length <= MAX_REFERENCES) {
    const close = part[at - 1] === '\\' ? undefined : ends.endAt(at);
    if (close !== undefined) spans.push({ start: base + at, end: base + close });
    at = part.indexOf('{{', close ?? at + 2);
  }
  return spans;
}

/** Whether a text holds more than `most` references; what only looks like one counts too. */
export function holdsMoreReferences(text: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at + 2)) if (++count > most) return true;
  return false;
}

/** How a helper's arguments are cut: words, or one text to the end. */
interface HelperShape {
  readonly args: 'none' | 'words' | 'text';
  readonly count: number;
  /** The most, where some may be left out. */
  readonly most?: number;
  /** Arguments may be names of variables. */
  readonly takesNames?: true;
  /** As shown to people. */
  readonly usage: string;
  readonly doc: string;
}

/** The helpers, as data: completion, hover and the reader here use the same table. */
export const HELPERS: Readonly<Record<string, HelperShape>> = {
  $guid: { args: 'none', count: 0, usage: '$guid', doc: 'A new random UUID, as a string.' },
  $timestamp: { args: 'none', count: 0, usage: '$timestamp', doc: 'Seconds since the Unix epoch, as a number.' },
  $randomInt: {
    args: 'words',
    count: 2,
    usage: '$randomInt 1 100',
    doc: 'A random integer between the two, both included.',
  },
  $processEnv: {
    args: 'words',
    count: 1,
    usage: '$processEnv NAME',
    doc: 'A variable of the environment. Needs a trusted workspace; it leaves this machine only with your permission.',
  },
  $file: {
    args: 'text',
    count: 1,
    usage: '$file ./path',
    doc: 'The text of a file inside the workspace, without one trailing line break. Needs a trusted workspace.',
  },
  $wallet: {
    args: 'words',
    count: 0,
    most: 1,
    usage: '$wallet [NAME]',
    doc: "The address of the endpoint's wallet, or of the wallet to whose keypair file you gave this name.",
  },
  $transfer: {
    args: 'words',
    count: 2,
    takesNames: true,
    usage: '$transfer TO LAMPORTS',
    doc: "A transfer signed by the endpoint's wallet, as base64, with a blockhash that the request's own check knows. The config must say base64.",
  },
  $memo: {
    args: 'text',
    count: 1,
    usage: '$memo TEXT',
    doc: "A memo transaction signed by the endpoint's wallet, as base64. The config must say base64.",
  },
  $sol: {
    args: 'words',
    count: 1,
    takesNames: true,
    usage: '$sol 1.5',
    doc: 'An amount of SOL in lamports, exact, as a number.',
  },
  $ata: {
    args: 'words',
    count: 2,
    most: 3,
    takesNames: true,
    usage: '$ata OWNER MINT [TOKEN_PROGRAM]',
    doc: "The associated token account of an owner for a mint. Without a token program the mint's own is asked for.",
  },
  $pda: {
    args: 'words',
    count: 2,
    most: 17,
    takesNames: true,
    usage: '$pda PROGRAM text:vault ADDRESS u64:5',
    doc: 'A program-derived address. Seeds: `text:vault` or text in quotes, addresses (32 bytes), `u64:5` and other integers (little-endian), `hex:ff`.',
  },
  $withSeed: {
    args: 'words',
    count: 3,
    takesNames: true,
    usage: '$withSeed BASE SEED OWNER',
    doc: 'The address that a base, a text as seed and an owner give (CreateAccountWithSeed).',
  },
  $datetime: {
    args: 'words',
    count: 1,
    most: 2,
    usage: '$datetime iso -1d',
    doc: 'The time, or so long before or after it: `iso`, `date`, `unix` (seconds), `unixms`; offsets in `s`, `m`, `h`, `d`, `w`.',
  },
  $base58: {
    args: 'text',
    count: 1,
    usage: '$base58 hex:00ff',
    doc: 'Bytes in base58: `hex:…`, `base64:…`, `text:…`.',
  },
};

/** Whether arguments of a helper may be names of variables. */
export const takesNames = (name: string): boolean => Object.hasOwn(HELPERS, name) && HELPERS[name]?.takesNames === true;

/** The helpers that build a transaction, in base64. */
export const TRANSACTION_HELPERS: ReadonlySet<string> = new Set(['$transfer', '$memo']);

/** Reads the text between the braces. `offset`: where `inner` begins in the block, for the places of arguments. */
export function readReference(inner: string, offset: number): ReferenceContent {
  const text = inner.trim();
  const start = offset + inner.length - inner.trimStart().length;
  if (text === '') return { kind: 'invalid', reason: 'The braces are empty.' };
  if (text.startsWith('$')) return readHelper(text, start);
  const choice = text.includes(' else ') ? splitDefault(text) : undefined;
  if (text.startsWith('=') || choice !== undefined)
    return readComputed(choice?.before ?? text, choice?.fallback, start);
  if (NAME_PATTERN.test(text)) return { kind: 'variable', name: text };
  const request = /^[A-Za-z_][A-Za-z0-9_-]*/.exec(text)?.[0];
  if (request === undefined) return { kind: 'invalid', reason: `"${text}" is neither a name nor a path.` };
  const restForm = /^\.response\.body(?:\.\$)?(?=[.[]|$)/.exec(text.slice(request.length))?.[0] ?? '';
  if (restForm === '' && /^\.(?:response|request)(?=[.[]|$)/.test(text.slice(request.length)))
    return { kind: 'invalid', reason: `Only the body of a response can be read: write {{${request}.result}}.` };
  const path = readPath(text, request.length + restForm.length, false);
  if (path.end < text.length) return { kind: 'invalid', reason: `"${text.slice(path.end)}" is not a step of a path.` };
  return { kind: 'response', request, path: path.steps };
}

/** Arithmetic behind "=", or a name with a default. */
function readComputed(text: string, fallback: string | undefined, start: number): ReferenceContent {
  const isArithmetic = text.startsWith('=');
  const name = isArithmetic ? undefined : readReference(text, start);
  if (name?.kind === 'invalid') return name;
  const given = fallback === undefined ? {} : { fallback: readVariableText(fallback) };
  if (name?.kind === 'variable' || name?.kind === 'response') {
    const operand = { content: name, span: { start, end: start + text.length } };
    return { kind: 'computed', expression: { kind: 'operand', ...operand }, operands: [operand], ...given };
  }
  if (!isArithmetic) return { kind: 'invalid', reason: 'Only a variable or a path into a response has a default.' };
  const reading = readExpression(text.slice(1), start + 1);
  if (!reading.ok) return { kind: 'invalid', reason: reading.reason };
  return { kind: 'computed', expression: reading.expression, operands: reading.operands, ...given };
}

function readHelper(text: string, start: number): ReferenceContent {
  const name = /^\$[A-Za-z0-9_-]*/.exec(text)?.[0] ?? '$';
  const shape = Object.hasOwn(HELPERS, name) ? HELPERS[name] : undefined;
  if (shape === undefined) {
    const instead = insteadOfHelper(name);
    return { kind: 'invalid', reason: `There is no helper ${name}.${instead === undefined ? '' : ` ${instead}`}` };
  }
  const rest = text.slice(name.length);
  const args = shape.args === 'text' ? textArgument(rest, start + name.length) : words(rest, start + name.length);
  if (args.length < shape.count || args.length > (shape.most ?? shape.count)) {
    const bare = rest.includes('{{') ? ' Inside {{ }}, use variable names without braces.' : '';
    return { kind: 'invalid', reason: `It is written {{${shape.usage}}}.${bare}` };
  }
  if (name === '$randomInt') {
    const [low, high] = args.map((arg) => (/^-?\d+$/.test(arg.text) ? BigInt(arg.text) : undefined));
    if (low === undefined || high === undefined || low > high)
      return { kind: 'invalid', reason: 'Two integers are due, the smaller one first.' };
  }
  return { kind: 'helper', name, args };
}

function textArgument(rest: string, offset: number): Token[] {
  const text = rest.trim();
  if (text === '') return [];
  const start = offset + rest.length - rest.trimStart().length;
  return [{ text, span: { start, end: start + text.length } }];
}

function words(rest: string, offset: number): Token[] {
  // Inside a JSON string the quotes around a text are escaped.
  return [...rest.matchAll(/\\?"([^"\\]*)\\?"|\S+/g)].map((match) => {
    const start = offset + match.index;
    const [whole, quoted] = match;
    return { text: quoted === undefined ? whole : `"${quoted}"`, span: { start, end: start + whole.length } };
  });
}

/** The text that is inside a JSON string; as it is where it is not JSON. */
export function unescapeJson(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}

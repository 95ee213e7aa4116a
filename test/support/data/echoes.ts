// Echoes of secrets as chance spells and escapes them, and a plain redactor over whole texts to compare with: regular
// expressions built here, not the code under test.
import type { Chance } from '../../contract/endurance/fuzz-random';

const NAMES: Readonly<Record<string, string>> = { '+': 'plus', '/': 'sol', '=': 'equals', _: 'lowbar', '.': 'period' };

const hex = (char: string, digits: number): string => char.charCodeAt(0).toString(16).padStart(digits, '0');

const percent = (char: string): string =>
  [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Ways to write one character. */
const ESCAPES: readonly ((char: string) => string)[] = [
  (char) => `\\u${hex(char, 4)}`,
  (char) => `\\u${hex(char, 4).toUpperCase()}`,
  (char) => `\\\\u${hex(char, 4)}`,
  (char) => `\\x${hex(char, 2)}`,
  (char) => (/[!-/:-@]/.test(char) ? `\\${char}` : char),
  percent,
  (char) => percent(char).toUpperCase(),
  (char) => percent(char).replaceAll('%', '%25'),
  (char) => percent(char).replaceAll('%', '\\u0025'),
  (char) => `&#${char.charCodeAt(0)};`,
  (char) => `&#00${char.charCodeAt(0)};`,
  (char) => `&#${char.charCodeAt(0)}`,
  (char) => `&#x${hex(char, 2)};`,
  (char) => `&#X${hex(char, 4).toUpperCase()};`,
  (char) => `&#x${hex(char, 2)}`,
  (char) => `&amp;#${char.charCodeAt(0)};`,
  (char) => `\\u0026#${char.charCodeAt(0)};`,
  (char) => (NAMES[char] === undefined ? char : `&${NAMES[char]};`),
  (char) => (NAMES[char] === undefined ? char : `&${NAMES[char]}`),
];

/** The secret in one of its spellings, in one escape, in several, or in none. */
export function echoOf(secret: string, random: Chance): string {
  const around = Buffer.from('x'.repeat(random.below(3)) + secret + 'yz'.slice(random.below(3)));
  const plain = random.pick([
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
    around.toString('base64'),
    around.toString('base64url'),
  ]);
  const escapes = random.once(3) ? [] : random.once(2) ? ESCAPES : [random.pick(ESCAPES)];
  const isRare = random.once(2);
  return [...plain]
    .map((char) => (escapes.length === 0 || (isRare && !random.once(5)) ? char : random.pick(escapes)(char)))
    .join('');
}

/** Text that looks like echoes: beginnings of them, open escapes, rows of backslashes. */
export function noiseOf(secret: string, random: Chance): string {
  const pieces: readonly (() => string)[] = [
    () => '\\'.repeat(random.below(11)),
    () =>
      random.pick([
        '\\u',
        '\\u00',
        '\\u002',
        '%',
        '%2',
        '%25',
        '&',
        '&#',
        '&#x0',
        '&#00',
        '&am',
        '&amp;',
        '\\x',
        '\\n',
        '\\"',
        '\\/',
      ]),
    () => echoOf(secret, random).slice(0, random.below(40)),
    () => echoOf(secret, random).slice(random.below(40)),
    () => random.pick(['"', '{"a":', 'ü', '😀', 'plain text ', secret.slice(0, -1), secret.slice(1)]),
  ];
  return random.pick(pieces)();
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/&#-]/g, '\\$&');
/** An expression for one character, ASCII and none of `\ % &`, in every escape. */
function expressionOf(char: string, ignoresCase: boolean): string {
  const anyCase = (digits: string): string => digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const one = (each: string): string => {
    const two = anyCase(hex(each, 2));
    const slashes = `\\\\{1,${MOST_SLASHES}}(?!\\\\)`;
    const percents = `(?:%|${slashes}u0025)(?:25){0,3}`;
    const ampersands = `(?:&|${slashes}u0026)(?:amp;){0,3}`;
    const number = `#(?:0{0,6}${each.charCodeAt(0)}|[xX]0{0,6}${two})`;
    const name = NAMES[each] === undefined ? '' : `|${NAMES[each]}`;
    return [
      escaped(each),
      `${percents}${two}`,
      `${slashes}(?:u00${two}|x${two}${/\w/.test(each) ? '' : `|${escaped(each)}`})`,
      `${ampersands}(?:${number}${name});?`,
    ].join('|');
  };
  const both = ignoresCase && char.toUpperCase() !== char ? `${one(char)}|${one(char.toUpperCase())}` : one(char);
  return `(?:${both})`;
}

/** Finds whole texts' secrets: slow and simple. Secrets are ASCII without `\ % &`. */
export function plainRedactor(secrets: readonly string[]): (text: string) => string {
  const found = secrets.flatMap((secret) => {
    const bytes = Buffer.from(secret);
    const exact = new Set([secret]);
    for (let before = 0; before < 3; before++) {
      // Only whole groups of six bits of the secret, which do not depend on its neighbours.
      const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
      const own = shifted.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((shifted.length * 8) / 6));
      exact.add(own).add(own.replaceAll('+', '-').replaceAll('/', '_'));
    }
    const all = [...exact].filter((text) => text.length >= 6);
    return [bytes.toString('hex'), ...all].map(
      (text, at) => new RegExp([...text].map((char) => expressionOf(char, at === 0)).join(''), 'g'),
    );
  });
  return (text) => {
    const escapes = [...text.matchAll(/\\(?:u[0-9a-fA-F]{0,3}[^\\]|[^])/g)].map(({ index, 0: all }) => [
      index,
      index + all.length,
    ]);
    /** Of a run of backslashes only the last one, or the last pair, belongs to what follows. */
    const mayStart = (at: number): boolean => {
      const run = /^\\*/.exec(text.slice(at))?.[0].length ?? 0;
      const whole = (/\\*$/.exec(text.slice(0, at))?.[0].length ?? 0) + run;
      return run === 0 || run === 2 - (whole % 2);
    };
    const spans: (readonly [start: number, end: number])[] = [];
    for (const expression of found) {
      for (expression.lastIndex = 0; ;) {
        const match = expression.exec(text);
        if (match === null) break;
        const { index } = match;
        const [start = index] = escapes.find(([from = 0, to = 0]) => from < index && index < to) ?? [];
        if (mayStart(index)) spans.push([start, expression.lastIndex]);
        expression.lastIndex = index + 1;
      }
    }
    spans.sort(([one], [other]) => one - other);
    let clean = '';
    let until = 0;
    for (const [start, end] of spans) {
      if (start >= until) clean += `${text.slice(until, start)}[redacted]`;
      until = Math.max(until, end);
    }
    return clean + text.slice(until);
  };
}

/** Redactors read no escape with more backslashes. */
const MOST_SLASHES = 8;
/** In place of such an escape. */
const UNREAD = '\ufffd';
/** Decoded characters that could be part of another escape are moved here, to Unicode's private use area. */
const ASIDE = 0xe000;

/**
 * The text with its escapes decoded repeatedly. A decoded character is never a digit of another escape:
 * encoders escape the sign that introduces one, and chance alone writes `\u00\u0036\u0031` for an `a`.
 */
export function unescapedDeep(text: string): string {
  const charOf = (digits: string | undefined): string => {
    const code = Number.parseInt(digits ?? '', 16);
    return String.fromCharCode(/[0-9a-z]/i.test(String.fromCharCode(code)) ? ASIDE + code : code);
  };
  let plain = text;
  for (let times = 0; times < 4; times++)
    plain = plain
      .replace(/(\\+)(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_, slashes: string, long?: string, short?: string) =>
        slashes.length > MOST_SLASHES ? UNREAD : charOf(long ?? short),
      )
      .replace(/(\\+)([^\w\\])/g, (_, slashes: string, char: string) => (slashes.length > MOST_SLASHES ? UNREAD : char))
      .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => charOf(digits))
      .replace(/&amp;?/g, '&')
      .replace(/&#x0*([0-9a-f]{2});?/gi, (_, digits: string) => charOf(digits));
  return plain.replace(/[\ue000-\ue07f]/g, (char) => String.fromCharCode(char.charCodeAt(0) - ASIDE));
}

// Request files to try things on: every one of the project, the example of every method, and damage done to their texts.
// The same seed gives the same damage.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { METHODS } from '../../../core/requests/methods';

/** An integer from 0 to below `below`. */
export type Random = (below: number) => number;

/** A small pseudo-random generator: the same numbers each time. */
export function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export const oneOf = <T>(random: Random, items: readonly T[]): T => {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
};

/** The text of every request file under test/ and examples/. */
export function everyFile(): readonly string[] {
  return ['test', 'examples'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonrpc') && !name.includes('node_modules'))
      .sort()
      .map((name) => readFileSync(path.join(folder, name), 'utf8')),
  );
}

/** A request with the example of each method. */
export const everyExample = (): readonly string[] =>
  METHODS.map(({ name, example }) => `### ${name}\n${JSON.stringify({ method: name, params: example })}\n`);

/** Pieces that people and accidents put into such texts. */
const PIECES = [
  '',
  '\n',
  '\r\n',
  '### x\n',
  '\n###',
  '# @name r1\n',
  '# @timeout 5s\n',
  '@a = {{b}}\n',
  '@__proto__ = 1\n',
  '{{__proto__}}',
  '{{constructor.x}}',
  '"__proto__": 1, ',
  '"constructor": {}, ',
  '"toString"',
  '{{a}}',
  '"{{r1.result}}"',
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  ',',
  ', ,',
  ':',
  '//',
  '/* x */',
  '/*',
  '# ',
  '?? result == 1\n',
  '?? error.code exists',
  '>> out.json\n',
  'POST https://example.com\n',
  'WS\n',
  'GRPC geyser.Geyser/Subscribe\n',
  'Authorization: x\n',
  'null',
  'true',
  '-0',
  '1.0',
  '1e3',
  '18446744073709551615',
  '18446744073709551616',
  '"id": 1, ',
  '"method": "getSlot", ',
  '"api_key": "x", ',
  '"encoding": "base58", ',
  'getBalance',
  'processed',
  '\u0000',
  '\u2028',
  '😀',
  '\ud83d',
  '\u00e4',
  '\ufeff',
  '\t',
  '1'.repeat(32),
];

/** The text with one range replaced, mostly a short one: by a piece, by another part of the text, or deleted. */
export function damaged(random: Random, text: string): string {
  const start = random(text.length + 1);
  const length = random(4) === 0 ? random(40) : random(3);
  const from = random(text.length + 1);
  const put = random(3) === 0 ? text.slice(from, from + random(30)) : oneOf(random, PIECES);
  return text.slice(0, start) + put + text.slice(start + length);
}

/** Text without any sense: code units of all kinds, mostly those the format means something by. */
export function noise(random: Random, length: number): string {
  const meant = '{}[]":,#@/?>\n\r\t \\=$.0123456789abcdefgetSlot-+*';
  const unit = (): string =>
    random(12) === 0 ? String.fromCharCode(random(0x10000)) : meant.charAt(random(meant.length));
  return Array.from({ length }, unit).join('');
}

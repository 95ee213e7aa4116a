// Keys in texts and in streams: every spelling, every escape, every cut; and what must stay as it is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { redact, redactCut, SecretPatterns } from '../../../core/service/redaction/redact';
import { SecretPrefilter } from '../../../core/service/redaction/prefilter';
import { StreamRedactor } from '../../../core/service/redaction/stream';
import { compareRedactors } from './compare';

const KEY = 'sk-live+7/Qw9=zzzABCDEF012345';
const PATTERNS = new SecretPatterns([KEY]);

function pushed(pieces: readonly Uint8Array[]): string {
  const stream = new StreamRedactor(PATTERNS);
  return Buffer.concat([...pieces.map((piece) => stream.push(piece)), stream.end()]).toString();
}

const codes = (write: (code: number, char: string) => string): string =>
  [...KEY].map((char) => write(char.charCodeAt(0), char)).join('');
const hexOf = (code: number, digits = 2): string => code.toString(16).padStart(digits, '0');

const SPELLINGS: Readonly<Record<string, string>> = {
  'as it is': KEY,
  'percent-encoded': encodeURIComponent(KEY),
  'percent-encoded in lower case': encodeURIComponent(KEY).replace(/%../g, (code) => code.toLowerCase()),
  'percent-encoded in full': codes((code) => `%${hexOf(code)}`),
  'percent-encoded twice': encodeURIComponent(encodeURIComponent(KEY)),
  'in hex': Buffer.from(KEY).toString('hex'),
  'in upper-case hex': Buffer.from(KEY).toString('hex').toUpperCase(),
  'in \\u escapes': codes((code) => `\\u${hexOf(code, 4)}`),
  'in upper-case \\u escapes': codes((code) => `\\u${hexOf(code, 4).toUpperCase()}`),
  'in \\u escapes here and there': codes((code, char) => (code % 3 === 0 ? `\\u${hexOf(code, 4)}` : char)),
  'with \\/': KEY.replaceAll('/', '\\/'),
  'in JSON in JSON': codes((code) => `\\\\u${hexOf(code, 4)}`),
  'in \\x escapes': codes((code) => `\\x${hexOf(code)}`),
  'in decimal entities': codes((code) => `&#${code};`),
  'in hexadecimal entities': codes((code) => `&#x${hexOf(code)};`),
  'in upper-case hexadecimal entities': codes((code) => `&#X${hexOf(code).toUpperCase()};`),
  'in entities with leading zeros': codes((code) => `&#000${code};`),
  'in entities without semicolons': codes((code) => `&#${code}`),
  'in escaped entities': codes((code) => `&amp;#${code};`),
  'in entities within JSON': codes((code) => `\\u0026#${code};`),
  'in named entities': KEY.replace('+', '&plus;').replace('/', '&sol;').replace('=', '&equals;'),
  'in a bit of everything': codes(
    (code, char) =>
      [char, `%${hexOf(code)}`, `\\u${hexOf(code, 4)}`, `&#${code};`, `&#x${hexOf(code)}`][code % 5] ?? '',
  ),
};

describe('a key', () => {
  for (const [name, spelling] of Object.entries(SPELLINGS))
    test(`${name} is found, wherever a piece is cut`, () => {
      const text = `{"said":"<${spelling}>","n":1}`;
      const expected = '{"said":"<[redacted]>","n":1}';
      assert.equal(redact(text, PATTERNS), expected);
      const bytes = Buffer.from(text);
      assert.equal(pushed([...bytes].map((byte) => Uint8Array.of(byte))), expected);
      for (let at = 0; at <= bytes.length; at++)
        assert.equal(pushed([bytes.subarray(0, at), bytes.subarray(at)]), expected, `cut at ${at}`);
    });

  test('in base64 is found in both alphabets, at each offset, with its slashes escaped or not', () => {
    for (const form of ['base64', 'base64url'] as const)
      for (const before of ['', 'x', 'xy', 'user:'])
        for (const write of [
          (text: string) => text,
          (text: string) => text.replaceAll('/', '\\/'),
          encodeURIComponent,
        ]) {
          const text = `"${write(Buffer.from(`${before}${KEY} after`).toString(form))}"`;
          const clean = redact(text, PATTERNS);
          assert.match(clean, /\[redacted\]/, text);
          const left = clean.split('[redacted]').map((part) => Buffer.from(part, form).toString('latin1'));
          assert.ok(!left.join('').includes('live'), clean);
        }
  });

  test('that overlaps another one leaves nothing of either', () => {
    const both = new SecretPatterns(['abcdefghij', 'ghijklmnop']);
    assert.equal(redact('<abcdefghijklmnop>', both), '<[redacted]>');
  });

  test('whose beginning is cut off with a text leaves no beginning', () => {
    for (const spelling of [KEY, SPELLINGS['in \\u escapes'] ?? '', SPELLINGS['in decimal entities'] ?? ''])
      for (let at = 1; at < spelling.length; at++)
        assert.equal(redactCut(`said: ${spelling.slice(0, at)}`, PATTERNS), 'said: ');
    assert.equal(redactCut('said: nothing', PATTERNS), 'said: nothing');
  });

  test('of non-ASCII characters, quotes, backslashes and escapes is found', () => {
    for (const key of [
      'schlüssel-✓-😀',
      'k+ey/with "odd" signs',
      'back\\slash\\u0041',
      '100%25&amp;key',
      'half\ud800\u{1F600}',
    ]) {
      const patterns = new SecretPatterns([key]);
      const { isWellFormed } = { isWellFormed: !/\p{Surrogate}/u.test(key) };
      const spellings = [key, JSON.stringify(key).slice(1, -1), ...(isWellFormed ? [encodeURIComponent(key)] : [])];
      for (const spelling of spellings) assert.equal(redact(`a ${spelling} b`, patterns), 'a [redacted] b', spelling);
    }
  });
});

describe('a text without a key', () => {
  const texts = [
    'nothing here',
    '{"path":"a\\/b","more":"\\u002b\\u0022\\\\u002b\\\\\\/"}',
    '"\\\\\\\\"',
    `"${KEY.slice(0, 8)}\\/\\u0041"`,
    `${KEY.slice(0, -1)} %2B %25 &#43; &plus; &amp;`,
    '\ufeffGrüße, 東京, 🦀 100%',
  ];
  for (const text of texts)
    test(`stays as it is: ${text}`, () => {
      assert.equal(redact(text, PATTERNS), text);
      const bytes = Buffer.from(text);
      for (let at = 0; at <= bytes.length; at++)
        assert.equal(pushed([bytes.subarray(0, at), bytes.subarray(at)]), text);
    });

  test('is not copied', () => {
    const bytes = Buffer.from('{"jsonrpc":"2.0"}');
    assert.equal(new StreamRedactor(PATTERNS).push(bytes), bytes);
  });
});

test('JSON around a key stays valid where the key begins inside an escape', () => {
  for (const [key, text] of [
    ['nsk-live-0123', '{"a":"\\nsk-live-0123"}'],
    ['u0041sk-live-0', '{"a":"\\u0041sk-live-0"}'],
    ['41sk-live-0', '{"a":"\\\\\\u0041sk-live-0"}'],
  ] as const) {
    const patterns = new SecretPatterns([key]);
    const clean = redact(text, patterns);
    assert.match((JSON.parse(clean) as { readonly a: string }).a, /\[redacted\]$/);
  }
});

test('short secrets are not searched', () => {
  assert.ok(new SecretPatterns(['abcde']).isEmpty);
  assert.equal(redact('abcde', new SecretPatterns(['abcde'])), 'abcde');
});

test('random echoes of random keys, cut at random: as a plain redactor of the whole text finds them', () => {
  assert.deepEqual(compareRedactors(250, 1).problems, []);
});

describe('the prefilter', () => {
  /** A repeatable row of letters. */
  function lettersOf(length: number, seed: number): string {
    let state = seed;
    return Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return String.fromCharCode(0x61 + ((state >> 8) % 26));
    }).join('');
  }
  const filterOf = (texts: readonly string[]): SecretPrefilter =>
    new SecretPrefilter(texts.map((text) => ({ text, ignoresCase: false })));

  test('never misses a text, wherever it is', () => {
    for (const length of [4, 6, 10, 11, 12, 31, 80]) {
      const texts = [lettersOf(length, 7), lettersOf(length + 5, 9)];
      const filter = filterOf(texts);
      for (const text of texts) {
        for (let at = 0; at <= 200; at++) {
          const around = lettersOf(300, at);
          const all = around.slice(0, at) + text + around.slice(at + text.length);
          assert.ok(filter.mayHold(Buffer.from(all)) && filter.mayHoldText(all), `${length} at ${at}`);
          assert.ok(filter.mayHold(Buffer.from(text)) && filter.mayHoldText(text), `${length} alone`);
        }
      }
    }
  });

  test('rules most bytes out', () => {
    const filter = filterOf([lettersOf(40, 3), lettersOf(52, 4)]);
    const others = Array.from({ length: 500 }, (_, seed) => lettersOf(1_000, seed + 1_000));
    assert.ok(others.filter((text) => filter.mayHold(Buffer.from(text))).length < 50);
    assert.ok(others.filter((text) => filter.mayHoldText(text)).length < 50);
    assert.equal(filterOf([]).mayHold(Buffer.from(lettersOf(100, 1))), false);
  });
});

test('a key is taken out in both alphabets of base64, alone and inside a longer text', () => {
  const key = 'ÿþ?>~~ÿÿkey?>~';
  const patterns = new SecretPatterns([key]);
  for (const alphabet of ['base64', 'base64url'] as const)
    for (const before of ['', 'a', 'ab']) {
      const text = Buffer.from(`${before}${key}after`).toString(alphabet);
      assert.match(text, alphabet === 'base64' ? /[+/]/ : /[-_]/);
      assert.notEqual(redact(text, patterns), text);
    }
});

// The pure parts of the terminal: keys on argv and stdin, origins, times, escapes, exit codes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readArguments } from '../../../cli/options';
import { refuseKeys } from '../../../cli/session/keysInArgv';
import { keyPort, listedOrigins, parseKeys } from '../../../cli/session/keys';
import { escapeXml } from '../../../cli/report/junit';
import { findingText } from '../../../cli/report/place';
import { exitCodeOf } from '../../../cli/run';
import { escapeLine, escapeText, jsonFor, painterFor } from '../../../cli/terminal';
import { timeOf } from '../../../cli/usage';
import { Secret } from '../../../core/service/keys/secret';
import { runText } from '../../support/process/run';

describe('keys', () => {
  test('arguments that only sound like keys are taken', () => {
    const fine = [
      '--key-stdin',
      '--key-id',
      'k_1',
      '--name',
      'token',
      'token.jsonrpc',
      '--var',
      'mint=abc',
      'https://h/sol?monkey=1',
    ];
    assert.doesNotThrow(() => {
      refuseKeys(fine);
    });
    assert.equal(readArguments('usage', ['--key-id', 'k_1']).text('key-id'), 'k_1');
  });

  test('standard input is one RPC key, or one key per type', () => {
    assert.ok(parseKeys('abc\n').get('rpc')?.equals(new Secret('abc')));
    const typed = parseKeys('swqos=s\ngrpc=g=1\n\nrpc=r\n');
    assert.ok(typed.get('swqos')?.equals(new Secret('s')));
    assert.ok(typed.get('grpc')?.equals(new Secret('g=1')));
    assert.ok(typed.get('rpc')?.equals(new Secret('r')));
    assert.throws(() => parseKeys('a\nb'), /two keys/);
  });

  test('a key goes to exactly the allowed origins', async () => {
    const port = keyPort(
      new Map([['rpc', new Secret('k')]]),
      new Set(listedOrigins('https://a.example, https://b.example:8443')),
    );
    const ask = async (origin: string): Promise<string> => {
      const query = { type: 'rpc', profile: 'p', origin, interface: 'rpc' } as const;
      return (await port.key(query, new AbortController().signal)).kind;
    };
    assert.equal(await ask('https://a.example'), 'lease');
    assert.equal(await ask('https://b.example:8443'), 'lease');
    for (const other of [
      'http://a.example',
      'https://a.example:8443',
      'https://a.example.evil',
      'https://x.a.example',
      'https://b.example',
    ]) {
      assert.equal(await ask(other), 'none', other);
    }
  });

  test('an invalid origin is refused', () => {
    assert.throws(() => listedOrigins('a.example'), /SOLANA_RPC_ORIGIN/);
  });
});

test('times are Unix seconds, spans before now, and dates', () => {
  assert.equal(timeOf('1700000000', 'from', 0), 1_700_000_000);
  assert.equal(timeOf('2h', 'from', 10_000), 2_800);
  assert.equal(timeOf('2026-01-31T00:00:00Z', 'from', 0), 1_769_817_600);
  for (const text of ['', 'yesterday', '5', '1w', '2026-13-01']) assert.throws(() => timeOf(text, 'from', 0), /--from/);
});

describe('escapes', () => {
  test('of a terminal leave nothing that steers it', () => {
    assert.equal(escapeText('\u001b[2J\u0000\u009b\u202e'), '\\u001b[2J\\u0000\\u009b\\u202e');
    assert.equal(escapeLine('a\r\nb\tc'), 'a\\nb c');
    assert.doesNotMatch(escapeText('::error::x\n ##[group]y ##vso[task]z'), /^::|##(?:vso)?\[/m);
    assert.equal(escapeLine('x'.repeat(20), 10).length, 10);
    assert.equal(escapeLine('x😀y', 3), 'x…');
    assert.equal(escapeText('\ud83d \u{1bca0}\ufe01'), '\\ud83d \\ud82f\\udca0\\ufe01');
    for (const emoji of ['⚠️', '👨‍👩‍👧', '1️⃣']) assert.equal(escapeText(emoji), emoji);
    assert.equal(jsonFor({ isTTY: true }, '"\u202e"'), '"\\u202e"');
  });

  test('of XML leave nothing that XML cannot hold', () => {
    assert.equal(escapeXml('<a b="c">&\'\u0000\ud800'), '&lt;a b=&quot;c&quot;&gt;&amp;&apos;\\u0000\\ud800');
  });

  test('colours need a terminal and the absence of NO_COLOR', () => {
    assert.equal(painterFor({ isTTY: true }, {}).bad('x'), '\u001b[31mx\u001b[0m');
    assert.equal(painterFor({ isTTY: true }, { NO_COLOR: '1' }).bad('x'), 'x');
    assert.equal(painterFor({ isTTY: false }, {}).bad('x'), 'x');
  });
});

test('a caret is under its position in a line of any length', () => {
  const line = `${'x'.repeat(5_000)}HERE${'y'.repeat(5_000)}`;
  const range = { start: { line: 0, character: 5_000 }, end: { line: 0, character: 5_004 } };
  const finding = { file: 'f', code: 'c', severity: 'error', message: 'm', range };
  const [, shown = '', carets = ''] = findingText(finding, [line], painterFor({}, {})).split('\n');
  assert.equal(shown.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1), 'HERE');
});

describe('exit codes', () => {
  const refused = '{"id":1,"error":{"code":1,"message":"no"}}';
  const cases: readonly (readonly [string, string, number])[] = [
    ['all passed', '### a\n{"method":"a"}', 0],
    ['an assertion', '### a\n{"method":"a"}\n?? result == 2', 4],
    ['a confirmation', '### a\n# @note x\n{"method":"a"}', 1],
    ['a confirmation and an assertion', '### a\n# @note x\n{"method":"a"}\n### b\n{"method":"a"}\n?? result == 2', 4],
    ['skipped', '### a\n# @disabled\n{"method":"a"}', 0],
  ];
  for (const [name, text, code] of cases) {
    test(`${name} gives ${code}`, async () => {
      assert.equal(exitCodeOf((await runText(text)).report), code);
    });
  }

  test('an error of the service gives 3', async () => {
    assert.equal(exitCodeOf((await runText('### a\n{"method":"a"}', { reply: [refused] })).report), 3);
  });
});

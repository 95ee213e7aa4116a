// The two fixtures that show the whole format: one without a diagnostic, one with each of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseDocument } from '../../../core/document/document';
import { rangeOf } from '../../../core/document/lines';
import { CODES } from '../../../core/language/checks/codes';
import { diagnose } from '../../../core/language/checks/diagnostics';
import { withoutSilenced } from '../../../core/language/checks/file/silence';
import { BEYOND_THE_FILE } from '../../corpus/marks';

const read = (name: string): string => readFileSync(`test/fixtures/${name}`, 'utf8');

interface Row {
  readonly code: string;
  readonly severity: string;
  readonly range: unknown;
}

function rows(text: string): Row[] {
  const document = parseDocument('file:///project/test.jsonrpc', 0, text);
  const surroundings = { imports: { documentOf: () => undefined }, endpoints: ['mainnet', 'local'] };
  return withoutSilenced(document, diagnose({ document, surroundings })).map(
    ({ placed, problem: { code, severity, span } }) => ({
      code,
      severity,
      range: rangeOf(placed, span),
    }),
  );
}

test('the valid fixture has no diagnostics', () => {
  assert.deepEqual(rows(read('valid.jsonrpc')), []);
});

test('the valid fixture has none with CRLF and a byte order mark either', () => {
  assert.deepEqual(rows('\uFEFF' + read('valid.jsonrpc').replaceAll('\n', '\r\n')), []);
});

test('each fault of the faulty fixture is found at its place', () => {
  assert.deepEqual(rows(read('faulty.jsonrpc')), JSON.parse(read('faulty.json')));
});

test('the ranges are the same with CRLF', () => {
  assert.deepEqual(rows(read('faulty.jsonrpc').replaceAll('\n', '\r\n')), JSON.parse(read('faulty.json')));
});

test('the faulty fixture shows every code', () => {
  const shown = new Set((JSON.parse(read('faulty.json')) as Row[]).map(({ code }) => code));
  assert.deepEqual(
    Object.keys(CODES).filter((code) => !shown.has(code)),
    BEYOND_THE_FILE,
  );
});

// A fixture that shows the whole format, in which nothing is found.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { rangeOf } from '../../../core/requests/document/lines';
import { diagnose } from '../../../core/requests/checks/diagnostics';
import { withoutSilenced } from '../../../core/requests/checks/file/silence';

const read = (name: string): string => readFileSync(`test/fixtures/${name}`, 'utf8');

const found = (text: string): readonly string[] => {
  const document = parseDocument('file:///project/test.jsonrpc', 0, text);
  const surroundings = { imports: { documentOf: () => undefined }, endpoints: ['mainnet', 'local'] };
  return withoutSilenced(document, diagnose({ document, surroundings })).map(
    ({ placed, problem: { code, span } }) => `${code} ${JSON.stringify(rangeOf(placed, span))}`,
  );
};

test('the valid fixture has no diagnostics', () => {
  assert.deepEqual(found(read('valid.jsonrpc')), []);
});

test('the valid fixture has none with CRLF and a byte order mark either', () => {
  assert.deepEqual(found('\uFEFF' + read('valid.jsonrpc').replaceAll('\n', '\r\n')), []);
});

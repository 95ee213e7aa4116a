// Zero false alarms: no block of the valid corpus gives an error or a warning. CONTRIBUTING.md, "The corpus".
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { documentFor, filesOf, findings, readDocument, requestsIn } from '../../../corpus/check';
import { METHODS } from '../../../corpus/methods';
import { geyserBlock, VALID_MESSAGES } from '../../../corpus/geyser';
import { printFinding } from '../../../corpus/marks';
import { bodyOf, callsOf, VALID_CALLS } from '../../../corpus/variants';

const isAlarm = ({ severity }: { readonly severity: string }): boolean =>
  severity === 'error' || severity === 'warning';

/** Of a systematic call: leaving maxSupportedTransactionVersion out, or giving 0, is valid and warned of on purpose. */
const isFalseAlarm = (finding: { readonly severity: string; readonly code: string }): boolean =>
  isAlarm(finding) && finding.code !== 'legacy-only';

/** The alarms of blocks, each block in a separate file, with the block's text. */
function alarmsOf(blocks: readonly string[]): string[] {
  return blocks.flatMap((block) => {
    const found = findings(documentFor(`### a\n${block}`)).filter(isFalseAlarm);
    return found.length === 0 ? [] : [`${found.map(printFinding).join(', ')} in ${block}`];
  });
}

describe('hand-written files', () => {
  for (const { name, file, text } of filesOf('valid')) {
    test(`${name} gives no error and no warning`, () => {
      assert.deepEqual(findings(readDocument(file, text)).filter(isAlarm).map(printFinding), []);
    });
    test(`${name} gives none with CRLF`, () => {
      const crlf = text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n');
      assert.deepEqual(findings(readDocument(file, crlf)).filter(isAlarm).map(printFinding), []);
    });
  }
});

describe('calls made from the contract', () => {
  for (const facts of METHODS)
    test(`every valid call of ${facts.name} is silent`, () => {
      const calls = callsOf(facts);
      assert.ok(calls.length > 0);
      assert.deepEqual(alarmsOf(calls.map((call) => bodyOf(call))), []);
    });

  test('every call is silent on its own request line and with an envelope', () => {
    const envelope = '"jsonrpc": "2.0", "id": "x", ';
    const lines = { http: ['POST'], ws: ['WS', 'WEBSOCKET'], both: ['POST', 'WS'] } as const;
    const blocks = VALID_CALLS.flatMap((call) => lines[call.on].map((line) => `${line}\n${bodyOf(call, envelope)}`));
    assert.deepEqual(alarmsOf(blocks), []);
  });

  test('calls of HTTP are silent in one batch', () => {
    const calls = VALID_CALLS.filter(({ on }) => on !== 'ws');
    const batch = calls.map((call, id) => bodyOf(call, `"id": ${id}, `)).join(',\n');
    assert.deepEqual(alarmsOf([`[\n${batch}\n]`]), []);
  });

  test('every call of sendTransaction is silent on the priority line', () => {
    const calls = VALID_CALLS.filter(({ method }) => method === 'sendTransaction');
    assert.deepEqual(alarmsOf(calls.map((call) => `SWQOS\n${bodyOf(call)}`)), []);
  });

  for (const method of new Set(VALID_MESSAGES.map(({ call }) => call)))
    test(`every valid message of ${method} is silent`, () => {
      assert.deepEqual(alarmsOf(VALID_MESSAGES.filter(({ call }) => call === method).map(geyserBlock)), []);
    });
});

test('the corpus contains at least 100 hand-written requests and 1,000 more, over all methods of the contract', () => {
  const byHand = filesOf('valid').reduce((sum, { file, text }) => sum + requestsIn(readDocument(file, text)), 0);
  assert.ok(byHand >= 100, String(byHand));
  assert.ok(VALID_CALLS.length + VALID_MESSAGES.length >= 1_000);
  assert.deepEqual(new Set(VALID_CALLS.map(({ method }) => method)), new Set(METHODS.map(({ name }) => name)));
});

// A sendTransaction block as its simulation: one block changed in place, every line where it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { simulationOf } from '../../../core/requests/language/features/simulate';

const simulated = (text: string, line = 0): string | undefined =>
  simulationOf(parseDocument('file:///a.jsonrpc', 1, text), line);

test('the method, the options and the request line become those of a simulation', () => {
  assert.equal(
    simulated(
      '### Land\n# @name land\n# @note real\nSWQOS\n{ "method": "sendTransaction", "params": ["{{$file ./t}}", { "encoding": "base64", "preflightCommitment": "confirmed" }] }\n?? result isString\n>> out.json\n',
    ),
    '### Land\n# \n# \nPOST\n{ "method": "simulateTransaction", "params": ["{{$file ./t}}", { "encoding": "base64", "sigVerify": false, "innerInstructions": true, "commitment": "confirmed" }] }\n\n\n',
  );
});

test('missing options are added, and options over several lines keep their lines', () => {
  assert.equal(
    simulated('### A\n{ "method": "sendTransaction", "params": ["x"] }\n'),
    '### A\n{ "method": "simulateTransaction", "params": ["x", { "sigVerify": false, "innerInstructions": true }] }\n',
  );
  const text =
    '### A\n{ "method": "sendTransaction", "params": ["x", {\n  "encoding": "base64"\n}] }\n### B\n{ "method": "getSlot" }\n';
  const changed = simulated(text) ?? '';
  assert.equal(changed.split('\n').length, text.split('\n').length);
  assert.equal(changed.split('\n')[4], '### B');
});

test('any other block cannot be simulated', () => {
  for (const text of [
    '### A\n{ "method": "getSlot" }\n',
    '### A\n',
    '### A\n[{ "method": "sendTransaction" }]\n',
    '### A\n{ nope\n',
  ])
    assert.equal(simulated(text), undefined);
});

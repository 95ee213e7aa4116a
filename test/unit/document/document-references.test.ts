// A text of nothing but references: their number is bounded, with a finding that stops a run, and the rest is not read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { MAX_REFERENCES } from '../../../core/requests/document/variables/reference';
import { diagnose } from '../../../core/requests/checks/diagnostics';

const COUNT = 4_000_000;

for (const [what, text] of Object.entries({
  variable: `@b = 1\n@a = ${'{{b}}'.repeat(COUNT)}\n### x\n{ "method": "getBalance", "params": ["{{a}}"] }\n`,
  body: `@b = 1\n### x\n{ "method": "getBalance", "params": ["${'{{b}}'.repeat(COUNT)}"] }\n`,
}))
  test(`${COUNT} references in a ${what} are one finding`, () => {
    const document = parseDocument('file:///a.jsonrpc', 1, text);
    const blocks = document.blocks.map(({ block }) => block);
    for (const { references } of blocks) assert.ok(references.length <= MAX_REFERENCES);
    const found = diagnose({ document, surroundings: {} }).filter(({ problem }) =>
      problem.message.startsWith(`A block holds at most ${MAX_REFERENCES} references`),
    );
    assert.deepEqual(
      found.map(({ problem: { code, severity } }) => [code, severity]),
      [['unresolved-variable', 'error']],
    );
  });

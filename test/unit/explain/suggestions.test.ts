// Suggestions for sending a simulated transaction, and how they are written into a request file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { feeLevels } from '../../../core/solana/explain/recentFees';
import { transactionMemberEdits } from '../../../core/requests/language/features/transactionMembers';
import { loadedLimitFor, unitLimitFor } from '../../../core/requests/transaction/limits';
import type { JsonObject } from '../../../core/solana/json/json';

test('limits have room above what was used, and end at what the runtime allows', () => {
  assert.deepEqual([0n, 150n, 20_000n, 1_399_999n].map(unitLimitFor), [1_000, 1_165, 23_000, 1_400_000]);
  assert.deepEqual([1n, 32_768n, 32_769n, 100_000_000n].map(loadedLimitFor), [32_768, 32_768, 65_536, 67_108_864]);
});

test('fees are the nearest ranks of recent slots, in any order; none without a slot', () => {
  const answer = (fees: readonly number[]): JsonObject => ({
    result: fees.map((prioritizationFee, slot) => ({ slot, prioritizationFee })),
  });
  const levels = (fees: readonly number[]) =>
    feeLevels(answer(fees))?.map(({ microLamports }) => Number(microLamports));
  assert.deepEqual(levels([900, 100, 300, 200, 400, 500, 1_000, 600, 700, 800]), [500, 800, 900]);
  assert.deepEqual(levels([7]), [7, 7, 7]);
  assert.equal(levels([]), undefined);
  assert.equal(feeLevels({ error: { code: -32601 } }), undefined);
});

const HEAD = '### Slot\n{ "method": "getSlot" }\n\n### Pay\n';
const PAY = `{ "method": "sendTransaction", "params": [{ "$transaction": {
  "computeUnitLimit": "simulate",
  "instructions": [{ "memo": "a" }] } }, { "encoding": "base64" }] }
`;

/** The text with the members written at a line. */
function written(text: string, line: number, members: JsonObject): string | undefined {
  const edits = transactionMemberEdits(parseDocument('file:///a.jsonrpc', 1, text), line, members);
  if (edits === undefined) return undefined;
  const lines = text.split('\n');
  const offset = ({ line: at, character }: { readonly line: number; readonly character: number }): number =>
    lines.slice(0, at).join('\n').length + (at === 0 ? 0 : 1) + character;
  return edits.reduceRight(
    (now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)),
    text,
  );
}

test('a member that is there gets the number, another is added to the transaction', () => {
  assert.equal(written(HEAD + PAY, 3, { computeUnitLimit: 1_165 }), HEAD + PAY.replace('"simulate"', '1165'));
  assert.equal(
    written(HEAD + PAY, 4, { priorityFee: { microLamports: 500 } }),
    HEAD + PAY.replace('"a" }]', '"a" }],\n  "priorityFee": { "microLamports": 500 }'),
  );
});

test('nothing is written where the block sends no transaction of members', () => {
  assert.equal(written(HEAD + PAY, 0, { computeUnitLimit: 5 }), undefined);
  assert.equal(
    written('### A\n{ "method": "sendTransaction", "params": ["AQID"] }\n', 0, { computeUnitLimit: 5 }),
    undefined,
  );
});

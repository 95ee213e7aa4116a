// A transaction whose fee payer could not pay stays in its block (SIMD-0290): an error, a fee of 0, no logs, no calls within
// calls, and a payer that may not exist. It is explained as what it is in every encoding, and replayed without a false alarm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainedAnswer } from '../../../core/solana/explain/given';
import type { Explanation } from '../../../core/solana/explain/explanation';
import { explanationJson } from '../../../core/solana/explain/json';
import { summaryLines } from '../../../core/solana/explain/summary';
import { explanationLines } from '../../../core/solana/explain/text';
import { NO_PROGRAMS } from '../../../core/solana/decode/decoded';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { printJson, type JsonObject, type JsonValue } from '../../../core/solana/json/json';
import { compile, freshKey, signTransaction, toBase64, transfer } from '../../contract/rpc/rpc-harness';

const [payer, target] = [freshKey('payer without lamports'), freshKey('target of nothing')];
const SYSTEM = '11111111111111111111111111111111';
const signed = signTransaction(
  compile([transfer(payer.address, target.address, 7n)], [payer], freshKey('hash').address),
  [payer],
);
const HEADER = { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 };
const KEYS = [payer.address, target.address, SYSTEM];
const around = { recentBlockhash: freshKey('hash').address };

/** The transaction as the three encodings of getTransaction have it. */
const ENCODINGS: Readonly<Record<string, JsonValue>> = {
  base64: [toBase64(signed), 'base64'],
  json: {
    signatures: [encodeBase58(signed.subarray(1, 65))],
    message: {
      ...{ header: HEADER, accountKeys: KEYS, ...around },
      instructions: [
        { programIdIndex: 2, accounts: [0, 1], data: encodeBase58(Uint8Array.of(2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0)) },
      ],
    },
  },
  jsonParsed: {
    signatures: [encodeBase58(signed.subarray(1, 65))],
    message: {
      ...around,
      accountKeys: KEYS.map((pubkey, at) => ({ pubkey, signer: at === 0, writable: at < 2, source: 'transaction' })),
      instructions: [
        {
          ...{ program: 'system', programId: SYSTEM, stackHeight: 1 },
          parsed: { type: 'transfer', info: { source: payer.address, destination: target.address, lamports: 7 } },
        },
      ],
    },
  },
};

const META: JsonObject = {
  ...{ err: 'AccountNotFound', status: { Err: 'AccountNotFound' }, fee: 0, computeUnitsConsumed: 0 },
  ...{ preBalances: [0, 5, 1], postBalances: [0, 5, 1], preTokenBalances: [], postTokenBalances: [], rewards: [] },
  loadedAddresses: { writable: [], readonly: [] },
};

/** How nodes answer without logs and calls: with null or an empty list. */
const SILENT: Readonly<Record<string, JsonObject>> = {
  null: { logMessages: null, innerInstructions: null },
  'empty lists': { logMessages: [], innerInstructions: [] },
};

function explained(transaction: JsonValue, meta: JsonObject): Explanation {
  const answer = { result: { slot: 475_000_000, blockTime: 1_793_000_000, version: 'legacy', transaction, meta } };
  const explanation = explainedAnswer(answer, NO_PROGRAMS);
  assert.ok(typeof explanation !== 'string');
  return explanation;
}

for (const [encoding, transaction] of Object.entries(ENCODINGS))
  for (const [silence, silent] of Object.entries(SILENT))
    test(`one in ${encoding} with ${silence} for logs says that it did not run and paid nothing`, () => {
      const explanation = explained(transaction, { ...META, ...silent });
      assert.deepEqual(explanation.fee, { total: 0n });
      assert.deepEqual(explanation.notes, ['It did not run and paid nothing.']);
      const [call] = explanation.calls;
      assert.deepEqual([explanation.calls.length, call?.name, call?.isSkipped], [1, 'transfer', true]);
      assert.equal(explanation.outcome.kind, 'failed');
      const text = explanationLines(explanation).join('\n');
      assert.match(text, /^outcome: failed: .*\(AccountNotFound\)/);
      assert.match(text, /\nfee: 0 lamports \(0 SOL\)\n/);
      assert.match(text, /\n {2}1 {2}System Program: transfer {2}did not run\n/);
      assert.match(
        summaryLines(explanation).join('\n'),
        /^Failed in slot 475,000,000: .*\nDid not run, paid nothing\n/s,
      );
      assert.doesNotMatch(`${text}${printJson(explanationJson(explanation))}`, /-5,?000/);
    });

test('a payer between the fee and the fee with its reserve is said to have paid nothing too', () => {
  const meta = { ...META, err: { InsufficientFundsForRent: { account_index: 0 } }, ...SILENT['null'] };
  const { notes, calls } = explained(ENCODINGS['base64'] ?? null, meta);
  assert.deepEqual([notes.length, calls[0]?.isSkipped], [1, true]);
});

test('a transaction that failed while it ran is not said to have paid nothing, even if its node kept no logs', () => {
  const meta = { ...META, err: { InstructionError: [0, { Custom: 1 }] }, fee: 5_000, ...SILENT['null'] };
  const { notes, calls, fee } = explained(ENCODINGS['base64'] ?? null, meta);
  assert.deepEqual([notes, calls[0]?.isSkipped, fee.base], [[], undefined, 5_000n]);
});

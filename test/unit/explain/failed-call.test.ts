// Where the instruction of a failed call is written in a request file: limits, price, tips and accounts that are created on
// the way are instructions of the message too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { explainedAnswer } from '../../../core/solana/explain/given';
import { compileTransaction } from '../../../core/requests/transaction/compile';
import { pathOfInstruction } from '../../../core/requests/transaction/writtenInstructions';
import { NO_PROGRAMS } from '../../../core/solana/decode/decoded';
import { transactionFromWire } from '../../../core/solana/decode/transactions/decode';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../core/solana/json/json';
import { TOKEN_PROGRAM } from '../../../core/solana/chain/addresses';
import { writeTransaction } from '../../../core/solana/wire/messageWriter';
import type { ExplainResult, FailedCallView } from '../../../protocol/explain';
import { failedCallOf } from '../../../server/explain/failedCall';
import { transactionView } from '../../../server/explain/view';
import { nestedTransaction } from '../../support/data/explainedTransactions';

const address = (byte: number): string => encodeBase58(new Uint8Array(32).fill(byte));
const [WALLET, SHOP, MINT, TIP] = [address(1), address(2), address(3), address(5)];

/** The name of each instruction of the message, with the path of the part that it was made of. */
function places(transaction: JsonValue): readonly string[] {
  const made = compileTransaction(transaction, {
    ...{ programs: NO_PROGRAMS, wallet: WALLET, blockhash: address(9), tables: new Map() },
    mints: new Map([[MINT, { decimals: 6, tokenProgram: TOKEN_PROGRAM }]]),
  });
  assert.ok(made.ok, JSON.stringify(made));
  const signatures = made.signers.map(() => new Uint8Array(64).fill(7));
  const read = transactionFromWire(writeTransaction(made.version, made.message, signatures), NO_PROGRAMS);
  assert.ok(read.ok);
  const { instructions } = read.value;
  return instructions.map(
    ({ name }, at) => `${name ?? '?'} ${pathOfInstruction(transaction, at, instructions.length)?.join('.') ?? '-'}`,
  );
}

const INSTRUCTIONS = [
  { transfer: { to: SHOP, lamports: 5 } },
  { transferToken: { mint: MINT, to: SHOP, amount: '1', createAccount: true } },
  { transferToken: { mint: MINT, to: SHOP, amount: '1' } },
  { memo: 'thanks' },
];
const OWN = [
  'transfer instructions.0',
  'createIdempotent instructions.1',
  'transferChecked instructions.1',
  'transferChecked instructions.2',
  'memo instructions.3',
  'transfer tip',
];

test('each instruction of a message is of the part that it was made of', () => {
  const all = {
    ...{ computeUnitLimit: 50_000, loadedAccountsDataLimit: 32_768, priorityFee: { microLamports: 7 } },
    ...{ instructions: INSTRUCTIONS, tip: { account: TIP, lamports: 9 } },
  };
  assert.deepEqual(places(all), [
    'setComputeUnitLimit -',
    'setComputeUnitPrice -',
    'setLoadedAccountsDataSizeLimit -',
    ...OWN,
  ]);
  assert.deepEqual(places({ ...all, version: 1 }), OWN);
  assert.deepEqual(places({ instructions: INSTRUCTIONS }), OWN.slice(0, -1));
});

function failure(text: string, isFailed = true): FailedCallView | null {
  const found = explainedAnswer(nestedTransaction({ isFailed }), NO_PROGRAMS);
  assert.ok(typeof found === 'object');
  const result: ExplainResult = { kind: 'explained', view: transactionView(found) };
  return failedCallOf(result, parseDocument('file:///a.jsonrpc', 0, text), 2);
}

const block = (transaction: string): string =>
  `{ "method": "getSlot" }\n\n### Sent\n{ "method": "sendTransaction", "params": [{ "$transaction": ${transaction} }] }\n`;

test('the call that failed is placed at its instruction, behind the limit', () => {
  const { text, call, line, character } =
    failure(block('{ "computeUnitLimit": 40000, "instructions": [\n  { "memo": "a" }] }')) ?? {};
  assert.match(text ?? '', /^the tokens do not suffice /);
  assert.equal(call, '2.1.1 SPL Token Program: transferChecked');
  assert.deepEqual([line, character], [4, 2]);
});

test('a transaction in base64 has the call alone, and a successful one has no failed call', () => {
  const given = failure(block('"AQ=="'));
  assert.equal(given?.call, '2.1.1 SPL Token Program: transferChecked');
  assert.equal(given.line, undefined);
  assert.equal(failure(block('{}'), false), null);
  assert.equal(failedCallOf({ kind: 'gone' }, undefined, 0), null);
});

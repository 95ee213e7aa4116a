// Transactions of all kinds, made on the local ledger, are explained right: each view is a text in fixtures/, and compute
// units, balances and fees add up to what the node says of the whole. SWB_WRITE_FIXTURES=1 writes the texts (CONTRIBUTING.md).
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callsInOrder } from '../../../core/solana/explain/calls';
import type { Explanation } from '../../../core/solana/explain/explanation';
import { explanationLines } from '../../../core/solana/explain/text';
import { integerOf, isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import type { Case } from './cases/case';
import { MESSAGES } from './cases/messages';
import { NATIVE } from './cases/native';
import { PROGRAMS } from './cases/programs';
import { RUNTIME } from './cases/runtime';
import { TOKENS } from './cases/tokens';
import { Stage, type Made, type Ran } from './stage';

const FOLDER = path.join(__dirname, 'fixtures');
const isWriting = process.env['SWB_WRITE_FIXTURES'] === '1';
/** The cases by what they are about. */
const GROUPS: Readonly<Record<string, readonly Case[]>> = {
  native: NATIVE,
  tokens: TOKENS,
  programs: PROGRAMS,
  runtime: RUNTIME,
  messages: MESSAGES,
};
const isFailed = (name: string): boolean => /^(fails|refused)-/.test(name);
/** Each case with the place of its fixture. */
const CASES = Object.entries(GROUPS).flatMap(([group, cases]) =>
  cases.map(([name, make]) => ({ name, make, place: `${group}${isFailed(name) ? '-failed' : ''}/${name}.txt` })),
);

/** Logs that the node cut do not say what every call used. */
const CUT: ReadonlySet<string> = new Set(['log-cut-by-the-node']);

let stage: Stage;
before(async () => {
  stage = await Stage.open();
});
after(() => stage.close());

const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);

/** The units that each call used itself add up to the total, at every call and for the transaction. */
function unitsAddUp({ calls, limits, outcome }: Explanation, name: string): void {
  if (CUT.has(name) || limits.computeUnits.used === undefined) return;
  const began = callsInOrder(calls).filter(({ units }) => units !== undefined);
  const own = sum(began.map(({ units }) => units?.own ?? -1n));
  assert.equal(own + (limits.unitsOutsideCalls ?? 0n), limits.computeUnits.used, 'own units of all calls');
  if (outcome.kind === 'succeeded')
    assert.deepEqual([began.length, limits.unitsOutsideCalls], [callsInOrder(calls).length, undefined]);
  for (const { units, calls: inner } of began)
    assert.equal(units?.total, (units?.own ?? -1n) + sum(inner.map((call) => call.units?.total ?? 0n)));
}

/** Lamports before and after, of each account and of all of them, are those of the node; tokens add up for each mint. */
function balancesAddUp({ accounts, balances, fee }: Explanation, { supply = {} }: Made, answer: JsonValue): void {
  const meta = member(answer, 'meta');
  const [before, after] = [lamportsIn(member(meta, 'preBalances')), lamportsIn(member(meta, 'postBalances'))];
  assert.deepEqual([accounts.map((one) => one.before), accounts.map((one) => one.after)], [before, after]);
  const moved = sum(balances.map(({ lamports }) => (lamports === undefined ? 0n : lamports.after - lamports.before)));
  assert.equal(moved, sum(after) - sum(before));
  assert.equal(moved, -(fee.total ?? 0n), 'what all accounts lost is the fee');
  const byMint = new Map<string, bigint>();
  for (const { mint, before: was, after: is } of balances.flatMap(({ tokens }) => tokens))
    byMint.set(mint, (byMint.get(mint) ?? 0n) + is - was);
  for (const [mint, gained] of byMint)
    assert.equal(gained, supply[stage.readable(mint).replace(/[<>]/g, '')] ?? 0n, `tokens of ${stage.readable(mint)}`);
}

const lamportsIn = (list: JsonValue | undefined): readonly bigint[] =>
  (isJsonArray(list) ? list : []).map((one) => integerOf(one) ?? -1n);

function feeAddsUp({ fee }: Explanation, answer: JsonValue): void {
  const charged = integerOf(member(member(answer, 'meta'), 'fee'));
  assert.equal(fee.total, charged);
  assert.equal((fee.base ?? -1n) + (fee.priority ?? -1n), charged);
}

function addsUp(name: string, made: Made, { explanation, answer }: Ran): void {
  unitsAddUp(explanation, name);
  if (made.how !== undefined) return;
  balancesAddUp(explanation, made, answer);
  feeAddsUp(explanation, answer);
}

describe('a transaction is explained as its fixture has it, and adds up', () => {
  for (const { name, make, place } of CASES)
    test(name, async () => {
      stage.begin(name);
      const made = await make(stage);
      const ran = await stage.run(made);
      const text = `${explanationLines(ran.explanation)
        .map((line) => stage.readable(line))
        .join('\n')}\n`;
      const file = path.join(FOLDER, place);
      if (isWriting) {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
      addsUp(name, made, ran);
      assert.equal(text, readFileSync(file, 'utf8'));
      const { outcome } = ran.explanation;
      assert.equal(outcome.kind === 'failed', isFailed(name), outcome.kind);
    });
});

test('every fixture has its transaction', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt'));
  assert.deepEqual(files.map((name) => name.replaceAll('\\', '/')).sort(), CASES.map(({ place }) => place).sort());
  assert.ok(CASES.length >= 60, String(CASES.length));
});

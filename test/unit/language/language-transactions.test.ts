// `$transaction` in the editor: faults at their place and no others, completion and hover from the table of members and from
// IDLs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { createLanguageService, type LanguageService } from '../../../core/requests/language/service';
import { STANDARD_METHODS } from '../../../core/requests/methods';
import { readIdl } from '../../../core/solana/decode/idl/read';
import { programsOf } from '../../../core/solana/decode/idl/registry';
import { marked } from './markers';

const SHOP = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const IDL = readFileSync(path.join(__dirname, '..', '..', 'fixtures', 'counter', 'idl.json'), 'utf8');
const { idl } = readIdl(IDL);
assert.ok(idl);
const withIdl = STANDARD_METHODS.withPrograms(programsOf([{ idl }]));
const serviceWith = (methods = withIdl): LanguageService =>
  createLanguageService({
    surroundings: () => ({ methods }),
    log: (message) => assert.fail(message),
  });
const service = serviceWith();

const request = (instructions: string, rest = ''): string =>
  `@shop = ${SHOP}\n@cold = {{$guid}}\n\n### Send\n{ "method": "sendTransaction", "params": [{ "$transaction": { "instructions": [${instructions}]${rest} } }, { "encoding": "base64" }] }\n`;

const GOOD: readonly string[] = [
  '{ "transfer": { "to": "{{shop}}", "lamports": 5000 } }',
  '{ "transfer": { "to": "{{cold}}", "lamports": "{{cold}}" } }',
  '{ "memo": "thanks {{shop}}" }, { "createAta": { "mint": "{{shop}}" } }',
  `{ "transferToken": { "mint": "${SHOP}", "to": "{{shop}}", "amount": "12.50" } }`,
  `{ "transferToken": { "mint": "${SHOP}", "to": "{{shop}}", "rawAmount": 18446744073709551615 } }`,
  `{ "program": "counter", "instruction": "increment", "args": { "amount": 2 }, "accounts": { "counter": "{{shop}}" } }`,
  `{ "program": "H9W9shDSfQdpiCPPpqZk3NZ15sj6s3nqxQ6qLxZjZVHh", "instruction": "initialize", "accounts": { "counter": "{{cold}}", "authority": "$wallet" } }`,
  `{ "program": "{{cold}}", "instruction": "anything", "args": { "x": 1 } }`,
  `{ "program": "${SHOP}", "data": "hex:00ff", "accounts": [{ "pubkey": "{{shop}}", "isWritable": true }] }`,
  `{ "program": "counter", "data": [1, 2] }`,
];

describe('what is right has no finding', () => {
  for (const instructions of GOOD)
    test(instructions.slice(0, 90), () => {
      const { document } = marked(
        request(
          instructions,
          ', "version": 1, "computeUnitLimit": "simulate", "priorityFee": { "lamports": 5000 }, "tip": { "lamports": 200000 }',
        ),
      );
      assert.deepEqual(
        service.diagnostics(document).filter(({ code }) => code !== 'unused-variable'),
        [],
      );
    });

  test('while no IDL was read, calls of programs are not judged', () => {
    const { document } = marked(request('{ "program": "nobody", "instruction": "x", "args": { "y": 1 } }'));
    const found = serviceWith(STANDARD_METHODS)
      .diagnostics(document)
      .filter(({ code }) => code !== 'unused-variable');
    assert.deepEqual(found, []);
  });
});

const CALL = (from: string, to: string): string =>
  '{ "program": "counter", "instruction": "increment", "args": { "amount": 2 }, "accounts": { "counter": "{{shop}}" } }'.replace(
    from,
    to,
  );

const FAULTY: readonly (readonly [instructions: string, code: string, rest?: string])[] = [
  ['⟦{}⟧', 'missing-field'],
  ['{ "transfr": ⟦⟧1 }', 'unknown-field'],
  ['{ "transfer": { "to": "{{shop}}", "lamports": ⟦"5000"⟧ } }', 'wrong-type'],
  ['{ "transfer": { "to": "{{shop}}", ⟦"lamport"⟧: 5 } }', 'missing-field'],
  ['{ "transfer": { "to": "{{shop}}", "lamports": 5, ⟦"sender"⟧: 6 } }', 'unknown-field'],
  ['{ "transfer": { "to": ⟦"abc0"⟧, "lamports": 5 } }', 'not-base58'],
  ['{ "memo": "x", ⟦"transfer"⟧: { "to": "{{shop}}", "lamports": 5 } }', 'conflicting-fields'],
  ['{ "transferToken": ⟦{ "mint": "{{shop}}", "to": "{{shop}}" }⟧ }', 'missing-field'],
  ['{ "transferToken": { "mint": "{{shop}}", "to": "{{shop}}", "amount": ⟦"1,5"⟧ } }', 'wrong-type'],
  ['⟦{ "program": "{{shop}}" }⟧', 'missing-field'],
  ['{ "program": "{{shop}}", "data": ⟦"0102"⟧ }', 'wrong-type'],
  [CALL('"counter", "in', '⟦"countr"⟧, "in'), 'enum-value'],
  [CALL('"increment"', '⟦"incremnt"⟧'), 'enum-value'],
  [CALL('"amount"', '⟦"amuont"⟧'), 'unknown-field'],
  [CALL('{ "amount": 2 }', '⟦{}⟧'), 'missing-field'],
  [CALL('2', '⟦-2⟧'), 'out-of-range'],
  [CALL('"counter":', '⟦"countre"⟧:'), 'unknown-field'],
  [CALL('{ "counter": "{{shop}}" }', '⟦{}⟧'), 'missing-field'],
  [CALL('"{{shop}}"', '⟦"abc"⟧'), 'not-base58'],
  ['{ "memo": "x" }', 'out-of-range', ', "version": ⟦3⟧'],
  ['{ "memo": "x" }', 'out-of-range', ', "computeUnitLimit": ⟦1400001⟧'],
  ['{ "memo": "x" }', 'conflicting-fields', ', "version": 1, ⟦"lookupTables"⟧: ["{{shop}}"]'],
  ['{ "memo": "x" }', 'unknown-field', ', ⟦"payer"⟧: "{{shop}}"'],
];

describe('one finding for each fault, at its place', () => {
  for (const [instructions, code, rest] of FAULTY)
    test(`${code}: ${instructions}${rest ?? ''}`.slice(0, 110), () => {
      const source = request(instructions, rest).replace('"transfr": ⟦⟧1', '⟦"transfr"⟧: {}');
      const { document, ranges } = marked(source);
      const found = service.diagnostics(document).filter((one) => one.code !== 'unused-variable');
      assert.deepEqual(
        found.map((one) => [one.code, one.range, one.severity]),
        [[code, ranges[0], 1]],
        JSON.stringify(found),
      );
    });
});

describe('completion', () => {
  const labels = (instructions: string, rest?: string): readonly string[] => {
    const { document, cursor } = marked(request(instructions, rest));
    return service.completion(document, cursor).map(({ label }) => label);
  };

  test('offers members of the transaction and of its instructions', () => {
    assert.ok(
      ['transfer', 'transferToken', 'memo', 'createAta', 'program'].every((one) => labels('{ ‸ }').includes(one)),
    );
    assert.deepEqual(labels('{ "transfer": { "to": "", ‸ } }'), ['lamports', 'from']);
    assert.ok(
      ['version', 'priorityFee', 'tip', 'feePayer', 'signers'].every((one) => labels('{}', ', ‸').includes(one)),
    );
    assert.ok(labels('{}', ', "computeUnitLimit": ‸').includes('simulate'));
  });

  test('offers programs, their instructions, arguments and accounts', () => {
    assert.deepEqual(labels('{ "program": "‸" }'), ['counter']);
    assert.deepEqual(labels('{ "program": "counter", "instruction": "‸" }'), ['initialize', 'increment']);
    assert.deepEqual(labels(CALL('{ "amount": 2 }', '{ ‸ }')), ['amount']);
    assert.deepEqual(labels(CALL('{ "counter": "{{shop}}" }', '{ "counter": "x", ‸ }')), ['authority']);
  });

  test('offers a transaction in place of its text', () => {
    const { document, cursor } = marked('### x\n{ "method": "sendTransaction", "params": [‸] }\n');
    const found = service.completion(document, cursor).find(({ label }) => label === '$transaction');
    assert.match(JSON.stringify(found?.textEdit), /\{ \\"\\\\\$transaction\\": /);
  });
});

describe('hover', () => {
  const text = (instructions: string): string => {
    const { document, cursor } = marked(request(instructions));
    return JSON.stringify(service.hover(document, cursor)?.contents ?? '');
  };

  test('says what a member, an instruction, an argument and an account are', () => {
    assert.match(text('{ "tra‸nsfer": { "to": "{{shop}}", "lamports": 1 } }'), /Transfers lamports from the wallet/);
    assert.match(text('{ "transfer": { "to": "{{shop}}", "lamports": 15000‸00 } }'), /0\.0015 SOL/);
    assert.match(text(CALL('increment', 'incre‸ment')), /increment\(amount: u64\)/);
    assert.match(text(CALL('"amount"', '"amo‸unt"')), /`amount`: `u64`/);
    assert.match(text(CALL('{ "counter"', '{ "coun‸ter"')), /writable.*Has to be named/);
  });
});

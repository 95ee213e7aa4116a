// A user's overrides for a replay: described in words, kept with the case, fields of accounts checked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReplayCase } from '../../../core/solana/replay/case';
import { caseFiles, readCase } from '../../../core/solana/replay/caseFiles';
import { overridesIn, overrideText, withField, withOverride } from '../../../core/solana/replay/overrides';
import { replayLines } from '../../../core/solana/replay/text';
import { addressOf, replayCase } from '../../support/data/replayCase';

const ADDRESS = addressOf(7);
const OWNER = addressOf(8);
const CASE = replayCase(7);

function accepted(field: string, value: string): ReplayCase {
  const made = withField(CASE, { address: ADDRESS, field, value });
  assert.ok(typeof made === 'object', 'the field is refused');
  return made;
}

function refusal(field: string, value: string, address = ADDRESS): string {
  const made = withField(CASE, { address, field, value });
  return typeof made === 'string' ? made : 'it is accepted';
}

test('a field of an account takes another value, and the rest stays', () => {
  const lamports = accepted('lamports', '18446744073709551615').accounts.get(ADDRESS);
  assert.deepEqual([lamports?.lamports, lamports?.owner], [2n ** 64n - 1n, OWNER]);
  assert.equal(accepted('owner', ADDRESS).accounts.get(ADDRESS)?.owner, ADDRESS);
  assert.deepEqual(accepted('data', 'AwQF').accounts.get(ADDRESS)?.data, Uint8Array.of(3, 4, 5));
  assert.deepEqual(CASE.accounts.get(ADDRESS)?.lamports, 5n, 'the case itself is as it was');
});

test('a value that does not fit, an unknown field and an unknown account say so', () => {
  for (const [field, value, said] of [
    ['lamports', '18446744073709551616', /below 2\^64/],
    ['lamports', '-1', /whole number/],
    ['owner', 'me', /address of a program/],
    ['data', '***', /base64/],
    ['rent', '1', /lamports, owner, data/],
  ] as const)
    assert.match(refusal(field, value), said);
  assert.match(refusal('lamports', '1', OWNER), /has no account/);
});

test('what was changed is said once for each thing, and survives the folder', () => {
  let replay = accepted('lamports', '7');
  replay = withOverride(replay, { kind: 'program', address: OWNER, file: 'one.so' });
  replay = withOverride(replay, { kind: 'clock', unixTime: 1_767_614_400 });
  replay = withOverride(replay, { kind: 'program', address: OWNER, file: 'two.so' });
  replay = withOverride(replay, { kind: 'slot', slot: 12_000 });
  const said = [
    `lamports of ${ADDRESS}: 7`,
    'time of the clock: 2026-01-05T12:00:00Z (1767614400)',
    `code of ${OWNER}: two.so`,
    'slot: 12,000',
  ];
  assert.deepEqual(replay.overrides?.map(overrideText), said);
  const lines = replayLines({ replay, differences: [] });
  assert.deepEqual(lines.slice(0, 5), ['changed here:', ...said.map((line) => `  ${line}`)]);
  assert.deepEqual(readCase(new Map(caseFiles(replay))).overrides, replay.overrides);
  assert.equal(readCase(new Map(caseFiles(CASE))).overrides, undefined);
});

test('a long value is described by its size, and an invalid override is left out', () => {
  const [data] = accepted('data', Buffer.alloc(3_000).toString('base64')).overrides ?? [];
  assert.equal(data && overrideText(data), `data of ${ADDRESS}: 3,000 bytes`);
  assert.deepEqual(
    overridesIn([
      null,
      7,
      {},
      { kind: 'program', address: ADDRESS },
      { kind: 'field', address: ADDRESS, field: 'rent', value: '1' },
      { kind: 'clock', unixTime: -1 },
      { kind: 'slot', slot: 1e30 },
      { kind: 'account', address: ADDRESS, file: 'a.json', more: 1 },
    ]),
    [{ kind: 'account', address: ADDRESS, file: 'a.json' }],
  );
  assert.deepEqual(overridesIn('x'), []);
});

// Answers of a source of accounts, and account files: each value that no account and no slot can have is refused in one
// sentence.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseJson, type JsonValue } from '../../../core/solana/json/json';
import { accountOf } from '../../../localnet/accountsFile';
import { SourceChannel, SourceError } from '../../../localnet/source/channel';

const ADDRESS = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const MOST = 10_485_760;
const base64 = (bytes: number): JsonValue => [Buffer.alloc(bytes).toString('base64'), 'base64'];

/** An account with one value changed; undefined leaves it out. */
function accountWith(name: string, value: JsonValue | undefined): JsonValue {
  const account: Record<string, JsonValue | undefined> = {
    ...{ lamports: 5, owner: ADDRESS, executable: false, data: ['AQI=', 'base64'], rentEpoch: 7 },
    [name]: value,
  };
  return JSON.parse(JSON.stringify(account)) as JsonValue;
}

const WRONG: readonly (readonly [name: string, values: readonly (JsonValue | undefined)[], wanted: RegExp])[] = [
  ['lamports', [-1, 1.5, '5', null, undefined], /"lamports" must be an integer of 64 bits/],
  ['rentEpoch', [-1, 1.5, '5', true, 4e19], /"rentEpoch" must be an integer of 64 bits/],
  ['owner', ['', 'x', '1'.repeat(31), '1'.repeat(33), '1'.repeat(2_000_000), 7, null], /"owner" must be an address/],
  ['executable', [0, 'true', null, undefined], /"executable" must be true or false/],
  ['data', ['AQI=', null, {}, ['AQI=', 'hex'], ['A', 'base64'], [7, 'base64']], /"data" must be/],
  ['data', [['1'.repeat(2_000_000), 'base58']], /"data" must be/],
  ['data', [base64(MOST + 1), base64(MOST + 3)], /"data" has more than the 10485760 bytes that an account holds/],
];

/** A source that gives one answer to everything. */
function answering(answer: JsonValue): SourceChannel {
  let hear: (message: unknown) => void = () => undefined;
  return new SourceChannel('elsewhere', {
    connected: true,
    send: (message) => {
      hear({ source: (message as { source: number }).source, result: JSON.stringify(answer) });
      return true;
    },
    on: (_, listener) => (hear = listener),
    once: () => undefined,
  });
}

const isSourceError =
  (wanted: RegExp) =>
  (error: unknown): boolean =>
    error instanceof SourceError && wanted.test(error.message);

describe('An account', () => {
  for (const [name, values, wanted] of WRONG)
    test(`has no wrong ${name}, in a file or from a source`, async () => {
      for (const value of values) {
        const account = accountWith(name, value);
        const read = accountOf(ADDRESS, account);
        assert.match(typeof read === 'string' ? read : 'taken', wanted);
        const source = answering({ context: { slot: 5 }, value: [account] });
        await assert.rejects(source.accounts([ADDRESS]), isSourceError(wanted));
      }
    });

  test('may have 10 MiB and the largest numbers, and a rentEpoch that was rounded or left out', () => {
    const large = accountOf(ADDRESS, accountWith('data', base64(MOST)));
    assert.ok(typeof large === 'object' && large[1].data.length === MOST);
    const most = 18446744073709551615n;
    for (const rentEpoch of ['18446744073709551615', '18446744073709552000', '18446744073709551616', 'null']) {
      const json = `{"lamports":${most},"owner":"${ADDRESS}","executable":true,"data":["","base64"],"rentEpoch":${rentEpoch}}`;
      const read = accountOf(ADDRESS, parseJson(json));
      assert.ok(typeof read === 'object');
      assert.deepEqual([read[1].rentEpoch, read[1].lamports], [most, most]);
    }
  });
});

describe('A source', () => {
  for (const slot of [-1, 1.5, 1_000_000_000_001, Number.MAX_SAFE_INTEGER, 1e300, '5', null, []])
    test(`is not at slot ${JSON.stringify(slot)}`, async () => {
      const wanted = (method: string): ((error: unknown) => boolean) =>
        isSourceError(new RegExp(`^The answer of elsewhere to ${method} is not what a node answers\\.$`));
      await assert.rejects(answering(slot).slot(), wanted('getSlot'));
      const source = answering({ context: { slot }, value: [] });
      await assert.rejects(source.accounts([]), wanted('getMultipleAccounts'));
      await assert.rejects(source.program(ADDRESS, undefined), wanted('getProgramAccounts'));
      await assert.rejects(source.tokens(ADDRESS, ADDRESS), wanted('getTokenAccountsByOwner'));
    });
});

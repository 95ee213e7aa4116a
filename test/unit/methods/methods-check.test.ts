// Every record's example is valid, and every rule of the contract's eleven methods is found at its exact place.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkCall } from '../../../core/requests/methods/check';
import type { CheckOptions } from '../../../core/requests/methods/problems';
import type { Code } from '../../../core/requests/diagnostics/codes';
import { METHODS, STANDARD_METHODS } from '../../../core/requests/methods/index';
import { parseJson, type JsonValue } from '../../../core/solana/json/json';
import { METHODS as CONTRACT } from '../../corpus/methods';

const WALLET = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SIGNATURE = '2xC5zogoBUckCA9YEAdkC9UVYz9EvvU8qThQ423t8fTGwSaE9GAwLfnzhZYdXoQYTmDioRCGFwgfHe6BkustSdU1';
const SHORT_KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxr';

/** `code @ target path`, e.g. `wrong-length @ value /0`. */
function found(method: string, params: JsonValue | undefined, options?: CheckOptions): string[] {
  const record = STANDARD_METHODS.named(method);
  assert.ok(record, method);
  return checkCall(record, params, options).map((one) => {
    const path = one.path.map((step) => `/${step}`).join('');
    return `${one.code} @ ${one.target} ${path === '' ? '.' : path}`;
  });
}

type Case = readonly [what: string, method: string, params: string, expected: readonly string[]];

/** Params are JSON text, so that number tokens are written as in a file. */
function check(cases: readonly Case[], options?: CheckOptions): void {
  for (const [what, method, params, expected] of cases) {
    test(`${method}: ${what}`, () => {
      assert.deepEqual(found(method, params === '' ? undefined : parseJson(params), options), expected);
    });
  }
}

describe('examples', () => {
  for (const record of METHODS) {
    test(`the example of ${record.name} has no problem`, () => {
      assert.deepEqual(checkCall(record, record.example), []);
    });
  }
  test('every method of the contract has a record, and no name has two', () => {
    const names = METHODS.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      CONTRACT.filter(({ name }) => !names.includes(name)).map(({ name }) => name),
      [],
    );
  });
});

describe('valid calls', () => {
  check([
    ['no params', 'getSlot', '', []],
    ['empty params', 'getSlot', '[]', []],
    ['a config, as nodes take it', 'getSlot', '[{"commitment":"processed","minContextSlot":18446744073709551615}]', []],
    ['params null', 'getSlot', 'null', []],
    ['the System Program', 'getBalance', '["11111111111111111111111111111111"]', []],
    ['a null config', 'getBalance', `["${WALLET}", null]`, []],
    ['a null commitment', 'getBalance', `["${WALLET}", {"commitment":null}]`, []],
    ['every commitment', 'getEpochInfo', '[{"commitment":"processed"}]', []],
    ['every commitment', 'getBlockHeight', '[{"commitment":"confirmed"}]', []],
    ['every commitment', 'getLatestBlockhash', '[{"commitment":"finalized"}]', []],
    [
      'four filters of every kind',
      'getProgramAccounts',
      `["${TOKEN}",{"filters":[{"dataSize":165},{"memcmp":{"offset":0,"bytes":"3"}},{"memcmp":{"offset":1,"bytes":[1,255]}},"tokenAccountState"]}]`,
      [],
    ],
    [
      'memcmp bytes in base64',
      'getProgramAccounts',
      `["${TOKEN}",{"filters":[{"memcmp":{"offset":0,"bytes":"AQID","encoding":"base64"}}]}]`,
      [],
    ],
    [
      'node options',
      'getProgramAccounts',
      `["${TOKEN}",{"filters":[{"dataSize":165}],"dataSlice":{"offset":0,"length":0},"withContext":true,"sortResults":false,"minContextSlot":1}]`,
      [],
    ],
    ['each encoding', 'getProgramAccounts', `["${TOKEN}",{"encoding":"base64+zstd","filters":[{"dataSize":165}]}]`, []],
    ['by mint', 'getTokenAccountsByOwner', `["${WALLET}",{"mint":"${MINT}"}]`, []],
    ['by program', 'getTokenAccountsByOwner', `["${WALLET}",{"programId":"${TOKEN}"},{"encoding":"jsonParsed"}]`, []],
    [
      'the largest limit',
      'getSignaturesForAddress',
      `["${WALLET}",{"limit":1000,"before":"${SIGNATURE}","until":"${SIGNATURE}"}]`,
      [],
    ],
    ['the smallest limit', 'getSignaturesForAddress', `["${WALLET}",{"limit":1}]`, []],
    [
      'version 0',
      'getTransaction',
      `["${SIGNATURE}",{"encoding":"jsonParsed","maxSupportedTransactionVersion":1}]`,
      [],
    ],
    ['a config in an earlier place', 'getBlocks', '[5,{"commitment":"confirmed"}]', []],
    ['null in an earlier place', 'getBlocks', '[5,null,{"commitment":"confirmed"}]', []],
    ['a config first', 'getLeaderSchedule', `[{"identity":"${WALLET}"}]`, []],
    ['a bare encoding', 'getBlock', '[5,"base64"]', ['legacy-only @ value /1']],
    ['a filter string', 'logsSubscribe', '["allWithVotes"]', []],
    ['subscription 0', 'slotUnsubscribe', '[0]', []],
  ]);
});

describe('positions', () => {
  check([
    ['needs its key', 'getBalance', '', ['missing-param @ method .']],
    ['needs its key', 'getBalance', '[]', ['missing-param @ value .']],
    ['needs a filter too', 'getTokenAccountsByOwner', `["${WALLET}"]`, ['missing-param @ value .']],
    ['takes no names', 'getBalance', `{"pubkey":"${WALLET}"}`, ['params-by-name @ value .']],
    ['takes no text', 'getBalance', `"${WALLET}"`, ['wrong-type @ value .']],
    ['takes two', 'getBalance', `["${WALLET}",{},1,2]`, ['too-many-params @ value /2']],
    ['takes one', 'getSlot', '[{},{}]', ['too-many-params @ value /1']],
    ['takes none', 'getGenesisHash', '[{}]', ['too-many-params @ value /0']],
    ['null is not a key', 'getBalance', '[null]', ['wrong-type @ value /0']],
    ['no bare encoding', 'getAccountInfo', `["${WALLET}","base64"]`, ['wrong-type @ value /1']],
  ]);
});

describe('keys, signatures and hashes', () => {
  check([
    ['wrong alphabet', 'getBalance', '["0OIl"]', ['not-base58 @ value /0']],
    ['too short', 'getBalance', `["${SHORT_KEY}"]`, ['wrong-length @ value /0']],
    ['empty', 'getBalance', '[""]', ['wrong-length @ value /0']],
    ['a signature for a key', 'getBalance', `["${SIGNATURE}"]`, ['wrong-length @ value /0']],
    ['a number', 'getBalance', '[5]', ['wrong-type @ value /0']],
    [
      'a key for a signature',
      'getTransaction',
      `["${WALLET}",{"maxSupportedTransactionVersion":1}]`,
      ['wrong-length @ value /0'],
    ],
    ['before', 'getSignaturesForAddress', `["${WALLET}",{"before":"${WALLET}"}]`, ['wrong-length @ value /1/before']],
    ['until', 'getSignaturesForAddress', `["${WALLET}",{"until":"x+"}]`, ['not-base58 @ value /1/until']],
    ['mint', 'getTokenAccountsByOwner', `["${WALLET}",{"mint":"${SHORT_KEY}"}]`, ['wrong-length @ value /1/mint']],
    ['programId', 'getTokenAccountsByOwner', `["${WALLET}",{"programId":1}]`, ['wrong-type @ value /1/programId']],
    ['owner', 'getTokenAccountsByOwner', `["no owner",{"mint":"${MINT}"}]`, ['not-base58 @ value /0']],
    ['mint', 'getTokenSupply', `["${SHORT_KEY}"]`, ['wrong-length @ value /0']],
    ['programId', 'getProgramAccounts', `["${SHORT_KEY}",{"filters":[{"dataSize":165}]}]`, ['wrong-length @ value /0']],
    ['blockhash', 'isBlockhashValid', `["${SIGNATURE}"]`, ['wrong-length @ value /0']],
    ['a key in a list', 'getMultipleAccounts', `[["${WALLET}","${SHORT_KEY}"]]`, ['wrong-length @ value /0/1']],
    ['a text of a megabyte', 'getBalance', JSON.stringify(['1'.repeat(1 << 20)]), ['wrong-length @ value /0']],
  ]);
});

describe('options', () => {
  check([
    ['misspelt', 'getBalance', `["${WALLET}",{"comitment":"confirmed"}]`, ['unknown-field @ key /1/comitment']],
    ['not there', 'getSupply', `[{"minContextSlot":1}]`, ['unknown-field @ key /0/minContextSlot']],
    [
      'a member named as a prototype',
      'getBalance',
      `["${WALLET}",{"__proto__":1}]`,
      ['unknown-field @ key /1/__proto__'],
    ],
    ['unknown level', 'getBalance', `["${WALLET}",{"commitment":"Finalized"}]`, ['enum-value @ value /1/commitment']],
    ['old level', 'getEpochInfo', '[{"commitment":"recent"}]', ['enum-value @ value /0/commitment']],
    ['a level that is a number', 'getBlockHeight', '[{"commitment":1}]', ['wrong-type @ value /0/commitment']],
    [
      'level refused',
      'getTransaction',
      `["${SIGNATURE}",{"commitment":"processed","maxSupportedTransactionVersion":1}]`,
      ['commitment-unsupported @ value /1/commitment'],
    ],
    [
      'level refused',
      'getSignaturesForAddress',
      `["${WALLET}",{"commitment":"processed"}]`,
      ['commitment-unsupported @ value /1/commitment'],
    ],
    [
      'encoding known elsewhere',
      'getTransaction',
      `["${SIGNATURE}",{"encoding":"base64+zstd","maxSupportedTransactionVersion":1}]`,
      ['encoding-unsupported @ value /1/encoding'],
    ],
    [
      'encoding known elsewhere',
      'getProgramAccounts',
      `["${TOKEN}",{"encoding":"json","filters":[{"dataSize":165}]}]`,
      ['encoding-unsupported @ value /1/encoding'],
    ],
    [
      'encoding unknown',
      'getTokenAccountsByOwner',
      `["${WALLET}",{"mint":"${MINT}"},{"encoding":"hex"}]`,
      ['enum-value @ value /2/encoding'],
    ],
    [
      'a bare encoding known elsewhere',
      'getBlock',
      '[5,"base64+zstd"]',
      ['encoding-unsupported @ value /1', 'legacy-only @ value /1'],
    ],
    ['limit 0', 'getSignaturesForAddress', `["${WALLET}",{"limit":0}]`, ['out-of-range @ value /1/limit']],
    ['limit 1001', 'getSignaturesForAddress', `["${WALLET}",{"limit":1001}]`, ['out-of-range @ value /1/limit']],
    ['negative', 'getSlot', '[{"minContextSlot":-1}]', ['out-of-range @ value /0/minContextSlot']],
    ['above u64', 'getSlot', '[{"minContextSlot":18446744073709551616}]', ['out-of-range @ value /0/minContextSlot']],
    ['a fraction', 'getSignaturesForAddress', `["${WALLET}",{"limit":1.0}]`, ['wrong-type @ value /1/limit']],
    ['an exponent', 'getSignaturesForAddress', `["${WALLET}",{"limit":1e2}]`, ['wrong-type @ value /1/limit']],
    ['digits in a string', 'getSignaturesForAddress', `["${WALLET}",{"limit":"10"}]`, ['wrong-type @ value /1/limit']],
    [
      'version 256',
      'getTransaction',
      `["${SIGNATURE}",{"maxSupportedTransactionVersion":256}]`,
      ['out-of-range @ value /1/maxSupportedTransactionVersion'],
    ],
    [
      'skipPreflight as text',
      'simulateTransaction',
      '["{{tx}}",{"sigVerify":"true"}]',
      ['wrong-type @ value /1/sigVerify'],
    ],
    ['an array', 'getBalance', `["${WALLET}",["confirmed"]]`, ['wrong-type @ value /1']],
    ['a required member', 'getInflationGovernor', '[{}]', ['missing-field @ value /0']],
    [
      'two that exclude each other',
      'simulateTransaction',
      '["{{tx}}",{"replaceRecentBlockhash":true,"sigVerify":true}]',
      ['conflicting-fields @ key /1/sigVerify'],
    ],
    [
      'one of the two is off',
      'simulateTransaction',
      '["{{tx}}",{"replaceRecentBlockhash":true,"sigVerify":false}]',
      [],
    ],
    ['a block range too wide', 'getBlocks', '[0,500001]', ['out-of-range @ value /1']],
    [
      'a slot range backwards',
      'getBlockProduction',
      '[{"range":{"firstSlot":5,"lastSlot":4}}]',
      ['out-of-range @ value /0/range/lastSlot'],
    ],
  ]);
});

describe('filters', () => {
  const filters = (json: string): string => `["${TOKEN}",{"filters":${json}}]`;
  check([
    ['neither', 'getTokenAccountsByOwner', `["${WALLET}",{}]`, ['filter-shape @ value /1']],
    [
      'both',
      'getTokenAccountsByOwner',
      `["${WALLET}",{"mint":"${MINT}","programId":"${TOKEN}"}]`,
      ['filter-shape @ value /1'],
    ],
    [
      'both',
      'getProgramAccounts',
      filters('[{"dataSize":1,"memcmp":{"offset":0,"bytes":"3"}}]'),
      ['filter-shape @ value /1/filters/0'],
    ],
    ['neither', 'getProgramAccounts', filters('[{}]'), ['filter-shape @ value /1/filters/0']],
    ['no memcmp', 'getProgramAccounts', filters('[{"offset":0,"bytes":"3"}]'), ['filter-shape @ value /1/filters/0']],
    [
      'five',
      'getProgramAccounts',
      filters('[{"dataSize":165},{"dataSize":165},{"dataSize":165},{"dataSize":165},{"dataSize":165}]'),
      ['too-many-items @ value /1/filters/4'],
    ],
    ['an unknown string', 'getProgramAccounts', filters('["tokenState"]'), ['enum-value @ value /1/filters/0']],
    ['a number', 'getProgramAccounts', filters('[165]'), ['wrong-type @ value /1/filters/0']],
    ['no array', 'getProgramAccounts', filters('{"dataSize":165}'), ['wrong-type @ value /1/filters']],
    [
      'a negative size',
      'getProgramAccounts',
      filters('[{"dataSize":-1}]'),
      ['out-of-range @ value /1/filters/0/dataSize'],
    ],
    [
      'a size in quotes',
      'getProgramAccounts',
      filters('[{"dataSize":"165"}]'),
      ['wrong-type @ value /1/filters/0/dataSize'],
    ],
    [
      'no offset',
      'getProgramAccounts',
      filters('[{"memcmp":{"bytes":"3"}}]'),
      ['missing-field @ value /1/filters/0/memcmp'],
    ],
    [
      'no bytes',
      'getProgramAccounts',
      filters('[{"memcmp":{"offset":0}}]'),
      ['missing-field @ value /1/filters/0/memcmp'],
    ],
    [
      'bytes of the wrong alphabet',
      'getProgramAccounts',
      filters('[{"memcmp":{"offset":0,"bytes":"AQID+/=="}}]'),
      ['not-base58 @ value /1/filters/0/memcmp/bytes'],
    ],
    [
      'bytes that are no base64',
      'getProgramAccounts',
      filters('[{"memcmp":{"offset":0,"bytes":"abc","encoding":"base64"}}]'),
      ['not-base64 @ value /1/filters/0/memcmp/bytes'],
    ],
    [
      '129 bytes',
      'getProgramAccounts',
      filters(`[{"memcmp":{"offset":0,"bytes":"${'1'.repeat(129)}"}}]`),
      ['out-of-range @ value /1/filters/0/memcmp/bytes'],
    ],
    ['128 bytes', 'getProgramAccounts', filters(`[{"memcmp":{"offset":0,"bytes":"${'1'.repeat(128)}"}}]`), []],
    [
      '129 bytes in base64',
      'getProgramAccounts',
      filters(`[{"memcmp":{"offset":0,"bytes":"${'A'.repeat(172)}","encoding":"base64"}}]`),
      ['out-of-range @ value /1/filters/0/memcmp/bytes'],
    ],
    [
      'a byte of 256',
      'getProgramAccounts',
      filters('[{"memcmp":{"offset":0,"bytes":[256]}}]'),
      ['out-of-range @ value /1/filters/0/memcmp/bytes/0'],
    ],
    ['no filters', 'getProgramAccounts', `["${TOKEN}",{"encoding":"base64"}]`, ['unbounded-scan @ value /1']],
    ['no config', 'getProgramAccounts', `["${TOKEN}"]`, ['unbounded-scan @ method .']],
    ['an empty list of filters', 'getProgramAccounts', filters('[]'), ['unbounded-scan @ value /1']],
    ['an unknown string', 'logsSubscribe', '["some"]', ['enum-value @ value /0']],
    ['no address', 'logsSubscribe', '[{"mentions":[]}]', ['out-of-range @ value /0/mentions']],
    [
      'two addresses',
      'logsSubscribe',
      `[{"mentions":["${WALLET}","${MINT}"]}]`,
      ['too-many-items @ value /0/mentions/1'],
    ],
    ['101 keys', 'getMultipleAccounts', JSON.stringify([Array(101).fill(WALLET)]), ['too-many-items @ value /0/100']],
  ]);
});

describe('variables', () => {
  check([
    ['in every place', 'getTokenAccountsByOwner', '["{{w}}","{{filter}}","{{config}}"]', []],
    [
      'as a member',
      'getTokenAccountsByOwner',
      '["{{w}}",{"mint":"{{m}}"},{"encoding":"{{e}}","commitment":"{{c}}"}]',
      [],
    ],
    ['as an integer', 'getSignaturesForAddress', '["{{w}}",{"limit":"{{n}}"}]', []],
    [
      'as filters',
      'getProgramAccounts',
      '["{{p}}",{"filters":["{{f}}",{"memcmp":{"offset":"{{o}}","bytes":"{{b}}","encoding":"{{e}}"}}]}]',
      [],
    ],
    [
      'around it everything is checked',
      'getSignaturesForAddress',
      '["{{w}}",{"limit":0}]',
      ['out-of-range @ value /1/limit'],
    ],
    ['as the whole of params', 'getBalance', '"{{params}}"', []],
    [
      'as a filter, mint is chosen',
      'getTokenAccountsByOwner',
      '["{{w}}",{"mint":"{{m}}","programId":"{{p}}"}]',
      ['filter-shape @ value /1'],
    ],
  ]);
  test('the caller may say which texts are variables', () => {
    assert.deepEqual(found('getBalance', ['{{w}}'], { isUnknown: () => false }), ['not-base58 @ value /0']);
  });
});

describe('advice', () => {
  test('legacy-only is placed at the options, or else at the method', () => {
    assert.deepEqual(found('getTransaction', [SIGNATURE]), ['legacy-only @ method .']);
    assert.deepEqual(found('getTransaction', [SIGNATURE, {}]), ['legacy-only @ value /1']);
    assert.deepEqual(found('getTransaction', [SIGNATURE, '{{config}}']), []);
  });
});

test('every code has the severity the design gives it', () => {
  const severities = new Map<Code, string>();
  const note = (method: string, params: JsonValue, options?: CheckOptions): void => {
    const record = STANDARD_METHODS.named(method);
    assert.ok(record);
    for (const one of checkCall(record, params, options)) severities.set(one.code, one.severity);
  };
  note('getProgramAccounts', [TOKEN, { nothing: 1 }]);
  note('getTransaction', [SIGNATURE]);
  note('sendTransaction', ['{{tx}}'], { lane: 'swqos' });
  assert.deepEqual(Object.fromEntries(severities), {
    'unknown-field': 'warning',
    'unbounded-scan': 'information',
    'legacy-only': 'warning',
    'swqos-settings': 'information',
  });
});

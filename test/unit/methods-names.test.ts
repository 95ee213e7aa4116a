// Method names on the four lanes, nearest names, and the words derived from the records.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkMethod } from '../../core/methods/check';

describe('method names', () => {
  const codes = (name: string, lane: Parameters<typeof checkMethod>[1]): string[] =>
    checkMethod(name, lane).map((one) => `${one.code}:${one.severity}`);
  const first = (name: string): unknown => checkMethod(name, 'http')[0]?.fixes[0];

  test('an unknown name offers the nearest ones', () => {
    assert.deepEqual(codes('getBalence', 'http'), ['unknown-method:error']);
    assert.deepEqual(first('getBalence'), { kind: 'replace', value: 'getBalance' });
    assert.deepEqual(first('getbalance'), { kind: 'replace', value: 'getBalance' });
    assert.equal(first('somethingElseEntirely'), undefined);
  });
  test('a name of the prototype is unknown', () => {
    assert.deepEqual(codes('constructor', 'http'), ['unknown-method:error']);
    assert.deepEqual(codes('__proto__', 'http'), ['unknown-method:error']);
  });
  test('a removed name offers its replacement', () => {
    assert.deepEqual(codes('getRecentBlockhash', 'http'), ['deprecated-method:error']);
    assert.deepEqual(first('getRecentBlockhash'), { kind: 'replace', value: 'getLatestBlockhash' });
    assert.equal(first('getFeeRateGovernor'), undefined);
  });
  test('a method is served on its own lane', () => {
    assert.deepEqual(codes('accountSubscribe', 'http'), ['wrong-transport:error']);
    assert.deepEqual(codes('getBalance', 'ws'), ['wrong-transport:error']);
    assert.deepEqual(codes('getBalance', 'swqos'), ['wrong-transport:warning']);
    assert.deepEqual(codes('getBalance', 'grpc'), ['wrong-transport:error']);
    assert.deepEqual(codes('sendTransaction', 'swqos'), []);
    assert.deepEqual([...codes('getVersion', 'ws'), ...codes('getVersion', 'http')], []);
  });
  test('an unstable method says so', () => {
    assert.deepEqual(codes('voteSubscribe', 'ws'), ['unstable-method:information']);
  });
});

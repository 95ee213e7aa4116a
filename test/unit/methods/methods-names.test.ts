// Method names on the four lanes, nearest names, and the words derived from the records.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkMethod } from '../../../core/requests/methods/check';
import {
  docsUrl,
  fieldMarkdown,
  methodMarkdown,
  paramsSnippet,
  removedMarkdown,
  signatureLabel,
  specAt,
  valueMarkdown,
  valuesOf,
} from '../../../core/requests/methods/describe';
import { STANDARD_METHODS, METHODS, removedMethodNamed } from '../../../core/requests/methods/index';
import { REMOVED_METHODS } from '../../../core/requests/methods/records/removed';
import { methodsReference } from '../../../core/requests/methods/reference';
import type { MethodRecord } from '../../../core/requests/methods/types';
import { nearestNames } from '../../../core/solana/common/nearest';
import { METHODS as CORPUS } from '../../corpus/methods';
import { assertMade } from '../../support/pages/madePage';

describe('method names', () => {
  const codes = (name: string, lane: Parameters<typeof checkMethod>[1]): string[] =>
    checkMethod(name, lane, STANDARD_METHODS).map((one) => `${one.code}:${one.severity}`);
  const first = (name: string): unknown => checkMethod(name, 'http', STANDARD_METHODS)[0]?.fixes[0];

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

describe('words', () => {
  const record = (name: string): MethodRecord => {
    const found = STANDARD_METHODS.named(name);
    assert.ok(found, name);
    return found;
  };

  test('a signature gives the span of each parameter', () => {
    const { label, params } = signatureLabel(record('getTokenAccountsByOwner'));
    assert.equal(label, 'getTokenAccountsByOwner(owner: public key, filter: object, config?: object)');
    assert.deepEqual(
      params.map(([start, end]) => label.slice(start, end)),
      ['owner: public key', 'filter: object', 'config?: object'],
    );
  });

  test('every method has markdown with its summary, its result and a link', () => {
    for (const one of METHODS) {
      const text = methodMarkdown(one);
      for (const part of [one.summary, one.result, docsUrl(one) ?? ''])
        assert.ok(text.includes(part), `${one.name}: ${part}`);
    }
  });

  test('a path leads to a member, an item and a config in an earlier place', () => {
    assert.equal(specAt(record('getProgramAccounts'), [1, 'filters', 3, 'memcmp', 'bytes'])?.spec.kind, 'memcmpBytes');
    assert.equal(specAt(record('getMultipleAccounts'), [0, 7])?.spec.kind, 'pubkey');
    assert.equal(specAt(record('getBlocks'), [1, 'commitment'])?.name, 'commitment');
    assert.equal(specAt(record('getBalance'), [1, 'nothing', 'deeper']), undefined);
    assert.equal(specAt(record('getBalance'), [9]), undefined);
    assert.equal(specAt(record('getBalance'), []), undefined);
  });

  test('values come with a sentence each', () => {
    const commitment = specAt(record('getTransaction'), [1, 'commitment']);
    assert.ok(commitment);
    assert.deepEqual(
      valuesOf(commitment.spec).map((one) => one.value),
      ['confirmed', 'finalized'],
    );
    assert.match(valueMarkdown(commitment.spec, 'finalized') ?? '', /no longer change/);
    assert.equal(valueMarkdown(commitment.spec, 'processed'), undefined);
    assert.match(fieldMarkdown(commitment), /default `"finalized"`/);
  });

  test('a snippet filled with its own words is valid JSON of the right length', () => {
    for (const one of METHODS) {
      const text = paramsSnippet(one)
        .replace(/\$\{\d+:([^}]*)\}/g, '$1')
        .replace(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1');
      const required = one.params.filter((param) => param.required === true).length;
      assert.equal((JSON.parse(text) as unknown[]).length, required, `${one.name}: ${text}`);
    }
    assert.equal(paramsSnippet(record('getTokenAccountsByOwner')), '["${1:owner}", { "mint": "${2:mint}" }]');
  });

  test('a removed name gives its replacement', () => {
    const removed = removedMethodNamed('getRecentBlockhash');
    assert.ok(removed);
    assert.match(removedMarkdown(removed), /`getLatestBlockhash`/);
  });

  test('every replacement, unsubscribe and conflict names something that exists', () => {
    for (const { replacedBy } of REMOVED_METHODS)
      if (replacedBy !== undefined) assert.ok(STANDARD_METHODS.named(replacedBy), replacedBy);
    for (const one of METHODS) {
      if (one.subscription !== undefined) {
        assert.equal(STANDARD_METHODS.named(one.subscription.unsubscribe)?.closes, one.name);
      }
    }
  });

  test('nearest names forgive a swap, a case and a letter, and nothing else', () => {
    const names = METHODS.map((one) => one.name);
    assert.equal(nearestNames('getBlaance', names)[0], 'getBalance');
    assert.equal(nearestNames('GETBALANCE', names)[0], 'getBalance');
    assert.equal(nearestNames('getAccountinfo', names)[0], 'getAccountInfo');
    assert.deepEqual(nearestNames('eth_getBlockByNumber', names), []);
    assert.deepEqual(nearestNames('getBal', names), ['getBalance']);
    assert.equal(nearestNames('getslotleaders', names)[0], 'getSlotLeaders');
    assert.deepEqual(nearestNames('', names), []);
    assert.deepEqual(nearestNames('x'.repeat(1 << 20), names), []);
  });
});

test('every record has a row in the corpus, from which the tests of both sides take their calls', () => {
  const rows = new Set(CORPUS.map(({ name }) => name));
  assert.deepEqual(
    METHODS.map(({ name }) => name).filter((name) => !rows.has(name)),
    // Its answer depends on the mint from the first check on: rpc-specification.test.ts has it.
    ['getTokenAccountsByMint'],
  );
});

test('docs/methods.md is what the records say', () => {
  assertMade('docs/methods.md', methodsReference());
});

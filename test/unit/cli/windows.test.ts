// The terminal command on Windows: paths, and where the local service is needed.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { splitPattern } from '../../../cli/session/given';
import { whyNoService } from '../../../cli/session/local';
import { missingEngine } from '../../../localnet/ledger/engine/native';

describe('a pattern', () => {
  const CASES: readonly (readonly [string, string, string])[] = [
    ['requests\\*.jsonrpc', 'requests', 'a.jsonrpc'],
    ['requests/*.jsonrpc', 'requests', 'a.jsonrpc'],
    ['**\\*.jsonrpc', '.', 'a/b/c.jsonrpc'],
    ['C:\\*.jsonrpc', 'C:/', 'a.jsonrpc'],
    ['c:\\work\\**\\*.jsonrpc', 'c:/work', 'a/b.jsonrpc'],
    ['\\\\server\\share\\*.jsonrpc', '//server/share', 'a.jsonrpc'],
    ['\\*.jsonrpc', '/', 'a.jsonrpc'],
  ];
  for (const [word, folder, name] of CASES)
    test(`${word} begins in ${folder} on Windows`, () => {
      const split = splitPattern(word, path.win32);
      assert.equal(split.folder, folder);
      assert.match(name, split.pattern);
      assert.doesNotMatch('other.txt', split.pattern);
    });

  test('has no backslash as a separator elsewhere', () => {
    assert.equal(splitPattern('a\\*.jsonrpc', path.posix).folder, '.');
    assert.equal(splitPattern('C:/*.jsonrpc', path.posix).folder, 'C:');
    assert.equal(splitPattern('/*.jsonrpc', path.posix).folder, '/');
  });
});

test('--local says in one sentence, without more, that the service does not run on Windows and what to do', () => {
  const reason = missingEngine('win32', 'x64');
  const text = whyNoService({ kind: 'failed', why: 'platform', reason, log: [reason] });
  assert.equal(text, reason);
  assert.match(
    text,
    /^The local service cannot run on Windows itself: .* Run it in WSL .*; everything else works here\.$/,
  );
});

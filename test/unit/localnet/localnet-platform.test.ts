// Where the engine has no binary, opening a ledger fails with one sentence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingEngine } from '../../../localnet/ledger/engine/native';
import { EngineUnavailableError, openLedger } from '../../../localnet/node/open';

test('opening on Windows rejects with one typed sentence that says what to do', async () => {
  const real = Object.getOwnPropertyDescriptor(process, 'platform');
  assert.ok(real !== undefined);
  // The engine's own loader chooses its binary by this; nothing else in this process has loaded it before.
  Object.defineProperty(process, 'platform', { ...real, value: 'win32' });
  try {
    await assert.rejects(openLedger({ paused: true }), (error) => {
      assert.ok(error instanceof EngineUnavailableError);
      assert.match(error.message, /^The local service cannot run on Windows itself: .*WSL/);
      assert.doesNotMatch(error.message, /\n| at /);
      return true;
    });
  } finally {
    Object.defineProperty(process, 'platform', real);
  }
});

test('on a rarer machine the sentence names platform and architecture', () => {
  assert.match(missingEngine('linux', 'riscv64'), /has no build for linux-riscv64/);
});

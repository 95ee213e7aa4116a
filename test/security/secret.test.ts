// A Secret shows its text only to callers of reveal(), which is called only where a key meets the wire or the vault.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { format, inspect } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { once } from 'node:events';
import { Secret } from '../../core/service/keys/secret';

const TEXT = 'a-secret-nobody-may-read-4711';

describe('a Secret', () => {
  const secret = new Secret(TEXT);

  test('prints as [redacted] in every way a value can be printed', () => {
    const printed = [
      String(secret),
      `${secret as unknown as string}`,
      'x' + String(secret),
      JSON.stringify({ secret }),
      JSON.stringify([secret]),
      inspect(secret, { depth: 10, showHidden: true }),
      inspect({ deep: { secret } }, { depth: 10, showHidden: true }),
      format('%s %o %O %j', secret, secret, secret, secret),
      inspect(new Error('failed', { cause: secret }), { depth: 10 }),
      Object.keys(secret).join(),
      Object.values(secret).join(),
    ];
    for (const text of printed) assert.ok(!text.includes(TEXT), text);
    assert.equal(String(secret), '[redacted]');
    assert.equal(JSON.stringify({ secret }), '{"secret":"[redacted]"}');
  });

  test('clones and crosses ports as nothing', async () => {
    assert.ok(!inspect(structuredClone(secret), { depth: 10, showHidden: true }).includes(TEXT));
    const { port1, port2 } = new MessageChannel();
    port1.postMessage({ secret });
    const [received] = (await once(port2, 'message')) as [unknown];
    port1.close();
    assert.ok(!inspect(received, { depth: 10, showHidden: true }).includes(TEXT));
  });

  test('gives its text to reveal() alone, and compares without showing it', () => {
    assert.equal(secret.reveal(), TEXT);
    assert.equal(secret.equals(new Secret(TEXT)), true);
    assert.equal(secret.equals(new Secret('other')), false);
  });
});

describe('reveal()', () => {
  const root = path.join(import.meta.dirname, '..', '..');
  /** The only files that may open a Secret; adding one is a decision to be read by somebody. */
  const ALLOWED = [
    /^cli\/session\/secrets\.ts$/,
    /^net\/(auth|connect|http|websocket|grpc|secrets)\/[^/]+\.ts$/,
    /^server\/keys\/keys\.ts$/,
    /^server\/streams\/keyPort\.ts$/,
    /^client\/keys\/keyVault\.ts$/,
  ];

  function* sources(folder: string): Generator<string> {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* sources(name);
      else if (entry.name.endsWith('.ts')) yield name;
    }
  }

  // A webview panel and a tree view have a method of that name, too.
  test('is called only where a key meets the wire or the vault', () => {
    const callers = ['core', 'runner', 'protocol', 'net', 'process', 'server', 'client', 'cli', 'localnet']
      .flatMap((folder) => [...sources(folder)])
      .filter(
        (file) =>
          file !== 'core/service/keys/secret.ts' &&
          /(?<!\b(?:panel|view))\.reveal\s*\(/.test(readFileSync(path.join(root, file), 'utf8')),
      );
    assert.ok(callers.length > 0, 'no caller found: the search is broken');
    assert.deepEqual(
      callers.filter((file) => !ALLOWED.some((pattern) => pattern.test(file))),
      [],
    );
  });
});

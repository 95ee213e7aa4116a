// LiteSVM's error numbers as our table has them: compared with the enums in the package's own types.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { nativeInstructionErrors, nativeTransactionErrors } from '../../../localnet/ledger/errorTable';

const TYPES = path.join(path.dirname(require.resolve('litesvm/dist/internal.js')), 'internal.d.ts');

/** The members of an enum of the package's types, with their numbers. */
function enumOf(name: string): [number, string][] {
  const [, body = ''] = new RegExp(`const enum ${name} \\{([^}]*)\\}`).exec(readFileSync(TYPES, 'utf8')) ?? [];
  return [...body.matchAll(/(\w+) = (\d+)/g)].map(([, member = '', number]) => [Number(number), member]);
}

describe("the engine's error numbers", () => {
  for (const [name, table] of [
    ['TransactionErrorFieldless', nativeTransactionErrors],
    ['InstructionErrorFieldless', nativeInstructionErrors],
  ] as const)
    test(name, () => {
      const members = enumOf(name);
      assert.ok(members.length > 0, 'the enum is in the types');
      assert.deepEqual(
        [...table].sort(([a], [b]) => a - b),
        members,
      );
    });
});

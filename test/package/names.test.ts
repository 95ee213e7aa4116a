// An exported name has one owner, so that it has one meaning wherever it is read (ARCHITECTURE.md, "Directions").
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROOMS } from '../../scripts/directions.mjs';

const ROOT = path.join(__dirname, '..', '..');

/** Facts that the local service has for itself, so that a mistake in one cannot hide one in the other; both mean the same. */
const LOCALNET_TWINS = new Set([
  'COMPUTE_BUDGET_PROGRAM',
  'Commitment',
  'KeyType',
  'LoadedAddresses',
  'MAX_LEGACY_BYTES',
  'MAX_V1_BYTES',
  'MEMO_PROGRAM',
  'MEMO_V1_PROGRAM',
  'PLANS',
  'PlanName',
  'SYSTEM_PROGRAM',
  'TOKEN_2022_PROGRAM',
  'TOKEN_PROGRAM',
  'TOKEN_PROGRAMS',
  'V1',
  'isPlanName',
  'readMessageV1',
]);

const DECLARED =
  /^export (?:declare |abstract |async )*(?:function\*?|class|interface|type|const|let|enum) ([\p{ID_Start}_$][\p{ID_Continue}$]*)/gmu;

const isLocalnet = (file: string): boolean => file.startsWith('localnet/');

/** The files that declare each exported name; overloads of one file count once. */
function owners(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const room of new Set(Object.keys(ROOMS)))
    for (const name of readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })) {
      const file = `${room}/${name.replaceAll('\\', '/')}`;
      if (!file.endsWith('.ts') || file.startsWith('proto/gen/')) continue;
      for (const [, exported = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(DECLARED))
        found.set(exported, (found.get(exported) ?? new Set()).add(file));
    }
  return found;
}

test('every exported name is declared in one file; a twin is in the local service, and in the list above', () => {
  const several = [...owners()].filter(([, files]) => files.size > 1);
  const isTwin = ([name, files]: (typeof several)[number]): boolean =>
    LOCALNET_TWINS.has(name) && [...files].filter((file) => !isLocalnet(file)).length === 1;
  assert.deepEqual(
    several.filter((one) => !isTwin(one)).map(([name, files]) => `${name}: ${[...files].join(', ')}`),
    [],
  );
  assert.deepEqual(
    [...LOCALNET_TWINS].filter((name) => !several.some(([other]) => other === name)),
    [],
  );
});

// A run costs as much per request in a long chain of names as in a short one: counted in looks at the endpoint's variables,
// which are asked for whenever a request is looked up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesOf, runText } from '../../support/process/run';

/** Requests that each read the answer of the one before; the first reads a variable of the environment. */
const chain = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const value = index === 0 ? '{{$processEnv HOME}}' : `{{r${index - 1}.result}}`;
    return `### ${index}\n# @name r${index}\n{ "method": "getBlock", "params": [1, { "note": "${value}" }] }\n`;
  }).join('');

async function looks(count: number, may: { readonly isAllowed: boolean; readonly isHere: boolean }): Promise<number> {
  let asked = 0;
  const ran = await runText(chain(count), {
    profileVariables: () => {
      asked++;
      return new Map();
    },
    ports: {
      environment: {
        value: () => 'home',
        refusal: () => undefined,
        isAllowed: () => may.isAllowed,
        destination: () => ({ host: 'test.invalid', isHere: may.isHere }),
        sentHere: new Set(),
        hint: () => '',
      },
    },
  });
  assert.deepEqual(codesOf(ran), []);
  assert.equal(ran.report.summary.passed, count);
  return asked;
}

test('four times the requests in a chain cost four times the looks', async () => {
  for (const may of [
    { isAllowed: true, isHere: false },
    { isAllowed: false, isHere: true },
  ]) {
    const [few, many] = [await looks(50, may), await looks(200, may)];
    assert.ok(many <= 4.2 * few, `${few} looks, then ${many}`);
  }
});

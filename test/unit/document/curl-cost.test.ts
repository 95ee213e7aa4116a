// Pasted commands cost no more than the length of their text: a cost of its square takes minutes here, and the test its limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAllCurl } from '../../../core/requests/curl/several';

const variables = Array.from({ length: 120_000 }, (_, at) => `$v${at.toString(36)}`).join('');
test('variables in the URL cost no more than their length', () => {
  assert.deepEqual(
    readAllCurl(`curl https://host.example/${variables} -d '{"method":"getSlot"}'`).blocks.map(({ method }) => method),
    ['getSlot'],
  );
});

test('lines in an open quote that may begin a command cost no more than the length of the text', (t) => {
  let looks = 0;
  const exec = Reflect.get(RegExp.prototype, 'exec');
  const counted = function (this: RegExp, text: string): RegExpExecArray | null {
    looks++;
    return exec.call(this, text);
  };
  Object.assign(RegExp.prototype, { exec: counted });
  t.after(() => Object.assign(RegExp.prototype, { exec }));
  // Each "$" is looked at for a variable.
  const text = `curl x ${'$'.repeat(900_000)} '${'\ncurl y'.repeat(200)}`;
  assert.deepEqual(readAllCurl(text).reasons, ['A single quote is not closed.']);
  assert.ok(looks < 10 * text.length, `${looks} looks`);
});

// Long lists of the local service's answers: kept as text while they wait to be written, and the same JSON as their values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WireParts, WireText, type WireJson } from '../../../localnet/api';
import { listInSlices } from '../../../localnet/rpc/format/longList';
import { OutOfTime } from '../../../localnet/slices';
import { wireChunks, wireText } from '../../../localnet/wireJson';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const U64_MAX = 2n ** 64n - 1n;

/** An item of every kind that an answer has. */
const itemOf = (at: number): WireJson => ({
  at,
  amount: U64_MAX - BigInt(at),
  text: `"${at}" \n\\ é`,
  none: null,
  left: undefined,
  list: [true, []],
  long: at % 500 === 0 ? new WireText(() => ['abc', String(at)]) : '',
});

const textOf = (at: number): string =>
  `{"at":${at},"amount":${U64_MAX - BigInt(at)},"text":${JSON.stringify(`"${at}" \n\\ é`)},"none":null,` +
  `"list":[true,[]],"long":"${at % 500 === 0 ? `abc${at}` : ''}"}`;

test('a long list is text, and the same JSON as its items one by one', async () => {
  const list = await listInSlices(numbers(2_500), itemOf);
  assert.ok(list instanceof WireParts);
  assert.equal(wireText({ value: list }), `{"value":[${numbers(2_500).map(textOf).join(',')}]}`);
});

test('a list of a thousand stays values', async () => {
  const list = await listInSlices(numbers(1_000), itemOf);
  assert.ok(Array.isArray(list));
  assert.equal(wireText(list), `[${numbers(1_000).map(textOf).join(',')}]`);
});

test('a long text inside a long list is made only when it is written, each time', async () => {
  let made = 0;
  const text = new WireText(() => [String(++made)]);
  const list = await listInSlices(numbers(1_001), (at) => (at === 7 ? text : at));
  assert.equal(made, 0);
  assert.match(wireText(list), /^\[0,1,2,3,4,5,6,"1",8,/);
  assert.match(wireText(list), /,6,"2",8,/);
});

test('a long list is written in chunks of a bounded length', async () => {
  const list = await listInSlices(numbers(3_000), () => 'x'.repeat(100));
  const lengths = Array.from(wireChunks([list, list]), (chunk) => chunk.length);
  assert.ok(lengths.length >= 6, String(lengths));
  assert.ok(Math.max(...lengths) <= 2 * 65_536 + 200, String(lengths));
});

test('a long list that takes too long is given up', async () => {
  await assert.rejects(
    listInSlices(numbers(2_000), itemOf, 1, performance.now() - 1),
    (error) => error instanceof OutOfTime,
  );
});

// docs/streams.md agrees with the streams' tables, and its examples can be typed as written.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readFilter } from '../../../core/service/streams/filter';
import { exampleShape, FILTER_EXAMPLES, streamsReference } from '../../../core/service/streams/reference';
import { assertMade } from '../../support/pages/madePage';
import { infoOf, transactionUpdate, updateOf } from '../../support/wire/streamed';
import { keyOf, layOut } from '../../support/data/layouts';

const page = readFileSync('docs/streams.md', 'utf8');
/** The rows of tables, cell by cell. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '));

test('the page is the one made from the tables', () => {
  assertMade('docs/streams.md', streamsReference());
});

test('every field says what it is', () => {
  const fields = rows.filter(([, type = '']) => ['text', 'number', 'boolean'].includes(type));
  assert.ok(fields.length > 50);
  for (const [name, , says] of fields) assert.ok(says !== undefined && says !== '', name);
});

test('every example can be read as the page writes it', () => {
  const shown = rows.filter(([, filter = '']) => filter.startsWith('`') && filter.endsWith('`') && filter.length > 2);
  assert.equal(shown.length, FILTER_EXAMPLES.length);
  for (const [stream = '', written = ''] of shown) {
    const filter = written.slice(1, -1).replaceAll('\\|', '|');
    assert.ok(
      FILTER_EXAMPLES.some((example) => example.stream === stream && example.filter === filter),
      filter,
    );
    const read = readFilter(filter, exampleShape(stream));
    assert.equal(read.kind, 'filter', `${filter}: ${JSON.stringify(read)}`);
  }
});

const MINT = layOut([4, 0], keyOf(0), [8, 5_000], [1, 6], [1, 1], [4, 0], keyOf(0));
const TOKEN_PROGRAM = Buffer.from('06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9', 'hex');
const mint = updateOf({
  filters: ['all'],
  updateOneof: {
    case: 'account',
    value: { slot: 5n, account: { pubkey: keyOf(1), owner: TOKEN_PROGRAM, lamports: 2_000_000_000n, data: MINT } },
  },
});
const finalized = updateOf({ filters: ['all'], updateOneof: { case: 'slot', value: { slot: 5n, status: 2 } } });
/** InstructionError of the third instruction: insufficient funds. */
const poor = transactionUpdate(infoOf({ err: { err: layOut([4, 8], [1, 2], [4, 5]) } }));

/** An example, what passes it and what does not. */
const MEANT: readonly (readonly [filter: RegExp, passes: Uint8Array, not: Uint8Array])[] = [
  [/^owner ==/, mint, finalized],
  [/^type ~ mint/, mint, transactionUpdate()],
  [/InsufficientFunds/, poor, transactionUpdate()],
  [/^status == finalized/, finalized, mint],
  [/^transfer$/, transactionUpdate(), finalized],
];
for (const [name, passing, other] of MEANT)
  test(`the example ${String(name)} passes what the page says, and not another`, () => {
    const example = FILTER_EXAMPLES.find(({ filter }) => name.test(filter));
    assert.ok(example !== undefined);
    const stream = example.stream === 'any' ? 'transactions' : example.stream;
    const read = readFilter(example.filter, exampleShape(stream));
    assert.ok(read.kind === 'filter');
    assert.deepEqual([read.passes(passing, 0, passing.length), read.passes(other, 0, other.length)], [true, false]);
  });

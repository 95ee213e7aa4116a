// A response's list as a table: its columns, the order of its rows, the filter, CSV, and which lists there are.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { csvLine } from '../../../core/solana/common/csv';
import { listsIn } from '../../../core/service/response/lists';
import {
  cellAt,
  cellOf,
  columnName,
  columnsOf,
  compareKeys,
  matches,
  sortKeyOf,
  type ColumnPath,
} from '../../../core/service/response/table';
import { isJsonArray, parseJson, type JsonValue } from '../../../core/solana/json/json';
import { outlineOf } from '../../../server/responses/largeResponses';

function items(text: string): readonly JsonValue[] {
  const value = parseJson(text);
  return isJsonArray(value) ? value : [];
}

const sorted = (text: string, column: ColumnPath, isDescending: boolean): string[] =>
  items(text)
    .map((item) => ({ key: sortKeyOf(cellAt(item, column)), text: cellOf(cellAt(item, column)).text }))
    .sort((left, right) => compareKeys(left.key, right.key, isDescending))
    .map(({ text }) => text);

describe('columns', () => {
  test('are the members of the items, then those of objects inside them, and at last those that hold lists', () => {
    const columns = columnsOf(items('[{"pubkey":"a","account":{"lamports":1,"data":["x","base64"]}},{"slot":2}]'));
    assert.deepEqual(
      columns.map(({ path, isNumber }) => [columnName(path), isNumber]),
      [
        ['pubkey', false],
        ['slot', true],
        ['account.lamports', true],
        ['account.data', false],
      ],
    );
  });

  test('are one where the items have no members', () => {
    assert.deepEqual(
      columnsOf(items('["log one","log two"]')).map(({ path }) => columnName(path)),
      ['value'],
    );
  });

  test('stay plain data under any name', () => {
    const [item] = items('[{"__proto__":{"constructor":1}}]');
    assert.ok(item !== undefined && item !== null);
    const [column] = columnsOf([item]);
    assert.deepEqual(column?.path, ['__proto__', 'constructor']);
    assert.equal(cellOf(cellAt(item, column?.path ?? [])).text, '1');
    assert.equal(cellOf(cellAt(item, ['toString'])).kind, 'missing');
  });

  test('are bounded', () => {
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`c${n}`, n]));
    assert.equal(columnsOf([wide]).length, 200);
  });
});

describe('a cell', () => {
  test('keeps every digit', () => {
    const [value] = items('[18446744073709551615]');
    assert.deepEqual(cellOf(value), { kind: 'number', text: '18446744073709551615' });
  });

  test('is cut where it is long, and says so', () => {
    const cell = cellOf('x'.repeat(1_000_000));
    assert.equal(cell.isCut, true);
    assert.equal(cell.text.length, 300);
  });
});

describe('the order of rows', () => {
  test('compares integers that are equal as doubles', () => {
    const text = '[{"n":18446744073709551615},{"n":18446744073709551613},{"n":18446744073709551614},{"n":7}]';
    assert.deepEqual(sorted(text, ['n'], false), [
      '7',
      '18446744073709551613',
      '18446744073709551614',
      '18446744073709551615',
    ]);
  });

  test('puts numbers in front of texts, and rows without a value last whichever way', () => {
    const text = '[{"n":"b"},{},{"n":2},{"n":null},{"n":"a"},{"n":1.5}]';
    assert.deepEqual(sorted(text, ['n'], false), ['1.5', '2', 'a', 'b', '', '']);
    assert.deepEqual(sorted(text, ['n'], true), ['b', 'a', '2', '1.5', '', '']);
  });

  test('takes integers that are written as text for numbers', () => {
    const text = '[{"n":"100"},{"n":"20"},{"n":3},{"n":"007"},{"n":"18446744073709551615"},{"n":"-5"}]';
    const order = ['-5', '3', '20', '100', '18446744073709551615', '007'];
    assert.deepEqual(sorted(text, ['n'], false), order);
  });
});

describe('a filter', () => {
  const [item] = items('[{"pubkey":"AbC","account":{"owner":"Token","lamports":18446744073709551615}}]');
  assert.ok(item !== undefined);

  test('searches every cell without regard to case, digits included', () => {
    for (const text of ['abc', 'TOKEN', '709551615']) assert.equal(matches(item, { text }), true, text);
    assert.equal(matches(item, { text: 'pubkey' }), false);
  });

  test('looks at one column where one is named', () => {
    assert.equal(matches(item, { text: 'token', column: ['account', 'owner'] }), true);
    assert.equal(matches(item, { text: 'token', column: ['pubkey'] }), false);
  });
});

describe('CSV', () => {
  test('quotes what needs it and keeps digits', () => {
    assert.equal(
      csvLine(['a,b', 'say "x"', '18446744073709551615', undefined]),
      '"a,b","say ""x""",18446744073709551615,\r\n',
    );
  });

  test('marks what a spreadsheet would run as text, and leaves negative numbers', () => {
    for (const text of ['=1+1', '+1+cmd', '-2+3', '@SUM(A1)', '\t=1', ' =1', '\uff1d1'])
      assert.match(csvLine([text]), /^"?'/, JSON.stringify(text));
    assert.equal(csvLine(['-5', '-1.5e3']), '-5,-1.5e3\r\n');
  });
});

describe('the lists of a response', () => {
  const lists = async (text: string): Promise<string[]> => {
    const bytes = Buffer.from(text);
    return listsIn(await outlineOf([bytes]), bytes.length).map(({ path, count }) => `${path.join('.')} ${count}`);
  };

  test('are listed the largest first', async () => {
    const text = '{"result":{"few":[1],"value":[{"a":1},{"a":2}]}}';
    assert.deepEqual(await lists(text), ['result.value 2', 'result.few 1']);
  });

  test('are empty for one account with its data', async () => {
    assert.deepEqual(await lists('{"result":{"value":{"data":["AAAA","base64"],"lamports":1}}}'), []);
    assert.deepEqual(await lists('{"result":1}'), []);
    assert.deepEqual(await lists('no JSON at all'), []);
  });
});

// docs/coming-from-http.md keeps its word: each row is written into a file, and either works or says what to write.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { CODES } from '../../../core/requests/diagnostics/codes';
import { documentFor, service } from '../../corpus/check';

interface Row {
  readonly typed: string;
  readonly here: string;
  readonly instead: string;
  readonly isAtTop: boolean;
}

const code = (cell: string): string => cell.replace(/^`|`$/g, '');

/** The rows of all tables; `<br>` parts lines, and each line is code. */
function rowsOf(page: string): Row[] {
  const rows: Row[] = [];
  let heading = '';
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) heading = line.slice(3);
    if (!line.startsWith('| `')) continue;
    const [typed = '', , here = '', instead = ''] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    const text = typed.split('<br>').map(code).join('\n');
    rows.push({ typed: text, here: code(here), instead: code(instead), isAtTop: heading === 'At the top of a file' });
  }
  return rows;
}

const page = readFileSync('docs/coming-from-http.md', 'utf8');
const rows = rowsOf(page);

/** The file around a row: a variable and the named request that rows read from. */
const fileOf = ({ typed, isAtTop }: Row): string =>
  isAtTop
    ? `${typed}\n\n### A request\n{ "method": "getSlot" }\n`
    : `@host = rpc.example.com\n\n### Login\n# @name login\n{ "method": "getSlot" }\n\n${typed.startsWith('###') ? '' : '###\n'}${typed}\n`;

describe('what people type', () => {
  for (const row of rows)
    test(`${row.here}: ${row.typed.replaceAll('\n', ' ⏎ ')}`, () => {
      // A row need not use the variable around it.
      const found = service.diagnostics(documentFor(fileOf(row))).filter((one) => one.code !== 'unused-variable');
      if (row.here === 'works') {
        assert.deepEqual(found, []);
        return;
      }
      assert.deepEqual([...new Set(found.map((one) => one.code))], [row.here]);
      assert.notEqual(row.instead, '');
      for (const { message } of found) {
        const text = typeof message === 'string' ? message : message.value;
        assert.ok(text.includes(row.instead), text);
      }
    });
});

test('the page has at least 90 rows, and names codes that there are', () => {
  assert.ok(rows.length >= 90, String(rows.length));
  for (const { here } of rows) assert.ok(here === 'works' || Object.hasOwn(CODES, here), here);
});

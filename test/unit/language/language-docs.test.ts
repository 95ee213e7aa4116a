// docs/diagnostics.md says what the table of codes says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CODES } from '../../../core/requests/diagnostics/codes';
import { diagnosticsReference } from '../../../core/requests/diagnostics/reference';
import { assertMade } from '../../support/pages/madePage';

const page = readFileSync('docs/diagnostics.md', 'utf8');

test('the page is the one made from the table', () => {
  assertMade('docs/diagnostics.md', diagnosticsReference());
});

test('every code has an anchor', () => {
  for (const code of Object.keys(CODES)) assert.ok(page.includes(`\n### ${code}\n`), code);
});

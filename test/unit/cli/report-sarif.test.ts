// `check --sarif`: a log of SARIF 2.1.0, with places in UTF-16 units and the quick fixes as they are in the editor.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, test } from 'node:test';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { PROJECT, sarifLog } from '../../../cli/report/ci/sarif';
import { parseDocument } from '../../../core/requests/document/document';
import { CODES } from '../../../core/requests/diagnostics/codes';
import { diagnose } from '../../../core/requests/checks/diagnostics';
import { printJson } from '../../../core/solana/json/json';
import type { RequestDocument } from '../../../core/requests/document/model';
import type { PlacedProblem } from '../../../core/requests/checks/problem';
import { readSarifMessage } from '../../support/data/readers';
import { SARIF_SCHEMA } from '../../support/data/sarifSchema';

const root = path.join(__dirname, '..', '..', '..');
const ajv = addFormats(new Ajv({ allErrors: true }));
const isValid = ajv.compile(SARIF_SCHEMA);

interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

interface Log {
  readonly runs: readonly {
    readonly tool: {
      readonly driver: { readonly rules: readonly { readonly id: string; readonly helpUri: string }[] };
    };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
          readonly region: Region;
        };
      }[];
      readonly fixes?: readonly {
        readonly description: { readonly text: string };
        readonly artifactChanges: readonly {
          readonly replacements: readonly {
            readonly deletedRegion: Region;
            readonly insertedContent: { readonly text: string };
          }[];
        }[];
      }[];
    }[];
  }[];
}

const problemsOf = (document: RequestDocument): readonly PlacedProblem[] =>
  diagnose({
    document,
    surroundings: { vars: new Map(), imports: { documentOf: () => undefined, whyNone: () => undefined } },
  });

/** The log of one file, read back from its text. */
function logOf(text: string, name = 'a.jsonrpc', checkout = { folder: root, environment: {} }): Log {
  const document = parseDocument(name, 1, text);
  const log = JSON.parse(printJson(sarifLog([{ document, problems: problemsOf(document) }], '1.2.3', checkout))) as Log;
  assert.ok(isValid(log), JSON.stringify(isValid.errors?.slice(0, 3)));
  return log;
}

/** The text with a region replaced. */
function replaced(text: string, { startLine, startColumn, endLine, endColumn }: Region, inserted: string): string {
  const lines = text.split('\n');
  const offset = (line: number, column: number): number =>
    lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  return text.slice(0, offset(startLine, startColumn)) + inserted + text.slice(offset(endLine, endColumn));
}

describe('the SARIF log', () => {
  test('of a file without faults has every rule and no result', () => {
    const [run] = logOf('### a\n{"method":"getSlot"}\n').runs;
    assert.deepEqual(run?.results, []);
    assert.deepEqual(
      run?.tool.driver.rules.map(({ id }) => id),
      Object.keys(CODES),
    );
  });

  test('has places in UTF-16 units, as editors count', () => {
    const [result] = logOf('### a\n{"id":"😀", "method":"getSlto"}\n').runs[0]?.results ?? [];
    assert.equal(result?.ruleId, 'unknown-method');
    assert.equal(result.level, 'error');
    const { region } = result.locations[0]?.physicalLocation ?? {};
    assert.deepEqual(region, { startLine: 2, startColumn: 22, endLine: 2, endColumn: 31 });
  });

  test('fixes what it finds: the text with a fix put in has the fault no more', () => {
    const texts = [
      '### a\n{"method":"getSlto"}\n',
      '### a\n{"method":"getSlot",}\n',
      '### a\n{"method":"getSlot"}\n{"method":"getSlot"}\n',
      '### a\n{"method":"getAsset","params":["x"]}\n',
      '# first\n### a\n{"method":"getBalance","params":["11111111111111111111111111111111", {"commitment":"finalised"}]}\n',
    ];
    for (const text of texts) {
      const [result] = logOf(text).runs[0]?.results ?? [];
      const replacements = result?.fixes?.[0]?.artifactChanges[0]?.replacements ?? [];
      assert.ok(replacements.length > 0, text);
      const mended = [...replacements]
        .reverse()
        .reduce((now, { deletedRegion, insertedContent }) => replaced(now, deletedRegion, insertedContent.text), text);
      const left = logOf(mended).runs[0]?.results.map(({ ruleId }) => ruleId) ?? [];
      assert.ok(!left.includes(result?.ruleId ?? ''), `${mended}: ${left.join(', ')}`);
    }
  });

  test('offers no fix that needs a command of the editor, and repeats no key', () => {
    const key = '0123456789abcdef0123456789abcdef';
    const log = logOf(`### a\nPOST https://x.example/?api-key=${key}\n\n{"method":"getSlot"}\n`);
    const result = log.runs[0]?.results.find(({ ruleId }) => ruleId === 'secret-in-file');
    assert.ok(result);
    assert.equal(result.fixes, undefined);
    assert.ok(!JSON.stringify(log).includes(key));
  });

  test('names files from the root of the checkout, encoded; others by their whole address', () => {
    const uriOf = (name: string, environment: NodeJS.ProcessEnv = {}) =>
      logOf('{', name, { folder: '/w/repo/sub', environment }).runs[0]?.results[0]?.locations[0]?.physicalLocation
        .artifactLocation;
    assert.deepEqual(uriOf('a b/ü#%.jsonrpc'), { uri: 'a%20b/%C3%BC%23%25.jsonrpc', uriBaseId: '%SRCROOT%' });
    assert.deepEqual(uriOf('a.jsonrpc', { GITHUB_WORKSPACE: '/w/repo' }), {
      uri: 'sub/a.jsonrpc',
      uriBaseId: '%SRCROOT%',
    });
    assert.deepEqual(uriOf('/tmp/a b.jsonrpc'), { uri: pathToFileURL('/tmp/a b.jsonrpc').href });
    assert.deepEqual(uriOf('-'), { uri: 'stdin' });
  });

  test('points to pages of this project, each with the anchor of its code', () => {
    const { repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      readonly repository: { readonly url: string };
    };
    assert.equal(repository.url, `${PROJECT}.git`);
    const page = readFileSync(path.join(root, 'docs', 'diagnostics.md'), 'utf8');
    for (const { helpUri } of logOf('{').runs[0]?.tool.driver.rules ?? []) {
      const [, anchor = ''] = helpUri.split('/docs/diagnostics.md#');
      assert.ok(page.includes(`\n### ${anchor}\n`), helpUri);
    }
  });
});

test('the schema refuses a log that is broken in any one part', () => {
  const log = logOf('### a\n{"method":"getSlto"}\n');
  const places = pathsIn(log);
  assert.ok(places.length > 100);
  const kept: string[] = [];
  for (const place of places) {
    const broken = structuredClone(log) as unknown as Tree;
    const last = place.at(-1) ?? '';
    const parent = place.slice(0, -1).reduce((node, step) => node[step] as Tree, broken);
    parent[last] = typeof parent[last] === 'string' ? 17 : 'broken';
    if (isValid(broken)) kept.push(place.join('.'));
  }
  assert.deepEqual(kept, []);
  for (const spoil of [{ version: '2.0.0' }, { runs: [] }, { unknown: 1 }, { runs: undefined }])
    assert.ok(!isValid(JSON.parse(JSON.stringify({ ...log, ...spoil }))), JSON.stringify(spoil));
});

type Tree = Record<string, unknown>;

/** Every place of a value below the root. */
function pathsIn(value: unknown, before: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[...before, name], ...pathsIn(inner, [...before, name])]);
}

describe('texts from a file', () => {
  for (const hostile of ['[x](1)', '{0} {a}', '\\[x\\](sarif:/runs/0)', '[a\\](1) ](1)'])
    test(`are neither links nor placeholders: ${hostile}`, () => {
      const text = `### ${hostile}\n# @nmae ${hostile}\n{"method":${JSON.stringify(hostile)}, "id": "{{a${hostile}}}"}\n`;
      const said = problemsOf(parseDocument('a.jsonrpc', 1, text)).map(({ problem }) => problem.message);
      const messages = logOf(text).runs[0]?.results.map(({ message }) => readSarifMessage(message.text));
      assert.ok(
        said.some((message) => message.includes(hostile)),
        said.join('\n'),
      );
      assert.deepEqual(messages, said);
    });
});

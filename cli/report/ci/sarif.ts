// The report of `check --sarif`: SARIF 2.1.0, with the table of diagnostics as its rules and the quick fixes as fixes.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rangeOf } from '../../../core/requests/document/lines';
import { CODES, FIXES, type Code, type CodeShape, type Severity } from '../../../core/requests/diagnostics/codes';
import { mendsOf } from '../../../core/requests/checks/fixes/fixes';
import type { Mend } from '../../../core/requests/checks/problem';
import { markdownWords } from '../../../core/solana/common/markdown';
import { repositoryPath, type Checkout } from './repositoryPath';
import type { PlacedBlock, Range } from '../../../core/requests/document/model';
import type { PlacedProblem } from '../../../core/requests/checks/problem';
import type { JsonObject } from '../../../core/solana/json/json';
import type { CheckedFile } from '../checked';

/** The project's pages, as in package.json. */
export const PROJECT = 'https://github.com/rpc-workbench/solana-rpc-workbench';

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

const RULES = Object.entries<CodeShape>(CODES);

/** Without placeholders (SARIF 2.1.0, 3.11.5): each brace is doubled. */
const braces = (text: string): string => text.replace(/[{}]/g, '$&$&');

/** A plain text message without placeholders or links of SARIF itself (3.11.6): `[words](1)`. */
const messageText = (text: string): string => braces(text.replace(/[\\[\]]/g, '\\$&'));

/** The log as JSON; columns count UTF-16 units. `version` is that of this program. */
export function sarifLog(checked: readonly CheckedFile[], version: string, checkout: Checkout): JsonObject {
  const driver = {
    name: 'solana-rpc',
    version,
    informationUri: PROJECT,
    rules: RULES.map(([code, shape]) => rule(code, shape)),
  };
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver },
        columnKind: 'utf16CodeUnits',
        results: checked.flatMap(({ document, problems }) => {
          const location = artifactLocation(document.uri, checkout);
          return problems.map((problem) => result(problem, location));
        }),
      },
    ],
  };
}

function rule(code: string, { severity, group, doc }: CodeShape): JsonObject {
  const fix = Object.hasOwn(FIXES, code) ? FIXES[code as Code] : undefined;
  const help = fix === undefined ? doc : `${doc}\n\nQuick fix: ${fix}.`;
  const plain = (markdown: string): string => messageText(markdownWords(markdown));
  return {
    id: code,
    shortDescription: { text: plain(/^.*?[.:](?= |$)/.exec(doc)?.[0] ?? doc) },
    fullDescription: { text: plain(doc) },
    help: { text: plain(help), markdown: braces(help) },
    helpUri: `${PROJECT}/blob/main/docs/diagnostics.md#${code}`,
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: [group] },
  };
}

function result({ placed, problem }: PlacedProblem, location: JsonObject): JsonObject {
  const index = RULES.findIndex(([code]) => code === problem.code);
  // A fix that needs an editor command is not just an edit.
  const fixes = mendsOf(placed, problem).filter(
    ({ command, edits, elsewhere }) => command === undefined && (edits.length > 0 || elsewhere !== undefined),
  );
  return {
    ruleId: problem.code,
    ...(index < 0 ? {} : { ruleIndex: index }),
    level: LEVELS[problem.severity],
    message: { text: messageText(problem.message) },
    locations: [{ physicalLocation: { artifactLocation: location, region: region(rangeOf(placed, problem.span)) } }],
    ...(fixes.length === 0 ? {} : { fixes: fixes.map((mend) => fixOf(placed, mend, location)) }),
  };
}

function fixOf(placed: PlacedBlock, { title, edits, elsewhere }: Mend, location: JsonObject): JsonObject {
  const replacements = edits.map(({ span, text }) => replacement(rangeOf(placed, span), text));
  if (elsewhere !== undefined)
    replacements.push(replacement({ start: elsewhere.at, end: elsewhere.at }, elsewhere.text));
  return { description: { text: messageText(title) }, artifactChanges: [{ artifactLocation: location, replacements }] };
}

const replacement = (range: Range, text: string): JsonObject => ({
  deletedRegion: region(range),
  insertedContent: { text },
});

/** One-based; the end column is the one behind the last. */
const region = ({ start, end }: Range): JsonObject => ({
  startLine: start.line + 1,
  startColumn: start.character + 1,
  endLine: end.line + 1,
  endColumn: end.character + 1,
});

/** Relative to the checkout's root; a file outside keeps its whole address. */
function artifactLocation(name: string, checkout: Checkout): JsonObject {
  const below = repositoryPath(name, checkout);
  if (below !== undefined) return { uri: below.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
  return { uri: name === '-' ? 'stdin' : pathToFileURL(path.resolve(checkout.folder, name)).href };
}

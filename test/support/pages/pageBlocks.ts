// The fenced blocks of the pages, and which test runs those that docs-run.test.ts leaves to others.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { codeBlocksOf, type CodeBlock } from '../data/markdown';

export const ROOT = path.join(__dirname, '..', '..', '..');

/** The pages at the root and in docs/, with slashes. */
export const PAGES: readonly string[] = ['.', 'docs']
  .flatMap((folder) => readdirSync(path.join(ROOT, folder)).map((name) => path.posix.join(folder, name)))
  .filter((name) => name.endsWith('.md'));

export const textOf = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');

export interface PageBlock extends CodeBlock {
  readonly page: string;
}

export const BLOCKS: readonly PageBlock[] = PAGES.flatMap((page) =>
  codeBlocksOf(textOf(page)).map((block) => ({ ...block, page })),
);

interface Elsewhere {
  readonly page: string;
  readonly languages: readonly string[];
  /** Only the blocks under this heading; without it all of the page. */
  readonly heading?: string;
  /** The tests that run them. Settings of other people's tools are parsed, and the command that they name is run. */
  readonly tests: readonly string[];
}

export const ELSEWHERE: readonly Elsewhere[] = [
  { page: 'docs/ci.md', languages: ['sh', 'yaml'], tests: ['test/package/ci-docs.test.ts'] },
  {
    page: 'docs/editors.md',
    languages: ['json', 'lua', 'toml'],
    tests: ['test/unit/cli/docs-editors.test.ts', 'test/protocol/neovim.test.ts'],
  },
  { page: 'docs/language.md', languages: ['ebnf'], tests: ['test/unit/document/language-page.test.ts'] },
  { page: 'docs/local-service.md', languages: ['json'], tests: ['test/contract/admin/admin-docs.test.ts'] },
  { page: 'docs/mcp.md', languages: ['json'], tests: ['test/unit/cli/docs-mcp.test.ts'] },
  { page: 'docs/methods.md', languages: ['json'], tests: ['test/contract/decode/corpus-service.test.ts'] },
  {
    page: 'docs/streams.md',
    languages: ['jsonrpc', 'sh', 'yaml'],
    heading: 'On to other programs',
    tests: ['test/protocol/cli/docs-pipelines.test.ts'],
  },
  {
    page: 'docs/test-validator.md',
    languages: ['js', 'dockerfile'],
    tests: ['test/contract/open/open-recipes.test.ts'],
  },
  {
    page: 'docs/test-validator.md',
    languages: ['sh'],
    heading: 'On a build server',
    tests: ['test/contract/open/open-recipes.test.ts'],
  },
];

export const elsewhere = ({ page, language, heading }: PageBlock): Elsewhere | undefined =>
  ELSEWHERE.find(
    (one) =>
      one.page === page && one.languages.includes(language) && (one.heading === undefined || one.heading === heading),
  );

/** Why a block is run by no test; undefined where one runs it. */
export const reasonNotRun = ({ info }: PageBlock): string | undefined => /^not-run: (.+)$/.exec(info)?.[1];

/** Text blocks are diagrams and shapes: nothing to run. */
export const isRunnable = (block: PageBlock): boolean =>
  block.language !== 'text' && reasonNotRun(block) === undefined && elsewhere(block) === undefined;

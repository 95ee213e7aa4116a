// Reads Markdown pages as their readers do: links, the anchors of headings, code blocks. For the tests of the pages.
import { createRequire } from 'node:module';

export interface MarkdownLink {
  readonly isPicture: boolean;
  readonly words: string;
  /** As it is written: a path from the page's folder with or without an anchor, or a URL. */
  readonly target: string;
}

export interface CodeBlock {
  /** Empty where the fence names none. */
  readonly language: string;
  /** The fence's text after the language, such as `not-run: needs Docker`. */
  readonly info: string;
  readonly text: string;
  /** The heading that it is under, of any level. */
  readonly heading: string;
  /** Of its fence, from 1. */
  readonly line: number;
}

const FENCE = /^ *```(\w*)/;

/** A page without what is shown as code: blocks, and spans between backticks. Lines keep their numbers. */
const withoutCode = (markdown: string): string => {
  let inside = false;
  const lines = markdown.split('\n').map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) inside = !inside;
    return isFence || inside ? '' : line;
  });
  return lines.join('\n').replace(/`[^`\n]*`/g, '');
};

/** The links of a page, code apart. */
export const linksOf = (markdown: string): readonly MarkdownLink[] =>
  [...withoutCode(markdown).matchAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, sign, words = '', target = '']) => ({
    isPicture: sign === '!',
    words,
    target,
  }));

/** The paragraphs and list items of a page, each in one line: no code blocks, tables, headings or pictures. */
export function proseOf(markdown: string): readonly string[] {
  let inside = false;
  const lines = markdown.split('\n').map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) inside = !inside;
    return isFence || inside || /^(?:#|\||!\[)/.test(line) ? '' : line.replace(/^ *(?:-|\d+\.) /, '\n$&');
  });
  return lines
    .join('\n')
    .replace(/\]\([^)\s]*\)/g, ']')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim().replace(/\s+/g, ' '))
    .filter((paragraph) => paragraph !== '');
}

/** How the headings of a page are named in links, as GitHub and the editor name them: a second one of a name gets `-1`. */
export function anchorsOf(markdown: string): readonly string[] {
  const used = new Map<string, number>();
  return headingsOf(markdown).map(({ heading }) => {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = used.get(anchor) ?? 0;
    used.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

function headingsOf(markdown: string): readonly { readonly heading: string; readonly line: number }[] {
  let inside = false;
  return markdown.split('\n').flatMap((text, at) => {
    if (FENCE.test(text)) inside = !inside;
    const heading = inside ? undefined : /^#{1,6} (.*)$/.exec(text)?.[1];
    return heading === undefined ? [] : [{ heading, line: at + 1 }];
  });
}

/** The fenced blocks of a page, in order. */
export function codeBlocksOf(markdown: string): readonly CodeBlock[] {
  const headings = headingsOf(markdown);
  return [...markdown.matchAll(/^( *)```(\w*)(.*)\n([\s\S]*?)^\1```/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: info = '', 4: text = '' }) => {
      const line = markdown.slice(0, index).split('\n').length;
      const heading = headings.findLast((one) => one.line < line)?.heading ?? '';
      const shown = text.replaceAll(`\n${indent}`, '\n').slice(indent.length);
      return { language, info: info.trim(), text: shown, heading, line };
    },
  );
}

interface Token {
  readonly type: string;
  readonly content: string;
  readonly children: readonly Token[] | null;
}

interface Parser {
  readonly parse: (text: string, environment: object) => readonly Token[];
}

// The parser of @vscode/vsce, which renders the extension's page.
const fromPackager = createRequire(require.resolve('@vscode/vsce/package.json'));
const parser = (fromPackager('markdown-it') as (options: object) => Parser)({ html: true, linkify: true });

/** The kinds of everything that a CommonMark parser makes of a text, bare addresses as links, and its words in order. */
export function readMarkdown(text: string): { readonly kinds: ReadonlySet<string>; readonly words: string } {
  const all = parser.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  const leaves = all.filter(({ children }) => children === null);
  return { kinds: new Set(all.map(({ type }) => type)), words: leaves.map(({ content }) => content).join('') };
}

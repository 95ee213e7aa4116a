// Words that prose here does without, each with what to write instead. The linter checks comments and texts of the code
// (scripts/lint.mjs), test/package/words.test.ts documents and translations.

/**
 * @typedef {object} Word
 * @property {RegExp} pattern with `g` and `i`; words are separated by any white space, since prose is wrapped
 * @property {string} says what to write instead
 *
 * @typedef {{ readonly at: number, readonly length: number, readonly message: string }} Finding `at` in UTF-16 units
 */

/** @type {readonly Word[]} */
const WORDS = [
  {
    pattern: /\b(?:tells?|told|telling)\b(?!\s{1,20}(?:\S{1,40}\s{1,20})?apart\b)/gi,
    says: 'say, show, report, notify or distinguish',
  },
  { pattern: /\b(?:stands?|stood)\b(?!-|[\s-]{1,20}(?:in\s{1,20})?for\b)/gi, says: 'be, or the verb that is meant' },
  { pattern: /\banew\b/gi, says: 'again' },
  // Without a boundary before “there”: in source text it may follow the “n” of a line break, as in "\nThere is no file.".
  { pattern: /(?<!there\s{1,20})\b(?:is|are|was|were)\s{1,20}none\b/gi, says: 'is not one, or is invalid' },
  {
    pattern: /(?<!there\s{1,20})\bis\s{1,20}no\s(?!\s{0,20}(?:longer|more|less|other|doubt|need)\b)/gi,
    says: 'is not a',
  },
  {
    pattern: /(?<!\b(?:the|only|this|that|last|first|next|each|every)\s{1,20})\bone\s{1,20}that\b/gi,
    says: 'a or any with the noun, or a new sentence',
  },
  {
    pattern: /\bof\s{1,20}(?:(?:its|their|his|our|your|one['’]s|my)\s{1,20}own|ours)\b/gi,
    says: 'its own, or separate',
  },
  { pattern: /\b(?:whoever|whatever)\b/gi, says: 'any, the caller, or regardless of' },
  { pattern: /\b(?:go(?:es)?|going|went)\s{1,20}on\b/gi, says: 'continue, happen or keep' },
  { pattern: /(?<!\bto\s{1,20})\b(?:mak(?:es?|ing)|made)\s{1,20}room\b/gi, says: 'drop, close or evict' },
  {
    pattern: /\b(?:comes?|came)\s{1,20}to\b(?!\s{1,20}(?:light|mind|an\s{1,20}end)\b)/gi,
    says: 'add up to, reach or become',
  },
  { pattern: /(?<![.\w])beside\b(?!\.)/gi, says: 'next to, besides or along with' },
  { pattern: /\bin\s{1,20}vain\b/gi, says: 'without effect, or fails' },
];
/** All of them at once. */
const ANY = new RegExp(WORDS.map(({ pattern }) => pattern.source).join('|'), 'i');

/** The words to replace in a text, in order. @param {string} text @returns {readonly Finding[]} */
export function wordsIn(text) {
  if (!ANY.test(text)) return [];
  const found = WORDS.flatMap(({ pattern, says }) =>
    [...text.matchAll(pattern)].map(({ 0: word, index }) => {
      const written = word.trim().replace(/\s{1,20}/g, ' ');
      return { at: index, length: word.length, message: `Plain words: instead of “${written}” write ${says}.` };
    }),
  );
  return found.sort((one, other) => one.at - other.at);
}

/** Marks before each line of a comment. */
const MARKS = /^[ \t]*(?:\/\/+|\/?\*+(?!\/))/gm;
const WHAT = /^\s*What\b(?![^.]*\?)/;
const WHAT_MESSAGE = 'Plain words: begin with the noun or the verb (“The bytes of …”, “Returns …”), not with “What”.';

/** The same for one whole comment with its marks, which also may not begin with “What”. @param {string} comment */
export function wordsInComment(comment) {
  const text = comment.replace(MARKS, (marks) => ' '.repeat(marks.length));
  const found = wordsIn(text);
  const at = text.search(/\S/);
  return WHAT.test(text) ? [{ at, length: 'What'.length, message: WHAT_MESSAGE }, ...found] : found;
}

/**
 * Nodes and comments of the syntax tree, as far as they are read here. The linter publishes no types of them.
 * @typedef {{ readonly type: string, readonly start: number, readonly end: number, readonly value: unknown }} Node
 * @typedef {object} Source
 * @property {string} text
 * @property {() => readonly Node[]} getAllComments
 * @property {(index: number) => object} getLocFromIndex
 */

/** Comments, with line comments that follow one another as one. @param {Source} source */
function commentsOf({ text, getAllComments }) {
  /** @type {{ start: number, end: number, isLine: boolean }[]} */
  const comments = [];
  for (const { type, start, end } of getAllComments()) {
    const isLine = type === 'Line';
    const last = comments.at(-1);
    if (isLine && last?.isLine && /^\r?\n[ \t]*$/.test(text.slice(last.end, start))) last.end = end;
    else comments.push({ start, end, isLine });
  }
  return comments;
}

export const plainWords = {
  meta: { type: 'problem', schema: [] },
  /** @param {{ readonly sourceCode: Source, report(finding: { readonly loc: object, readonly message: string }): void }} context */
  create(context) {
    const { sourceCode } = context;
    const { text } = sourceCode;
    /** @param {number} from @param {readonly Finding[]} found */
    const report = (from, found) => {
      for (const { at, length, message } of found) {
        const start = sourceCode.getLocFromIndex(from + at);
        context.report({ loc: { start, end: sourceCode.getLocFromIndex(from + at + length) }, message });
      }
    };
    /** Text of more than one word. @param {Node} node */
    const check = ({ start, end }) => {
      const written = text.slice(start, end);
      if (written.includes(' ')) report(start, wordsIn(written));
    };
    return {
      Program() {
        for (const { start, end } of commentsOf(sourceCode)) report(start, wordsInComment(text.slice(start, end)));
      },
      /** @param {Node} node */
      Literal(node) {
        if (typeof node.value === 'string') check(node);
      },
      TemplateElement: check,
    };
  },
};

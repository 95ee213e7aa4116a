// A test finds things by their whole names. A part of a name matches two things as soon as a product has both: "Sign" is in
// "Sign in" and in "Signed", so that a test waits for, or clicks, what it does not mean.

/**
 * A node of the syntax tree, as far as it is read here. The linter publishes no types of it.
 * @typedef {object} Node
 * @property {string} type
 * @property {Node} [callee]
 * @property {Node} [property]
 * @property {Node} [key]
 * @property {readonly Node[]} [arguments]
 * @property {readonly Node[]} [properties]
 * @property {readonly { readonly value: { readonly raw: string } }[]} [quasis]
 * @property {unknown} [value]
 * @property {string} [name]
 * @property {{ readonly pattern: string }} [regex]
 */

/** Methods whose first argument is the text of what they find. */
const BY_TEXT = new Set(['getByText', 'getByLabel', 'getByTitle', 'getByPlaceholder', 'getByAltText']);
/** Methods of the tests' own page objects, which match a string as a whole: of them regular expressions alone are checked. */
const HELPERS = new Set(
  'dialog notification statusItem tab tree treeItem lens lensAction options checks title tryPick runCommandAndPick'.split(
    ' ',
  ),
);
/** Options that hold a text, of methods that take `exact` and of those that do not. */
const NAMES = ['name', 'description'];
const TEXTS = ['hasText', 'hasNotText'];
/** Makes a regular expression of a whole text (test/support/editor/wholeText.ts). */
const WHOLE = 'wholeText';
const PART_IN_CSS = /\[(?:aria-[a-z]+|title|alt|placeholder)\*=|:has-text\(|:text\(|^text=/;

const MESSAGE = 'This also finds longer names: use exact: true, or a regular expression with ^ or $.';
const CSS_MESSAGE = 'This also finds longer names: find it by role and whole name.';
const TEXT_MESSAGE = `This also finds longer texts: use ${WHOLE}(text), or a regular expression with ^ or $.`;

/** The alternatives of a pattern that are not inside a group. @param {string} pattern */
function alternativesOf(pattern) {
  let depth = 0;
  const found = [''];
  for (const [part] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]?|[^]/g)) {
    if (part === '(') depth++;
    if (part === ')') depth--;
    if (part === '|' && depth === 0) found.push('');
    else found.push(`${found.pop()}${part}`);
  }
  return found;
}

/** True if each alternative is bound to the beginning or the end. @param {string} pattern */
const isAnchored = (pattern) =>
  alternativesOf(pattern).every((part) => part.startsWith('^') || /(?:^|[^\\])(?:\\\\)*\$$/.test(part));

/** A text as known before the program runs; `…` replaces unknown parts. @param {Node | undefined} node */
function knownText(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node?.type === 'TemplateLiteral' ? node.quasis?.map(({ value }) => value.raw).join('…') : undefined;
}

/** The pattern of a regular expression; undefined for anything else. @param {Node} node */
function patternOf(node) {
  if (node.regex !== undefined) return node.regex.pattern;
  const isMade = node.type === 'NewExpression' || node.type === 'CallExpression';
  return isMade && node.callee?.name === 'RegExp' ? (knownText(node.arguments?.[0]) ?? '…') : undefined;
}

/** @param {Node | undefined} object @param {string} name @returns {Node | undefined} */
const memberOf = (object, name) =>
  /** @type {Node | undefined} */ (object?.properties?.find(({ key }) => key?.name === name)?.value);

/** True for a text that finds nothing longer than itself. @param {Node} text @param {Node | undefined} options */
function isWhole(text, options) {
  const pattern = patternOf(text);
  if (pattern !== undefined) return isAnchored(pattern);
  return (text.type === 'CallExpression' && text.callee?.name === WHOLE) || memberOf(options, 'exact')?.value === true;
}

export const wholeNames = {
  meta: { type: 'problem', schema: [] },
  /** @param {import('./directions.mjs').RuleContext} context */
  create(context) {
    /** @param {Node | undefined} node @param {Node | undefined} options @param {string} message */
    const check = (node, options, message) => {
      if (node !== undefined && !isWhole(node, options)) context.report({ node, message });
    };
    return {
      /** @param {Node} node */
      CallExpression({ callee, arguments: given = [] }) {
        const method = callee?.property?.name ?? '';
        const [first, second] = given;
        if (BY_TEXT.has(method)) check(first, second, MESSAGE);
        if (HELPERS.has(method))
          for (const text of given) if (patternOf(text) !== undefined) check(text, undefined, MESSAGE);
        if (method === 'getByRole') for (const name of NAMES) check(memberOf(second, name), second, MESSAGE);
        const options = method === 'filter' ? first : method === 'locator' ? second : undefined;
        for (const name of TEXTS) check(memberOf(options, name), undefined, TEXT_MESSAGE);
        if (method === 'locator' && first !== undefined && PART_IN_CSS.test(knownText(first) ?? ''))
          context.report({ node: first, message: CSS_MESSAGE });
      },
    };
  },
};

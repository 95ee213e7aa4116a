// A regular expression over outside text costs no more than the text's length. Finds those that cost its square or more: two
// repeats that share characters (scslre), and a repeat that is begun from many places and reads on to the end each time.
import { CharSet, JS, NFA } from 'refa';
import scslre from 'scslre';

const MESSAGE = 'This pattern can cost the square of the text’s length';
/** Ends that a pattern may refuse after the repeated text. */
const ENDS = ['', '\n', '!', '\u0001', 'a', ' ', '"'];
const TIMES = 40;

/** @typedef {import('refa').NoParent<import('refa').Concatenation>} Concatenation */
/** @typedef {import('refa').NoParent<import('refa').Element>} Element */

/**
 * A pattern without assertions, for `repeated`: what must come before or after is read as part of the match, so that only a
 * whole match is one; the beginning of the text is what no second attempt finds.
 * @param {readonly Concatenation[]} alternatives @param {number} maximum
 * @returns {Concatenation[]}
 */
function withoutAssertions(alternatives, maximum) {
  return alternatives.map((one) => ({
    ...one,
    elements: one.elements.flatMap(
      /** @returns {readonly Element[]} */ (element) => {
        switch (element.type) {
          case 'Assertion': {
            if (element.kind === 'ahead') return [{ type: 'CharacterClass', characters: CharSet.all(maximum) }];
            if (!element.negate)
              return [{ type: 'Alternation', alternatives: withoutAssertions(element.alternatives, maximum) }];
            const before = element.alternatives[0]?.elements[0];
            return before?.type === 'CharacterClass'
              ? [{ type: 'CharacterClass', characters: before.characters.negate() }]
              : [];
          }
          case 'Quantifier':
            // A bound is a constant factor.
            return [
              {
                ...element,
                min: Math.min(element.min, 2),
                max: element.max === Infinity ? Infinity : Math.min(element.max, 3),
                alternatives: withoutAssertions(element.alternatives, maximum),
              },
            ];
          case 'Alternation':
            return [{ ...element, alternatives: withoutAssertions(element.alternatives, maximum) }];
          default:
            return [element];
        }
      },
    ),
  }));
}

/** @param {CharSet} characters one of them, readable if there is one */
function characterOf(characters) {
  for (let code = 0x20; code < 0x7f; code++) if (characters.has(code)) return code;
  return characters.ranges[0]?.min ?? 0;
}

/**
 * A word that leads from the start to a state and from there to itself: each repetition of it begins an attempt that reads
 * all that follow.
 * @param {NFA.ReadonlyNode} start @param {NFA.ReadonlyNode} state @returns {readonly number[] | undefined}
 */
function wordTo(start, state) {
  /** @type {{ one: NFA.ReadonlyNode, other: NFA.ReadonlyNode, word: readonly number[] }[]} */
  const todo = [{ one: start, other: state, word: [] }];
  /** @type {Map<NFA.ReadonlyNode, Set<NFA.ReadonlyNode>>} */
  const seen = new Map();
  for (const { one, other, word } of todo)
    for (const [nextOne, first] of one.out)
      for (const [nextOther, second] of other.out) {
        const shared = first.intersect(second);
        const others = seen.get(nextOne) ?? new Set();
        if (shared.isEmpty || others.has(nextOther)) continue;
        seen.set(nextOne, others.add(nextOther));
        const longer = [...word, characterOf(shared)];
        if (nextOne === state && nextOther === state) return longer;
        todo.push({ one: nextOne, other: nextOther, word: longer });
      }
  return undefined;
}

/** A text whose repetition a pattern reads again from each of its places. @param {string} source @param {string} flags */
function repeated(source, flags) {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags }).parse({ backreferences: 'disable' });
  const alternatives = withoutAssertions(expression.alternatives, maxCharacter);
  const automaton = NFA.fromRegex({ ...expression, alternatives }, { maxCharacter });
  const pattern = new RegExp(source, flags.replace(/[gy]/g, ''));
  for (const state of automaton.nodes()) {
    if (automaton.finals.has(state)) continue;
    const word = wordTo(automaton.initial, state);
    if (word === undefined) continue;
    const text = String.fromCodePoint(...word);
    if (ENDS.some((end) => !pattern.test(text.repeat(TIMES) + end))) return text;
  }
  return undefined;
}

/** Why a pattern is not linear; undefined if it is. @param {string} source @param {string} flags */
export function superLinear(source, flags) {
  const [report] = scslre.analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } }).reports;
  if (report !== undefined) {
    const { start, end } = report.type === 'Trade' ? report.endQuant : report.quant;
    return `${MESSAGE} (${source.slice(start - 1, end - 1)} repeats).`;
  }
  const text = flags.includes('y') ? undefined : repeated(source, flags);
  return text === undefined ? undefined : `${MESSAGE} (${JSON.stringify(text)} repeated).`;
}

/**
 * A node of the syntax tree, as far as it is read here. The linter publishes no types of it.
 * @typedef {object} Node
 * @property {string} type
 * @property {string} [name]
 * @property {Node} [callee]
 * @property {Node} [object]
 * @property {Node} [id]
 * @property {Node | null} [init]
 * @property {Node} [quasi]
 * @property {Node} [left]
 * @property {Node} [right]
 * @property {readonly Node[]} [arguments]
 * @property {readonly Node[]} [expressions]
 * @property {readonly { readonly value: { readonly raw: string, readonly cooked: string } }[]} [quasis]
 * @property {unknown} [value]
 * @property {{ readonly pattern: string, readonly flags: string }} [regex]
 */

/** A part that is not known before the program runs. */
const UNKNOWN = '\ufdd0';

/** @param {Node | undefined} node @param {ReadonlyMap<string, Node>} constants @returns {string} */
function textOf(node, constants) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : UNKNOWN;
    case 'TemplateLiteral':
    case 'TaggedTemplateExpression': {
      const isRaw = node.type === 'TaggedTemplateExpression';
      const { quasis = [], expressions = [] } = node.quasi ?? node;
      return quasis
        .map(
          ({ value }, at) =>
            `${isRaw ? value.raw : value.cooked}${at < expressions.length ? textOf(expressions[at], constants) : ''}`,
        )
        .join('');
    }
    case 'BinaryExpression':
      return textOf(node.left, constants) + textOf(node.right, constants);
    case 'Identifier':
      return textOf(constants.get(node.name ?? ''), constants);
    case 'MemberExpression':
      return constants.get(node.object?.name ?? '')?.regex?.pattern ?? UNKNOWN;
    default:
      return UNKNOWN;
  }
}

export const linearPatterns = {
  meta: { type: 'problem', schema: [] },
  /** @param {import('./directions.mjs').RuleContext} context */
  create(context) {
    /** @type {Map<string, Node>} */
    const constants = new Map();
    /** @type {Node[]} */
    const made = [];
    /** @param {Node} node @param {string} source @param {string} flags */
    const check = (node, source, flags) => {
      const message = superLinear(source, flags);
      if (message !== undefined) context.report({ node, message });
    };
    /** @param {Node} node */
    const call = (node) => {
      if (node.callee?.name === 'RegExp') made.push(node);
    };
    return {
      /** @param {Node} node */
      Literal(node) {
        if (node.regex !== undefined) check(node, node.regex.pattern, node.regex.flags);
      },
      /** @param {Node} node */
      VariableDeclarator({ id, init }) {
        if (id?.name !== undefined && init) constants.set(id.name, init);
      },
      NewExpression: call,
      CallExpression: call,
      'Program:exit'() {
        for (const node of made) {
          const [source, flags] = node.arguments ?? [];
          const text = textOf(source, constants);
          // A pattern of others alone is bounded where it is read.
          if (text !== UNKNOWN) check(node, text, flags === undefined ? '' : textOf(flags, constants));
        }
      },
    };
  },
};

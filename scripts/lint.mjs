// The rules of the linter that are this house's own; .oxlintrc.json takes them from here.
import path from 'node:path';
import { directionsRule } from './directions.mjs';
import { linearPatterns } from './linearPatterns.mjs';
import { plainWords } from './plainWords.mjs';
import { wholeNames } from './wholeNames.mjs';

/** One way to be private. Parameter properties keep the keyword: the language has no other form for them. */
const hashPrivate = {
  meta: { type: 'problem', schema: [] },
  /** @param {import('./directions.mjs').RuleContext} context */
  create(context) {
    /** @param {{ readonly accessibility?: string | null, readonly kind?: string }} node */
    const check = (node) => {
      if (node.accessibility === 'private' && node.kind !== 'constructor')
        context.report({ node, message: 'Private members are #names.' });
    };
    return { PropertyDefinition: check, MethodDefinition: check };
  },
};

export default {
  meta: { name: 'house' },
  rules: {
    directions: directionsRule(path.join(import.meta.dirname, '..')),
    'hash-private': hashPrivate,
    'linear-patterns': linearPatterns,
    'plain-words': plainWords,
    'whole-names': wholeNames,
  },
};

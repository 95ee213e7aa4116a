// Guards of text from outside where it is shown: it stays text, on one line, of a bounded length.
const WORDS = 'test/unit/client/client-profiles.test.ts';
const HOVER = 'test/unit/explain/hover.test.ts';
const LANGUAGE = 'test/unit/language/language-features.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const SHOWN_TEXT = [
  {
    file: 'client/app/words.ts',
    tests: [WORDS],
    edits: [
      ['a label draws no icon that its text names', ".replace(/\\$\\(/g, '$\\u200b(')", ''],
      ['a message makes no link of its text', ".replace(/\\]\\(/g, ']\\u200b(')", ''],
      ['a label has no control or direction marks', ".replace(/[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]/gu, ' ')", ''],
      ['a label has a bound', 'text.length > LONGEST', 'false'],
    ],
  },
  {
    file: 'core/curl/read.ts',
    tests: ['test/unit/document/curl.test.ts'],
    edits: [
      ['a long paste is not searched for a command', 'text.length <= MAX_CURL && ', ''],
      ['a long paste is not read', "if (text.length > MAX_CURL) return refused('The command is too long.');", ''],
    ],
  },
  {
    file: 'server/explain/hover.ts',
    tests: [HOVER],
    edits: [['words of a program end no block of code in a hover', ".replaceAll('`', \"'\")", '']],
  },
  {
    file: 'core/language/features/hover.ts',
    tests: [[LANGUAGE, 'stays text in a hover']],
    edits: [['a value ends no block of code in a hover', ".replaceAll('````', \"''''\")", '']],
  },
];

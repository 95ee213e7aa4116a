// Guards of text from outside where it is shown: it stays text, on one line, of a bounded length.
const WORDS = 'test/unit/client/client-profiles.test.ts';
const HOVER = 'test/unit/explain/hover.test.ts';
const SINKS = 'test/unit/cli/every-sink.test.ts';
const REPORTS = 'test/unit/cli/every-sink-reports.test.ts';
const EDITOR = 'test/unit/cli/every-sink-editor.test.ts';
const PARTS = 'test/unit/cli/cli-parts.test.ts';
const CUSTOM = 'test/unit/methods/methods-custom.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const SHOWN_TEXT = [
  {
    file: 'client/shared/words.ts',
    tests: [WORDS],
    edits: [
      ['a label draws no icon that its text names', ".replace(/\\$\\(/g, '$\\u200b(')", ''],
      ['a message makes no link of its text', ".replace(/\\]\\(/g, ']\\u200b(')", ''],
      [
        'a label has no control or direction marks',
        "replaceUnseen(shortened(text, LONGEST), () => ' ')",
        'shortened(text, LONGEST)',
      ],
      ['a label has a bound', 'shortened(text, LONGEST)', 'text'],
    ],
  },
  {
    file: 'core/requests/curl/read.ts',
    tests: ['test/unit/document/curl.test.ts'],
    edits: [
      ['a long paste is not searched for a command', 'text.length <= MAX_CURL && ', ''],
      ['a long paste is not read', "if (text.length > MAX_CURL) return refused('The command is too long.');", ''],
    ],
  },
  {
    file: 'core/solana/common/markdown.ts',
    tests: [[CUSTOM, 'shown as text'], [HOVER, 'stay text'], SINKS],
    edits: [
      ['a text in Markdown is not markup', ".replace(MARKS, '\\\\$&')", ''],
      [
        'a text in Markdown has no unseen characters',
        "withoutUnseen(shortened(text, max).replace(/\\s+/g, ' ').trim())",
        "shortened(text, max).replace(/\\s+/g, ' ').trim()",
      ],
      ['a text in Markdown has a bound', 'shortened(text, max)', 'text'],
      ['a text ends no span of code', "'`'.repeat(longestFence(line) + 1)", "'`'"],
      ['a text ends no block of code in a hover', 'Math.max(3, longestFence(shown) + 1)', '3'],
    ],
  },
  {
    file: 'core/requests/snippet.ts',
    tests: ['test/unit/language/language-snippets.test.ts'],
    edits: [
      ['a name in a snippet is inserted as it is', "text.replace(/[\\\\$}]/g, '\\\\$&')", 'text'],
      ['a word of a choice in a snippet ends no choice', "word.replace(/[\\\\,|]/g, '\\\\$&')", 'word'],
    ],
  },
  {
    file: 'core/requests/language/features/promptFault.ts',
    tests: ['test/unit/language/language-prompts.test.ts'],
    edits: [['a question has no marks of Markdown', 'markdownWords(field.doc)', 'field.doc']],
  },
  {
    file: 'core/solana/common/unseen.ts',
    tests: [PARTS, WORDS],
    edits: [
      ['a half of a surrogate pair is unseen', '\\p{Cs}', ''],
      ['a selector behind anything but an emoji is unseen', '\\p{Extended_Pictographic}\\ufe0f', '\\ufe0f'],
    ],
  },
  {
    file: 'core/requests/language/service.ts',
    tests: [EDITOR],
    edits: [['a message of a diagnostic is a bounded line', 'harmless(message, { max: LONGEST_MESSAGE })', 'message']],
  },
  {
    file: 'core/requests/copy/shell.ts',
    tests: [EDITOR],
    edits: [['a quote ends no word of a copied command', `text.replaceAll("'", "'\\\\''")`, 'text']],
  },
  {
    file: 'client/webview/shared/dom.ts',
    tests: [EDITOR],
    edits: [
      [
        'a text on a page is not HTML',
        'made.append(...present(children));\n  return made;\n}\n\nconst present',
        "made.innerHTML = children.join('');\n  return made;\n}\n\nconst present",
      ],
    ],
  },
  {
    file: 'client/shared/tooltip.ts',
    tests: [EDITOR],
    edits: [
      ['the heading of a tooltip is not markup', 'markdownText(heading)', 'heading'],
      ['a line of a tooltip is not markup', 'markdownText(line)', 'line'],
    ],
  },
  {
    file: 'cli/report/ci/summary.ts',
    tests: [REPORTS],
    edits: [
      [
        'a cell of the summary is not markup',
        'line.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)',
        'line',
      ],
    ],
  },
  {
    file: 'cli/report/ci/annotations.ts',
    tests: [REPORTS],
    edits: [
      ['a message ends no annotation', ".replaceAll('\\r', '%0D').replaceAll('\\n', '%0A')", ''],
      ['a title ends no property of an annotation', ".replaceAll(':', '%3A').replaceAll(',', '%2C')", ''],
      ['a message of an annotation is escaped', 'escapeLine(line, LONGEST_MESSAGE)', 'line'],
    ],
  },
  {
    file: 'core/solana/common/csv.ts',
    tests: [SINKS],
    edits: [
      ['a field that begins with a tab or a return is text', '|^[\\t\\r\\n]/;', '/;'],
      [
        'a formula behind a separator of another language is text',
        "'${inside(text)}` : inside(text)",
        "'${text}` : text",
      ],
      ['a separator of another language stays in its field', '/[",;\\t\\r\\n]/.test(safe)', '/[",\\r\\n]/.test(safe)'],
    ],
  },
  {
    file: 'cli/report/place.ts',
    tests: [SINKS],
    edits: [
      ["a file's name forges no line of check", '${escapeLine(file)}', '${file}'],
      ['a message forges no line of check', '${escapeLine(message, LONGEST_MESSAGE)}', '${message}'],
    ],
  },
  {
    file: 'cli/report/ci/sarif.ts',
    tests: ['test/unit/cli/report-sarif.test.ts', REPORTS],
    edits: [
      ['a message holds no link of SARIF', "text.replace(/[\\\\[\\]]/g, '\\\\$&')", 'text'],
      ['a message holds no placeholder of SARIF', "text.replace(/[{}]/g, '$&$&')", 'text'],
    ],
  },
  {
    file: 'core/requests/run/chains.ts',
    tests: ['test/unit/run/run-chains.test.ts'],
    edits: [
      [
        'a certificate outlasts an answer of null',
        "(said.consensus === 'tower' && known.shown.consensus === 'alpenglow')",
        'false',
      ],
      ['another ledger is another chain', 'shown: newest === undefined ? known.shown : {}', 'shown: known.shown'],
      ['a pace takes 150 slots', 'newest.slot - first.slot < PACE_SLOTS', 'newest.slot === first.slot'],
    ],
  },
];

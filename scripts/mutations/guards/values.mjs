// Guards of values: how those of answers compare, and which bytes an IDL makes of what a file writes.
const INTEGERS = 'test/unit/run/run-grpc-integers.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const VALUES = [
  {
    file: 'core/run/evaluate.ts',
    tests: [INTEGERS],
    edits: [
      ['a captured integer of a gRPC answer compares as a number', 'right: readsGrpc(at, inside)', 'right: false'],
      [
        'an integer of a gRPC answer that @if names compares as a number',
        'named.length > 0 ? readsGrpc(at, named) : isGrpc(requestLine)',
        'isGrpc(requestLine)',
      ],
    ],
  },
  {
    file: 'core/values/json/numbers.ts',
    tests: [INTEGERS],
    edits: [
      ['text of other answers is no number', 'text.left ? integerText(left) : numberText(left)', 'integerText(left)'],
    ],
  },
];

// Guards of values: how those of answers compare, which bytes an IDL makes of what a file writes, and what is said of a
// transaction and read for its replay.
const INTEGERS = 'test/unit/run/run-grpc-integers.test.ts';
const ORIGINS = 'test/unit/values/decode/decode-idl-origins.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const VALUES = [
  {
    file: 'core/solana/decode/transactions/instructions.ts',
    tests: ['test/unit/values/decode/decode-batch.test.ts'],
    edits: [
      ['a batch with more accounts than there are is not read', ' || taken > accounts.length', ''],
      ['a batch within a batch is not read', ' || shape === BATCH ? undefined', ' ? undefined'],
    ],
  },
  {
    file: 'core/requests/checks/file/confirmed.ts',
    tests: ['test/unit/language/language-commitment.test.ts'],
    edits: [['no hint for confirmed where the endpoint has that level', 'chain.hasConfirmed ? []', 'false ? []']],
  },
  {
    file: 'core/requests/methods/releases.ts',
    tests: ['test/unit/language/checks/language-releases.test.ts'],
    edits: [['a calendar version is not a release of Agave', ' && Number(major) < FIRST_YEAR', '']],
  },
  {
    file: 'core/solana/explain/calls.ts',
    tests: ['test/unit/explain/unpaid.test.ts'],
    edits: [['a transaction whose payer could not pay did not run', ' || isUnpaid(transaction)', '']],
  },
  {
    file: 'core/solana/replay/ledger.ts',
    tests: ['test/protocol/cli/replay-ledger.test.ts'],
    edits: [["an older folder's ledger keeps its rent", 'given.has(RENT) ? ALPENGLOW : TOWER', 'ALPENGLOW']],
  },
  {
    file: 'core/solana/replay/needs.ts',
    tests: ['test/protocol/cli/replay-ledger.test.ts'],
    edits: [['a replay has the rent of its chain', ', RENT]),', ']),']],
  },
  {
    file: 'runner/replay/gather.ts',
    tests: ['test/unit/explain/replay-gather.test.ts'],
    edits: [
      [
        "a replay's clock has the time of the parent block",
        'time !== undefined && time > 0n && time <= blockTime',
        'false',
      ],
      ['logs that a node did not keep are not expected', "has('logMessages') && { logs }", '{ logs }'],
    ],
  },
  {
    file: 'core/requests/run/evaluate.ts',
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
    file: 'core/solana/json/numbers.ts',
    tests: [INTEGERS],
    edits: [
      [
        'text of other answers is not a number',
        'text.left ? integerText(left) : numberText(left)',
        'integerText(left)',
      ],
    ],
  },
  {
    file: 'core/solana/decode/idl/anchorHead.ts',
    tests: [ORIGINS],
    edits: [
      [
        "no hash begins an instruction of Shank's files",
        "if (origin === 'shank' && index <= 255) return Uint8Array.of(index);",
        "if (origin === 'shank') return hashOf('global', name);",
      ],
      [
        "no hash begins an account of Shank's files",
        "return origin === 'anchor' ? hashOf(namespace",
        'return true ? hashOf(namespace',
      ],
      [
        'an instruction is left out whose beginning is not known',
        "return wrong(problems, place, 'nothing says",
        "return new Uint8Array() ?? wrong(problems, place, 'nothing says",
      ],
    ],
  },
];

// Transfer fees that Token-2022 withheld are noted where the instructions show that nothing else took the tokens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExplainedAccount, ExplainedCall } from '../../../core/solana/explain/explanation';
import { withheldNotes } from '../../../core/solana/explain/withheld';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../core/solana/chain/addresses';
import { keyOf } from '../../support/data/layouts';

const [SOURCE, TARGET, MINT, OTHER_SOURCE, OTHER_MINT, CALLER] = [2, 3, 4, 5, 6, 7].map((byte) =>
  encodeBase58(keyOf(byte)),
) as [string, string, string, string, string, string];

const account = (address: string, mint: string, [before, after]: readonly [bigint, bigint]): ExplainedAccount => ({
  address,
  isSigner: false,
  isWritable: true,
  isFeePayer: false,
  tokens: { mint, decimals: 2, before, after },
});
/** 10 tokens were sent, 9.75 arrived. */
const MOVED = [account(SOURCE, MINT, [5_000n, 4_000n]), account(TARGET, MINT, [0n, 975n])];

interface Made {
  readonly program?: string;
  readonly calls?: readonly ExplainedCall[];
}

const call = (
  name: string | undefined,
  addresses: readonly string[],
  { program = TOKEN_2022_PROGRAM, calls = [] }: Made = {},
): ExplainedCall => ({
  path: [0],
  program,
  ...(name !== undefined && { name }),
  fields: [],
  accounts: addresses.map((address) => ({ address, isSigner: false, isWritable: true })),
  logs: [],
  events: [],
  calls,
});
const TRANSFER = call('transferChecked', [SOURCE, MINT, TARGET]);
const NOTE = [
  `Withheld as transfer fee: 0.25 of ${MINT}. It is in the receiving account, and no balance here includes it.`,
];

const CASES: readonly (readonly [what: string, calls: readonly ExplainedCall[], notes: readonly string[]])[] = [
  ['by a transfer', [TRANSFER], NOTE],
  ['by a transfer that a program made', [call(undefined, [], { program: CALLER, calls: [TRANSFER] })], NOTE],
  [
    'along with instructions that move nothing',
    [call('initializeAccount3', [TARGET, MINT]), TRANSFER, call('setAuthority', [SOURCE])],
    NOTE,
  ],
  ['along with a burn of another mint', [TRANSFER, call('burn', [OTHER_SOURCE, OTHER_MINT])], NOTE],
  ['along with a burn, which may have taken them', [TRANSFER, call('burnChecked', [SOURCE, MINT])], []],
  ['along with an instruction that cannot be decoded', [TRANSFER, call(undefined, [SOURCE])], []],
  ['by a burn alone', [call('burn', [SOURCE, MINT])], []],
  [
    'by the program that takes no fees',
    [call('transferChecked', [SOURCE, MINT, TARGET], { program: TOKEN_PROGRAM })],
    [],
  ],
];
for (const [what, calls, notes] of CASES)
  test(`tokens that left the balances ${what}`, () => {
    assert.deepEqual(withheldNotes(MOVED, calls), notes);
  });

test('a transfer that arrives whole withheld nothing, nor did a transfer that no balance shows', () => {
  const whole = [account(SOURCE, MINT, [5_000n, 4_000n]), account(TARGET, MINT, [0n, 1_000n])];
  assert.deepEqual([withheldNotes(whole, [TRANSFER]), withheldNotes([], [TRANSFER])], [[], []]);
});

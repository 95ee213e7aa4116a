// Transactions of programs that people write: calls four deep, events, return data, Anchor and Codama programs, and every
// way in which such a program fails.
import { ComputeBudgetProgram } from '@solana/web3.js';
import { createTransferCheckedInstruction } from '@solana/spl-token';
import { script, type Act } from '../../../support/programs/puppet';
import { MEMO, SYSTEM, TOKEN, transfer, type Instruction } from '../../rpc/rpc-harness';
import { call, deposited, eventCall, orderData, payerOf, readonly, signer, vaultData, writable } from '../programs';
import type { Stage } from '../stage';
import type { Case } from './case';

const SOL = 1_000_000_000n;

/** Instructions that the payer alone signs. */
const paid =
  (make: (stage: Stage, payer: string) => readonly (Instruction | ReturnType<typeof ComputeBudgetProgram.requestHeapFrame>)[]): Case[1] =>
  async (stage) => {
    const payer = stage.payer('payer');
    return { wire: await stage.wire(make(stage, payer.address), [payer]) };
  };

/** The program alpha, with these accounts, does this. */
const alpha = (make: (stage: Stage, payer: string) => readonly [accounts: Instruction['accounts'], ...acts: readonly Act[]]): Case[1] =>
  paid((stage, payer) => {
    const [accounts, ...acts] = make(stage, payer);
    return [call(stage.address('alpha'), accounts, script(...acts))];
  });

const CHAIN = ['beta', 'gamma', 'delta', 'epsilon', 'zeta'];

/** Each program of the chain calls the next one; the last one does `last`. */
function nested(depth: number, last: readonly Act[]): readonly Act[] {
  return Array.from({ length: depth }, (_, at) => depth - 1 - at).reduce<readonly Act[]>(
    (inner, at) => [
      { act: 'log', text: `on to call ${at + 2}` },
      { act: 'call', program: at, first: 0, count: CHAIN.length, data: script(...inner) },
    ],
    last,
  );
}

const chain = (depth: number, last: readonly Act[]): Case[1] =>
  alpha((stage) => [readonly(...CHAIN.map((name) => stage.address(name))), ...nested(depth, last)]);

/** What the runtime reads as one of its own errors: `ProgramError` of Solana's SDK by its number. */
const builtin = (number: number): bigint => BigInt(number) << 32n;

/** Fails in its one instruction, with this. */
const ends = (...acts: readonly Act[]): Case[1] =>
  alpha((stage) => [[writable(stage.address('shop')), ...readonly(stage.address('third'))], ...acts]);

const TRANSFER = (lamports: bigint): Uint8Array => transfer(SYSTEM, SYSTEM, lamports).data;

export const PROGRAMS: readonly Case[] = [
  ['calls-four-deep', chain(3, [{ act: 'log', text: 'the innermost' }, { act: 'return', bytes: Uint8Array.of(1, 2, 3) }])],
  [
    'calls-side-by-side',
    alpha((stage) => {
      const leaf = (text: string): Uint8Array => script({ act: 'log', text }, { act: 'loop', times: 50 });
      const branch = script(
        { act: 'call', program: 1, first: 0, count: 0, data: leaf('one') },
        { act: 'call', program: 1, first: 0, count: 0, data: leaf('two') },
      );
      return [
        readonly(stage.address('beta'), stage.address('gamma')),
        { act: 'call', program: 0, first: 0, count: 2, data: branch },
        { act: 'log', text: 'between' },
        { act: 'call', program: 1, first: 0, count: 0, data: leaf('three') },
        { act: 'call', program: 0, first: 0, count: 2, data: branch },
      ];
    }),
  ],
  [
    'calls-itself',
    alpha((stage) => [
      readonly(stage.address('alpha')),
      { act: 'call', program: 0, first: 0, count: 0, data: script({ act: 'log', text: 'myself' }) },
    ]),
  ],
  [
    'calls-system-transfer',
    alpha((stage, payer) => [
      [...readonly(SYSTEM), payerOf(payer), writable(stage.address('shop'))],
      { act: 'call', program: 0, first: 1, count: 2, data: TRANSFER(SOL) },
    ]),
  ],
  [
    'calls-token-transfer',
    paid((stage, payer) => {
      stage.mint('mint', 'payer');
      const instruction = createTransferCheckedInstruction(
        stage.holding('tokens of payer', 'mint', 'payer', 10_000_000n),
        stage.publicKey('mint'),
        stage.holding('tokens of customer', 'mint', 'customer', 5n),
        stage.publicKey('payer'),
        1_500_000n,
        6,
      );
      const accounts = [
        ...readonly(TOKEN),
        writable(stage.address('tokens of payer')),
        ...readonly(stage.address('mint')),
        writable(stage.address('tokens of customer')),
        signer(payer),
      ];
      const acts = script({ act: 'call', program: 0, first: 1, count: 4, data: instruction.data });
      return [call(stage.address('alpha'), accounts, acts)];
    }),
  ],
  ['calls-memo', alpha(() => [readonly(MEMO), { act: 'call', program: 0, first: 0, count: 0, data: Buffer.from('from within') }])],
  ['returns-data', ends({ act: 'return', bytes: Buffer.from('an answer') })],
  [
    'returns-data-over-that-of-a-call',
    alpha((stage) => [
      readonly(stage.address('beta')),
      { act: 'call', program: 0, first: 0, count: 0, data: script({ act: 'return', bytes: Uint8Array.of(7) }) },
      { act: 'return', bytes: Uint8Array.of(8, 9) },
    ]),
  ],
  ['unknown-program', ends({ act: 'log', text: 'no IDL says what this is' })],
  ['data-without-idl', ends({ act: 'data', bytes: Buffer.from('nobody reads this') })],
  [
    'log-cut-by-the-node',
    alpha((stage) => [
      readonly(stage.address('beta')),
      { act: 'log', text: 'long '.repeat(100), times: 25 },
      { act: 'call', program: 0, first: 0, count: 0, data: script({ act: 'log', text: 'unheard' }) },
    ]),
  ],
  [
    'anchor-event-in-the-log',
    paid((stage, payer) => [
      call(
        stage.address('vault program'),
        [signer(payer), writable(stage.address('the vault'))],
        vaultData('deposit', { act: 'log', text: 'Instruction: Deposit' }, { act: 'data', bytes: deposited(250n, 'rent') }),
      ),
    ]),
  ],
  [
    'anchor-event-by-call',
    paid((stage, payer) => [
      call(
        stage.address('vault program'),
        [signer(payer), ...readonly(stage.address('vault program'))],
        vaultData('deposit', { act: 'call', program: 1, first: 0, count: 0, data: eventCall(deposited(9n, 'called')) }),
      ),
    ]),
  ],
  [
    'codama-program',
    paid((stage, payer) => [
      call(
        stage.address('orders program'),
        [signer(payer), writable(stage.address('market'))],
        orderData({ act: 'log', text: 'Order placed' }, { act: 'return', bytes: Uint8Array.of(1) }),
      ),
    ]),
  ],
  [
    'anchor-calls-codama',
    paid((stage, payer) => [
      call(
        stage.address('vault program'),
        [signer(payer), writable(stage.address('the vault')), ...readonly(stage.address('orders program'))],
        vaultData(
          'withdraw',
          { act: 'data', bytes: deposited(1n, 'before the call') },
          { act: 'call', program: 2, first: 0, count: 2, data: orderData({ act: 'log', text: 'Order placed' }) },
        ),
      ),
    ]),
  ],
  [
    'fails-anchor-program-error',
    paid((stage, payer) => [
      call(stage.address('vault program'), [signer(payer)], vaultData('withdraw', { act: 'fail', code: 6000n })),
    ]),
  ],
  [
    'fails-anchor-framework-error',
    paid((stage, payer) => [
      call(
        stage.address('vault program'),
        [signer(payer)],
        vaultData(
          'withdraw',
          {
            act: 'log',
            text: 'AnchorError caused by account: vault. Error Code: AccountNotInitialized. Error Number: 3012. Error Message: The program expected this account to be already initialized.',
          },
          { act: 'fail', code: 3012n },
        ),
      ),
    ]),
  ],
  [
    'fails-anchor-framework-error-without-log',
    paid((stage, payer) => [
      call(stage.address('vault program'), [signer(payer)], vaultData('withdraw', { act: 'fail', code: 2006n })),
    ]),
  ],
  [
    'fails-codama-program-error',
    paid((stage, payer) => [
      call(stage.address('orders program'), [signer(payer)], orderData({ act: 'fail', code: 42n })),
    ]),
  ],
  ['fails-unknown-program-error', ends({ act: 'log', text: 'no' }, { act: 'fail', code: 0x1771n })],
  ['fails-four-deep', chain(3, [{ act: 'fail', code: 77n }])],
  [
    'fails-after-calls-that-succeeded',
    alpha((stage, payer) => [
      [...readonly(SYSTEM), payerOf(payer), writable(stage.address('shop'))],
      { act: 'call', program: 0, first: 1, count: 2, data: TRANSFER(SOL) },
      { act: 'fail', code: 5n },
    ]),
  ],
  [
    'fails-in-the-second-instruction',
    paid((stage, payer) => [
      transfer(payer, stage.address('shop'), SOL),
      call(stage.address('alpha'), readonly(stage.address('shop')), script({ act: 'fail', code: 5n })),
      transfer(payer, stage.address('third'), SOL),
    ]),
  ],
  [
    'fails-token-within-a-call',
    paid((stage, payer) => {
      stage.mint('mint', 'payer');
      const instruction = createTransferCheckedInstruction(
        stage.holding('tokens of payer', 'mint', 'payer', 1n),
        stage.publicKey('mint'),
        stage.holding('tokens of customer', 'mint', 'customer', 5n),
        stage.publicKey('payer'),
        1_500_000n,
        6,
      );
      const accounts = [
        ...readonly(TOKEN),
        writable(stage.address('tokens of payer')),
        ...readonly(stage.address('mint')),
        writable(stage.address('tokens of customer')),
        signer(payer),
      ];
      const acts = script({ act: 'call', program: 0, first: 1, count: 4, data: instruction.data });
      return [call(stage.address('alpha'), accounts, acts)];
    }),
  ],
  ['fails-runtime-invalid-argument', ends({ act: 'fail', code: builtin(2) })],
  ['fails-runtime-invalid-account-data', ends({ act: 'fail', code: builtin(4) })],
  ['fails-runtime-missing-signature', ends({ act: 'fail', code: builtin(8) })],
  ['fails-runtime-account-keys', ends({ act: 'fail', code: builtin(11) })],
  ['fails-runtime-seeds', ends({ act: 'fail', code: builtin(14) })],
  ['fails-runtime-arithmetic', ends({ act: 'fail', code: builtin(24) })],
  ['fails-runtime-custom-zero', ends({ act: 'fail', code: builtin(1) })],
  ['fails-runtime-abort', ends({ act: 'abort' })],
  ['fails-runtime-stray-access', ends({ act: 'stray' })],
  [
    'fails-runtime-too-many-units',
    paid((stage) => [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }),
      call(stage.address('alpha'), [], script({ act: 'loop', times: 1_000_000 })),
    ]),
  ],
  ['fails-runtime-call-depth', chain(5, [{ act: 'log', text: 'too deep' }])],
  [
    'fails-runtime-reentrancy',
    alpha((stage) => [
      readonly(stage.address('beta'), stage.address('alpha')),
      {
        act: 'call',
        program: 0,
        first: 0,
        count: 2,
        data: script({ act: 'call', program: 1, first: 0, count: 0, data: script() }),
      },
    ]),
  ],
  [
    'fails-runtime-privileges',
    alpha((stage, payer) => {
      stage.payer('shop', SOL);
      return [
        [...readonly(SYSTEM), writable(stage.address('shop')), payerOf(payer)],
        { act: 'call', program: 0, first: 1, count: 2, data: TRANSFER(5n) },
      ];
    }),
  ],
  [
    'fails-runtime-foreign-data-written',
    alpha((stage) => {
      stage.mint('mint', 'payer');
      return [[writable(stage.address('mint'))], { act: 'write', account: 0, byte: 9 }];
    }),
  ],
  [
    'fails-runtime-read-only-data-written',
    alpha((stage) => {
      stage.mint('mint', 'payer');
      return [readonly(stage.address('mint')), { act: 'write', account: 0, byte: 9 }];
    }),
  ],
  [
    'fails-runtime-foreign-lamports-taken',
    alpha((stage) => {
      stage.payer('third', SOL);
      return [[writable(stage.address('third')), writable(stage.address('shop'))], { act: 'lamports', account: 0, by: -5n }, { act: 'lamports', account: 1, by: 5n }];
    }),
  ],
  [
    'fails-runtime-lamports-from-nowhere',
    alpha((stage) => [[writable(stage.address('shop'))], { act: 'lamports', account: 0, by: 5n }]),
  ],
];

// Transactions of programs that people write: calls four deep, events, return data, Anchor and Codama programs, and their own
// errors.
import { createTransferCheckedInstruction } from '@solana/spl-token';
import { script, type Act } from '../../../support/programs/puppet';
import { MEMO, SYSTEM, TOKEN, transfer } from '../../rpc/rpc-harness';
import { call, deposited, eventCall, orderData, payerOf, readonly, signer, vaultData, writable } from '../programs';
import type { Case } from './case';
import { alpha, chain, ends, paid, TRANSFER } from './puppets';

const SOL = 1_000_000_000n;

/** As Anchor logs an error, behind what it is about (anchor-lang, `AnchorError::log`). */
const SEEDS = 'Error Code: ConstraintSeeds. Error Number: 2006. Error Message: A seeds constraint was violated.';
const SLIPPAGE = 'Error Code: SlippageExceeded. Error Number: 6001. Error Message: Too little came out.';
const logged = (text: string): Act => ({ act: 'log', text });

/** Alpha transfers 1.5 tokens of the payer, who has `held` of the smallest unit. */
const tokenTransfer = (held: bigint) =>
  paid((stage, payer) => {
    stage.mint('mint', 'payer');
    const instruction = createTransferCheckedInstruction(
      stage.holding('tokens of payer', 'payer', held),
      stage.publicKey('mint'),
      stage.holding('tokens of customer', 'customer', 5n),
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
  });

export const PROGRAMS: readonly Case[] = [
  [
    'calls-four-deep',
    chain(3, [
      { act: 'log', text: 'the innermost' },
      { act: 'return', bytes: Uint8Array.of(1, 2, 3) },
    ]),
  ],
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
  ['calls-token-transfer', tokenTransfer(10_000_000n)],
  [
    'calls-memo',
    alpha(() => [readonly(MEMO), { act: 'call', program: 0, first: 0, count: 0, data: Buffer.from('from within') }]),
  ],
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
      { act: 'log', text: 'long '.repeat(30), times: 70 },
      { act: 'call', program: 0, first: 0, count: 0, data: script({ act: 'log', text: 'unheard' }) },
    ]),
  ],
  [
    'anchor-event-in-the-log',
    paid((stage, payer) => [
      call(
        stage.address('vault program'),
        [signer(payer), writable(stage.address('the vault'))],
        vaultData(
          'deposit',
          { act: 'log', text: 'Instruction: Deposit' },
          { act: 'data', bytes: deposited(250n, 'rent') },
        ),
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
    'fails-anchor-constraint-of-an-account',
    paid((stage, payer) => [
      call(
        stage.address('vault program'),
        [signer(payer), writable(stage.address('the vault'))],
        vaultData(
          'withdraw',
          { act: 'log', text: `AnchorError caused by account: vault. ${SEEDS}` },
          ...['Left:', stage.address('the vault'), 'Right:', stage.address('third')].map(logged),
          { act: 'fail', code: 2006n },
        ),
      ),
    ]),
  ],
  [
    'fails-anchor-error-without-idl',
    ends(
      { act: 'log', text: `AnchorError thrown in programs/amm/src/swap.rs:42. ${SLIPPAGE}` },
      ...['Left: 990', 'Right: 1000'].map(logged),
      { act: 'fail', code: 6001n },
    ),
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
  ['fails-token-within-a-call', tokenTransfer(1n)],
];

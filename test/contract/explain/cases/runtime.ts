// Transactions that the runtime ends: a program that crashes, takes too much, writes what is not its own, or says so itself.
import { ComputeBudgetProgram } from '@solana/web3.js';
import { script } from '../../../support/programs/puppet';
import { SYSTEM } from '../../rpc/rpc-harness';
import { call, payerOf, readonly, writable } from '../programs';
import type { Case } from './case';
import { alpha, builtin, chain, ends, paid, TRANSFER } from './puppets';

const SOL = 1_000_000_000n;

export const RUNTIME: readonly Case[] = [
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
      return [
        [writable(stage.address('third')), writable(stage.address('shop'))],
        { act: 'lamports', account: 0, by: -5n },
        { act: 'lamports', account: 1, by: 5n },
      ];
    }),
  ],
  [
    'fails-runtime-lamports-from-nowhere',
    alpha((stage) => [[writable(stage.address('shop'))], { act: 'lamports', account: 0, by: 5n }]),
  ],
];

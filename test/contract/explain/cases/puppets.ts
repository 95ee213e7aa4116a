// Shared by the cases with programs: a program that does what it is asked to, alone or at the end of a chain of calls.
import type { ComputeBudgetProgram } from '@solana/web3.js';
import { script, type Act } from '../../../support/programs/puppet';
import { SYSTEM, transfer, type Instruction } from '../../rpc/rpc-harness';
import { call, readonly, writable } from '../programs';
import type { Stage } from '../stage';
import type { Case } from './case';

/** Instructions that the payer alone signs. */
export const paid =
  (
    make: (
      stage: Stage,
      payer: string,
    ) => readonly (Instruction | ReturnType<typeof ComputeBudgetProgram.requestHeapFrame>)[],
  ): Case[1] =>
  async (stage) => {
    const payer = stage.payer('payer');
    return { wire: await stage.wire(make(stage, payer.address), [payer]) };
  };

/** The program alpha, with these accounts, does this. */
export const alpha = (
  make: (stage: Stage, payer: string) => readonly [accounts: Instruction['accounts'], ...acts: readonly Act[]],
): Case[1] =>
  paid((stage, payer) => {
    const [accounts, ...acts] = make(stage, payer);
    return [call(stage.address('alpha'), accounts, script(...acts))];
  });

export const CHAIN = ['beta', 'gamma', 'delta', 'epsilon', 'zeta'];

/** Each program of the chain calls the next one; the last one does `last`. */
export function nested(depth: number, last: readonly Act[]): readonly Act[] {
  return Array.from({ length: depth }, (_, at) => depth - 1 - at).reduce<readonly Act[]>(
    (inner, at) => [
      { act: 'log', text: `on to call ${at + 2}` },
      { act: 'call', program: at, first: 0, count: CHAIN.length, data: script(...inner) },
    ],
    last,
  );
}

export const chain = (depth: number, last: readonly Act[]): Case[1] =>
  alpha((stage) => [readonly(...CHAIN.map((name) => stage.address(name))), ...nested(depth, last)]);

/** A code that the runtime reads as a built-in error: `ProgramError` of Solana's SDK by its number. */
export const builtin = (number: number): bigint => BigInt(number) << 32n;

/** Fails in its one instruction, with this. */
export const ends = (...acts: readonly Act[]): Case[1] =>
  alpha((stage) => [[writable(stage.address('shop')), ...readonly(stage.address('third'))], ...acts]);

/** The data of a System transfer. */
export const TRANSFER = (lamports: bigint): Uint8Array => transfer(SYSTEM, SYSTEM, lamports).data;

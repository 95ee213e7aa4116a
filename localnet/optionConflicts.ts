// Checks what the values of the service's options mean together.
import { consensusOfLine, NO_ALPENGLOW, type Consensus } from './ledger/consensus';
import type { Options } from './optionTypes';

type Rule = readonly [isBroken: (options: Options) => boolean, message: string];

/** The consensus that the options name; `undefined` where they leave it open. Releases before 4.4 have TowerBFT alone. */
export function consensusOf({ consensus, alpenglow, agave }: Options): Consensus | undefined {
  if (consensus !== undefined) return consensus;
  if (alpenglow) return 'alpenglow';
  return consensusOfLine(agave);
}

const isTower = (options: Options): boolean => consensusOf(options) === 'tower';

const RULES: readonly Rule[] = [
  [
    ({ warpSlot, source }) => warpSlot === 'source' && source === undefined,
    '--warp-slot without a slot needs --url: whose newest slot it is',
  ],
  [
    ({ bindAddress, open }) => bindAddress === '0.0.0.0' && !open,
    '--bind-address 0.0.0.0 needs --open: what keys protect stays on 127.0.0.1',
  ],
  [
    ({ alpenglow, consensus }) => alpenglow && consensus === 'tower',
    '--alpenglow and --consensus tower name two kinds of consensus. Give one of them.',
  ],
  [(options) => consensusOfLine(options.agave) === 'tower' && !isTower(options), NO_ALPENGLOW],
  [
    (options) => options.finalityLag !== undefined && !isTower(options),
    '--finality-lag belongs to TowerBFT: with Alpenglow a block is final one slot later. Add --consensus tower, or leave --finality-lag out.',
  ],
  [
    (options) => options.votes === true && !isTower(options),
    '--votes belongs to TowerBFT: with Alpenglow votes are not transactions. Add --consensus tower, or leave --votes out.',
  ],
];

/** Why the options cannot be given together, for people; `undefined` where they can. */
export const conflictIn = (options: Options): string | undefined => RULES.find(([isBroken]) => isBroken(options))?.[1];

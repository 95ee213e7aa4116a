// The meaning of each commitment level, by consensus; the figures are those of the chain's table.
import { CHAIN_RULES, type ChainAge, type Consensus } from './chain';

const { alpenglow, tower } = CHAIN_RULES;

const DOCS: Readonly<Record<Consensus, Readonly<Record<'processed' | 'confirmed' | 'finalized', string>>>> = {
  alpenglow: {
    processed: 'The newest slot that the node has processed; its block may still be skipped.',
    confirmed: 'The same slot as `finalized`: left in for older programs, and to be removed in a later release.',
    finalized: `Can no longer change; about ${alpenglow.finalityMs} ms after the block.`,
  },
  tower: {
    processed: 'The newest state the node has seen; it may still be dropped.',
    confirmed: 'Voted for by two thirds of the stake.',
    finalized: `Can no longer change; ${tower.finalitySlots} slots, about ${tower.finalityMs / 1_000} seconds, after the block.`,
  },
};

/** One sentence for each level of a chain. */
export const commitmentDocs = ({ consensus }: ChainAge): (typeof DOCS)[Consensus] => DOCS[consensus];

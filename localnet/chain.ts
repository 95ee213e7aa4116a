// Which chain the service's ledger is: that of a kept ledger, else what the options, the source or the consensus say.
import { CONSENSUS, DEFAULT_CONSENSUS, type LedgerChain } from './ledger/consensus';
import { FEATURE_PROGRAM } from './ledger/accounts/addresses';
import { knownFeatures } from './node/open';
import type { AccountState, AgaveLine } from './ledger/types';
import type { Options } from './optionTypes';
import type { SourceChannel } from './source/channel';
import { StateFileError } from './state/error';

interface KnownChain {
  /** Of a ledger that is continued. */
  readonly kept?: LedgerChain | undefined;
  /** Of a fork's source, as far as it says. */
  readonly shown?: Partial<Pick<LedgerChain, 'consensus' | 'lamportsPerByte' | 'sourceFeatures'>> | undefined;
}

export function chainOf(
  options: Pick<Options, 'consensus' | 'slotMs' | 'finalityLag'>,
  { kept, shown }: KnownChain = {},
): LedgerChain {
  const consensus = options.consensus ?? shown?.consensus ?? DEFAULT_CONSENSUS;
  const { slotMs, finalityLag, lamportsPerByte } = CONSENSUS[consensus];
  const chain = kept ?? {
    consensus,
    slotMs,
    finalityLag,
    lamportsPerByte: shown?.lamportsPerByte ?? lamportsPerByte,
    ...(shown?.sourceFeatures !== undefined && { sourceFeatures: shown.sourceFeatures }),
  };
  return {
    ...chain,
    slotMs: options.slotMs ?? chain.slotMs,
    finalityLag: options.finalityLag ?? chain.finalityLag,
  };
}

/**
 * Reads the chain of a fork's source; asks for its consensus and its features only if no option names them. Rejects with
 * SourceError.
 */
export async function chainOfSource(
  source: Pick<SourceChannel, 'consensus' | 'lamportsPerByte' | 'all'>,
  { consensus: named, featureSet }: Pick<Options, 'consensus' | 'featureSet'>,
): Promise<KnownChain['shown']> {
  const consensus = named ?? (await source.consensus());
  const lamportsPerByte = await source.lamportsPerByte();
  const sourceFeatures = featureSet === undefined ? await featuresOf(source) : [];
  return {
    ...(consensus !== undefined && { consensus }),
    lamportsPerByte,
    // A source without any is not a node.
    ...(sourceFeatures.length > 0 && { sourceFeatures }),
  };
}

/** Of the features that the engine knows, those that are active there: their account names the slot of activation. */
async function featuresOf(source: Pick<SourceChannel, 'all'>): Promise<readonly string[]> {
  const found = await source.all(await knownFeatures());
  const isActive = (account: AccountState | undefined): boolean =>
    account?.owner === FEATURE_PROGRAM && account.data[0] === 1;
  return [...found].flatMap(([address, { account }]) => (isActive(account) ? [address] : []));
}

/** Throws StateFileError where the options name another consensus than that of a kept ledger. */
export function requireKept({ consensus }: Pick<Options, 'consensus'>, kept: LedgerChain, file: string): void {
  if (consensus === undefined || consensus === kept.consensus) return;
  const [wanted, found] = [CONSENSUS[consensus].name, CONSENSUS[kept.consensus].name];
  throw new StateFileError(
    `${file} keeps a ledger of ${found}, which is continued as that and not ${wanted}. Leave the option out, choose another file, or discard the ledger with --reset.`,
  );
}

/** The line of Agave that the options name, or that their consensus has. */
export const releaseLine = ({ agave, consensus }: Pick<Options, 'agave' | 'consensus'>): AgaveLine =>
  agave ?? CONSENSUS[consensus ?? DEFAULT_CONSENSUS].agave;

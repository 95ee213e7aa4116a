// Which methods are known to a file, and which method packs a request may use without a word: those its block, its file, the endpoint or a setting names.
import { mayHold } from './chunk';
import type { Block, Chunk, RequestDocument } from './model';
import type { EndpointValues, FileContext } from './variables/variables';
import { STANDARD_METHODS, type MethodTable } from '../methods';
import { isPackId, withIncluded, type PackId } from '../../service/providers/packIds';
import type { EndpointProfile } from '../../service/profiles/profile';
import { perObject } from '../../solana/common/perObject';
import { TRANSACTION_KEY } from '../methods/records/transactionBody';
import { matchAddress } from '../../service/providers/match';

export const methodsOf = ({ methods = STANDARD_METHODS }: Pick<FileContext, 'methods'>): MethodTable => methods;

/** Whether a file has transactions in their members: then the IDLs of the workspace play a part. */
export const holdsTransactions = ({ chunks }: RequestDocument): boolean => chunks.some(hasTransaction);

const hasTransaction = perObject(
  (chunk: Chunk): boolean =>
    mayHold(chunk, TRANSACTION_KEY) && chunk.blocks.some(({ text }) => text.includes(TRANSACTION_KEY)),
);

export function packsAsked(document: RequestDocument, block: Block, surroundings: FileContext): ReadonlySet<PackId> {
  const { packs = [] } = surroundings;
  const served = endpointOf(document, block, surroundings)?.packs ?? [];
  return withIncluded([...(preambleOf(document)?.packs ?? []), ...block.settings.packs, ...packs, ...served]);
}

/** Facts about a block's endpoint. */
export function endpointOf(
  document: RequestDocument,
  { settings }: Block,
  { endpoint }: FileContext,
): EndpointValues | undefined {
  return endpoint?.(settings.endpoint ?? preambleOf(document)?.endpoint);
}

const preambleOf = ({ first }: RequestDocument): Block['settings'] | undefined =>
  first.kind === 'preamble' ? first.settings : undefined;

/** The packs that an endpoint serves: those its profile names, else those of the provider that its address belongs to. */
function packsOfEndpoint(profile: EndpointProfile | undefined): readonly PackId[] {
  const url = profile?.rpcUrl ?? profile?.wsUrl;
  const named = profile?.packs ?? (url === undefined ? undefined : matchAddress(url)?.provider.packs) ?? [];
  return named.filter(isPackId);
}

/** Facts about an endpoint from its profile. */
export function profileFacts(profile: EndpointProfile | undefined): EndpointValues {
  const swqosUrl = profile?.swqosUrl;
  return { packs: packsOfEndpoint(profile), ...(swqosUrl !== undefined && { swqosUrl }) };
}

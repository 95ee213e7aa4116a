// Which method packs a request may use without a word: those its block, its file, the endpoint or a setting names.
import type { Block, RequestDocument } from '../document/model';
import type { Surroundings } from '../document/variables';
import { isPackId, withIncluded, type PackId } from '../methods/packs/ids';
import type { EndpointProfile } from '../profile';
import { matchAddress } from '../providers/match';

export function packsAsked(
  { first }: RequestDocument,
  { settings }: Block,
  { packs = [] }: Surroundings,
): ReadonlySet<PackId> {
  const file = first.kind === 'preamble' ? first.settings.packs : [];
  return withIncluded([...file, ...settings.packs, ...packs]);
}

/** The packs that an endpoint serves: those its profile names, else those of the provider that its address belongs to. */
export function packsOfEndpoint(profile: EndpointProfile | undefined): readonly PackId[] {
  const url = profile?.rpcUrl ?? profile?.wsUrl;
  const named = profile?.packs ?? (url === undefined ? undefined : matchAddress(url)?.provider.packs) ?? [];
  return named.filter(isPackId);
}

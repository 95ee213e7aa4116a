// Which method packs a request may use without a word: those its block, its file, the endpoint or a setting names.
import type { Block, RequestDocument } from '../document/model';
import type { Surroundings } from '../document/variables';
import { withIncluded, type PackId } from '../methods/packs/ids';

export function packsAsked(
  { first }: RequestDocument,
  { settings }: Block,
  { packs = [] }: Surroundings,
): ReadonlySet<PackId> {
  const file = first.kind === 'preamble' ? first.settings.packs : [];
  return withIncluded([...file, ...settings.packs, ...packs]);
}

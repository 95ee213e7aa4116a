// The names of the method packs, as `# @pack`, the setting and a provider's entry write them. No records here, so that
// code that only names packs does not load them.

/** A set of methods that some providers serve beyond the standard node. */
export const PACK_IDS = ['das', 'photon', 'helius', 'jito', 'quicknode', 'triton'] as const;

export type PackId = (typeof PACK_IDS)[number];

export const isPackId = (text: string): text is PackId => (PACK_IDS as readonly string[]).includes(text);

/** Packs that come with another one: who asks for `helius` gets the methods of `das` and `photon` as well. */
const INCLUDED: Partial<Record<PackId, readonly PackId[]>> = { helius: ['das', 'photon'] };

/** The packs that are known where these are asked for. */
export function withIncluded(asked: Iterable<PackId>): ReadonlySet<PackId> {
  const known = new Set<PackId>();
  for (const id of asked) for (const one of [id, ...(INCLUDED[id] ?? [])]) known.add(one);
  return known;
}

// Senders that take bundles, and where: the methods of bundles have an address beside the one of single transactions. Pure.
import { matchAddress } from './match';

const METHODS: ReadonlySet<string> = new Set(['sendBundle', 'getBundleStatuses', 'getInflightBundleStatuses']);

export const isBundleMethod = (method: string): boolean => METHODS.has(method);

/** The address for bundles of the sender at `url`, with its query; undefined where that sender takes none. */
export function bundleUrl(url: string): string | undefined {
  const paths = matchAddress(url, 'swqos')?.provider.bundles;
  if (paths === undefined) return undefined;
  return url.replace(paths.instead, paths.path);
}

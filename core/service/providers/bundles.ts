// Senders that take bundles, and where: bundle methods have another address than single transactions. Pure.
import { matchAddress } from './match';

const METHODS: ReadonlySet<string> = new Set(['sendBundle', 'getBundleStatuses', 'getInflightBundleStatuses']);

export const isBundleMethod = (method: string): boolean => METHODS.has(method);

/** The address for bundles of the sender at `url`, with its query; undefined where that sender takes none. */
export function bundleUrl(url: string): string | undefined {
  const paths = matchAddress(url, 'swqos')?.provider.bundles;
  if (paths === undefined) return undefined;
  return url.replace(paths.instead, paths.path);
}

// Releases of Agave, as far as an endpoint is known to run one. Pure.

/** Major and minor number: `4.2`. */
export type Release = `${number}.${number}`;

/** Before Agave's second major release no method of today's records was missing or different. */
const FIRST_MAJOR = 2;

/**
 * The release in what `getVersion` answers as `solana-core`; undefined for numbers of other validators, which count from
 * zero, and for what is no version.
 */
export function agaveRelease(version: string): Release | undefined {
  const [, major = '', minor = ''] = /^(\d{1,4})\.(\d{1,4})(?:\D|$)/.exec(version) ?? [];
  return major === '' || Number(major) < FIRST_MAJOR ? undefined : `${Number(major)}.${Number(minor)}`;
}

export function isOlder(release: Release, than: Release): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = than.split('.').map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

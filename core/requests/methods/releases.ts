// Releases of Agave, as far as an endpoint is known to run one. Pure.

/** Major and minor number: `4.2`. */
export type Release = `${number}.${number}`;

/** Before Agave's second major release no method of today's records was missing or different. */
const FIRST_MAJOR = 2;

/** From here on, a first number is a calendar year: Firedancer's 26.10.1. */
const FIRST_YEAR = 20;

/**
 * The release in what `getVersion` answers as `solana-core`; undefined for text that is not a version, and for other
 * validators: Frankendancer counts from zero, Firedancer by the calendar.
 */
export function agaveRelease(version: string): Release | undefined {
  const [, major = '', minor = ''] = /^(\d{1,4})\.(\d{1,4})(?:\D|$)/.exec(version) ?? [];
  const isAgave = major !== '' && Number(major) >= FIRST_MAJOR && Number(major) < FIRST_YEAR;
  return isAgave ? `${Number(major)}.${Number(minor)}` : undefined;
}

export function isOlder(release: Release, than: Release): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = than.split('.').map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

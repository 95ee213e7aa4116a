// The origin of a URL: what a key is saved for and compared with, and whether it is this machine. Pure; resolves nothing.

/** Scheme, host and port as `URL` writes them; undefined for a text that is not a URL with a host. */
export function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host } = new URL(text);
  return host === '' ? undefined : `${protocol}//${host}`;
}

/** True only where scheme, host and port are the same. No suffix, no wildcard, no upgrade from http to https. */
export function sameOrigin(left: string, right: string): boolean {
  const origin = originOf(left);
  return origin !== undefined && origin === originOf(right);
}

/** True for addresses that cannot leave this machine: `localhost`, `[::1]` and all of 127.0.0.0/8. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);

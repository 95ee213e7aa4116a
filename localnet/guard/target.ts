// Reads the target of a request line.

/** The path and query; `undefined` for `*`, an authority or a whole URL, which no client of this service sends. */
export function parseTarget(target: string | undefined): URL | undefined {
  if (target === undefined || !target.startsWith('/') || target.startsWith('//')) return undefined;
  return URL.canParse(target, 'http://service') ? new URL(target, 'http://service') : undefined;
}

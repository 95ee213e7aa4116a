// Reads the target of a request line.

/** The parameters of a target. Targets are shared by requests: nobody may change them. */
export type Query = Pick<URLSearchParams, 'get' | 'getAll' | 'has' | 'size'> & Iterable<[string, string]>;

export interface GuardTarget {
  readonly pathname: string;
  readonly searchParams: Query;
}

/** The target that was read last, where it has no parameters, and so no key: most requests have the same. */
let last: { readonly text: string; readonly target: GuardTarget } | undefined;

/** The path and query; `undefined` for `*`, an authority or a whole URL, which no client of this service sends. */
export function parseTarget(text: string | undefined): GuardTarget | undefined {
  if (text === undefined || !text.startsWith('/') || text.startsWith('//')) return undefined;
  if (last?.text === text) return last.target;
  if (!URL.canParse(text, 'http://service')) return undefined;
  const target = new URL(text, 'http://service');
  if (target.search === '') last = { text, target };
  return target;
}

// How a key travels with a request: the forms an endpoint profile may name, and where each puts the key. Pure.

/**
 * `bearer` and `basic` use the Authorization header (basic: the key is USER:PASSWORD), `query` the parameter `api_key`,
 * `path` the place that the URL marks with `{key}`.
 */
export type AuthForm = 'none' | 'bearer' | 'basic' | 'query' | `query:${string}` | `header:${string}` | 'path';

/** The forms, for messages. */
export const AUTH_FORMS = 'none, bearer, basic, query, query:NAME, header:NAME or path';

/** Where a form puts the key; `name` as the form writes it. */
export type KeyPlacement =
  | { readonly kind: 'none' }
  | { readonly kind: 'header'; readonly name: string; readonly scheme?: 'Bearer' | 'Basic' }
  | { readonly kind: 'query'; readonly name: string }
  | { readonly kind: 'path' };

/** Headers that HTTP or the transports set: another value would steer the request elsewhere or break its framing. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'proxy-connection',
  'proxy-authorization',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'transfer-encoding',
  'content-length',
  'accept-encoding',
  'expect',
]);

/** A header name (RFC 9110, "token"). */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** A parameter name that needs no encoding (RFC 3986, "unreserved"). */
const PARAMETER_NAME = /^[A-Za-z0-9._~-]{1,128}$/;

const FIXED: ReadonlyMap<string, KeyPlacement> = new Map<string, KeyPlacement>([
  ['none', { kind: 'none' }],
  ['bearer', { kind: 'header', name: 'Authorization', scheme: 'Bearer' }],
  ['basic', { kind: 'header', name: 'Authorization', scheme: 'Basic' }],
  ['query', { kind: 'query', name: 'api_key' }],
  ['path', { kind: 'path' }],
]);

/** Undefined for an unknown form, and for one whose NAME cannot carry a key. */
export function keyPlacement(form: string): KeyPlacement | undefined {
  const fixed = FIXED.get(form);
  if (fixed !== undefined) return fixed;
  const named = /^(query|header):(.*)$/s.exec(form);
  const [, kind, name = ''] = named ?? [];
  if (kind === 'query') return PARAMETER_NAME.test(name) ? { kind, name } : undefined;
  if (kind === 'header')
    return HEADER_NAME.test(name) && !CONNECTION_HEADERS.has(name.toLowerCase()) ? { kind, name } : undefined;
  return undefined;
}

export const isAuthForm = (text: string): text is AuthForm => keyPlacement(text) !== undefined;

/** True where two keys sent in these forms would overwrite each other. */
export function sharePlace(left: AuthForm, right: AuthForm): boolean {
  const [a, b] = [keyPlacement(left), keyPlacement(right)];
  if (a === undefined || b === undefined || a.kind !== b.kind) return false;
  return 'name' in a && 'name' in b ? a.name.toLowerCase() === b.name.toLowerCase() : a.kind !== 'none';
}

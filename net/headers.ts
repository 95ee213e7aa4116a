// What a file's own headers may be: no header that steers the connection, none that breaks HTTP, and a credential of
// the file's own takes the place of the stored key. Sends nothing.
import type { AuthForm } from '../core/profile';
import type { ServiceError } from '../core/errors';
import { Secret } from '../core/secret';

export type HeaderPairs = readonly (readonly [string, string])[];

/** Headers that HTTP or the transports set: another value would steer the request elsewhere or break its framing. */
const OURS = new Set([
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

/** Headers in which services take a key. */
const CREDENTIALS = new Set(['authorization', 'api_key', 'api-key', 'apikey', 'x-api-key', 'x-token', 'x-auth-token']);

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
// Visible text, spaces and tabs: RFC 9110's field-value without obs-text, which no service needs.
const VALUE = /^[\t\x20-\x7e]{0,8192}$/;

const refused = (message: string, hint: string): ServiceError => ({ kind: 'invalidRequest', message, hint });

/** The name of the header a form uses, in lower case. */
export function headerOf(form: AuthForm): string | undefined {
  if (form === 'bearer') return 'authorization';
  return form.startsWith('header:') ? form.slice('header:'.length).toLowerCase() : undefined;
}

/** True for a `header:NAME` whose NAME can carry a key. */
export function isUsableHeaderForm(form: AuthForm): boolean {
  const name = headerOf(form);
  return name === undefined || (TOKEN.test(name) && !OURS.has(name));
}

/** What is wrong with the file's headers, if anything. Names a header, never its value. */
export function refuseHeaders(headers: HeaderPairs): ServiceError | undefined {
  for (const [name, value] of headers) {
    if (!TOKEN.test(name)) return refused('A header of this request has no valid name.', 'Write it as "Name: value".');
    if (OURS.has(name.toLowerCase()))
      return refused(`The header ${name} is set by the connection itself.`, 'Remove it from the request.');
    if (!VALUE.test(value))
      return refused(`The value of the header ${name} holds characters HTTP does not allow.`, 'Use plain ASCII text.');
  }
  return undefined;
}

/** True where the file brings a credential of its own, which then replaces the stored key. */
export function bringsCredential(headers: HeaderPairs, form: AuthForm): boolean {
  const own = headerOf(form);
  return headers.some(([name]) => CREDENTIALS.has(name.toLowerCase()) || name.toLowerCase() === own);
}

/** The credentials a file brings in its headers, so that they can be taken out of what comes back. */
export function credentialsOf(headers: HeaderPairs): readonly Secret[] {
  return headers
    .filter(([name]) => CREDENTIALS.has(name.toLowerCase()))
    .map(([, value]) => new Secret(value.replace(/^(?:Bearer|Basic)\s+/i, '')));
}

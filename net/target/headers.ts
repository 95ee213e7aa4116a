// Validates a file's own headers: none that controls the connection, none that breaks HTTP. A credential in the file
// replaces the stored key. Sends nothing.
import { CONNECTION_HEADERS, HEADER_NAME, keyPlacement, type AuthForm } from '../../core/service/keys/authForm';
import { namesKey } from '../../core/service/keys/keyNames';
import type { ServiceError } from '../../core/service/errors';
import { Secret } from '../../core/service/keys/secret';

export type HeaderPairs = readonly (readonly [string, string])[];

// Visible text, spaces and tabs: RFC 9110's field-value without obs-text, which no service needs.
const VALUE = /^[\t\x20-\x7e]{0,8192}$/;

const refused = (message: string, hint: string): ServiceError => ({ kind: 'invalidRequest', message, hint });

/** The first problem with the file's headers, if any. Names a header, never its value. */
export function refuseHeaders(headers: HeaderPairs): ServiceError | undefined {
  for (const [name, value] of headers) {
    if (!HEADER_NAME.test(name))
      return refused('A header of this request has no valid name.', 'Write it as "Name: value".');
    if (CONNECTION_HEADERS.has(name.toLowerCase()))
      return refused(`The header ${name} is set by the connection itself.`, 'Remove it from the request.');
    if (!VALUE.test(value))
      return refused(`The value of the header ${name} holds characters HTTP does not allow.`, 'Use plain ASCII text.');
  }
  return undefined;
}

/** True if the file supplies a credential, which then replaces the stored key. */
export function bringsCredential(headers: HeaderPairs, form: AuthForm): boolean {
  const place = keyPlacement(form);
  const own = place?.kind === 'header' ? place.name.toLowerCase() : undefined;
  return headers.some(([name]) => namesKey(name, 'header') || name.toLowerCase() === own);
}

/** The credentials in a file's headers, to redact them from the answer. */
export function credentialsOf(headers: HeaderPairs): readonly Secret[] {
  return headers
    .filter(([name]) => namesKey(name, 'header'))
    .map(([, value]) => new Secret(value.replace(/^(?:Bearer|Basic)\s+/i, '')));
}

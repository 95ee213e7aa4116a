// A request as a curl command for a POSIX shell. A key is a variable of the environment, never its text.
import type { AuthForm } from '../profile';

export interface CurlRequest {
  readonly url: string;
  /** From the file; those that would carry a key are left out by the caller. */
  readonly headers: readonly (readonly [string, string])[];
  /** The exact body. */
  readonly body: string;
  /** How the key travels, and the variable that holds it. */
  readonly auth: AuthForm;
  readonly variable: string;
}

/** Several lines, joined by backslashes. */
export function writeCurl({ url, headers, body, auth, variable }: CurlRequest): string {
  const given = `"$${variable}"`;
  const lines = ['curl --silent --show-error'];
  if (auth === 'query') lines.push(`${quoted(url + (url.includes('?') ? '&' : '?') + 'api_key=')}${given}`);
  else if (auth === 'path') lines.push(url.split('{key}').map(quoted).join(given));
  else lines.push(quoted(url));
  lines.push(`-H ${quoted('Content-Type: application/json')}`);
  if (auth === 'bearer') lines.push(`-H "Authorization: Bearer $${variable}"`);
  else if (auth.startsWith('header:')) lines.push(`-H ${quoted(`${auth.slice('header:'.length)}: `)}${given}`);
  for (const [name, value] of headers) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  lines.push(`--data-raw ${quoted(body)}`);
  return `${lines.join(' \\\n  ')}\n`;
}

/** One word of a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

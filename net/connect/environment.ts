// The way to the network as the user's environment describes it: a proxy by HTTPS_PROXY or ALL_PROXY, and the hosts that
// are reached without it by NO_PROXY. Certificates of NODE_EXTRA_CA_CERTS are read by trust.ts.
import { failed, ok, type Result } from '../../core/service/errors';
import { plainUser } from '../../core/service/providers/urlText';
import { Secret } from '../../core/service/keys/secret';
import type { ConnectSettings } from '../api';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings without a proxy if the environment names none; an `invalidRequest` if it names an invalid one. */
export function connectSettings(environment: Environment): Result<ConnectSettings> {
  const text = valueOf(environment, ['https_proxy', 'all_proxy']);
  if (text === undefined) return ok({});
  return proxySettings(text, noProxyOf(environment), {
    message: 'HTTPS_PROXY or ALL_PROXY names no HTTP proxy.',
    hint: 'Write it as http://HOST:PORT, or take it out of the environment.',
  });
}

/** The hosts of NO_PROXY. */
export const noProxyOf = (environment: Environment): readonly string[] =>
  (valueOf(environment, ['no_proxy']) ?? '').split(/[\s,]+/).filter((rule) => rule !== '');

/** Whether a secret may be the value of a header (RFC 9110, 5.5). */
export const isHeaderValue = (secret: Secret): boolean => /^[\t\x20-\x7e\x80-\xff]+$/.test(secret.reveal());

/** The proxy that a text names, or `wrong` as an `invalidRequest`. */
export function proxySettings(
  text: string,
  noProxy: readonly string[],
  wrong: { readonly message: string; readonly hint: string },
): Result<ConnectSettings> {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    return failed({ kind: 'invalidRequest', ...wrong });
  const user = plainUser(`${url.username}:${url.password}`);
  return ok({
    proxy: { url: `${url.protocol}//${url.host}`, noProxy, ...(user !== ':' && { credentials: new Secret(user) }) },
  });
}

/** The first that is set; each in small letters before capitals, as other tools read them. */
function valueOf(environment: Environment, names: readonly string[]): string | undefined {
  for (const name of names)
    for (const spelling of [name, name.toUpperCase()]) {
      const text = environment[spelling]?.trim();
      if (text !== undefined && text !== '') return text;
    }
  return undefined;
}

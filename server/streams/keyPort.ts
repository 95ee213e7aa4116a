// Hands the worker the key of one connect, and the proxy. The one place where secrets cross to it.
import type { KeyQuery } from '../../core/service/profiles/profile';
import { known } from '../../core/solana/common/known';
import type { KeyPort, ProxySettings } from '../../net/api';
import type { SentKey, SentProxy } from './messages';

/** The key of this query as the worker gets it; undefined if none is stored. */
export async function keyFor(keys: KeyPort, query: KeyQuery): Promise<SentKey | undefined> {
  const answer = await keys.key(query, new AbortController().signal);
  if (answer.kind === 'none') return undefined;
  const { secret, ...rest } = answer.lease;
  return { ...rest, secret: secret.reveal() };
}

export function sentProxy(proxy: ProxySettings | undefined): SentProxy | undefined {
  if (proxy === undefined) return undefined;
  const { url, noProxy, credentials, authorization } = proxy;
  return known({ url, noProxy, credentials: credentials?.reveal(), authorization: authorization?.reveal() });
}

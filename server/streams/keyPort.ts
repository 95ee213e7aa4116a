// Hands the worker the key of one connect. The one place where a key crosses to it.
import type { KeyQuery } from '../../core/profile';
import type { KeyPort } from '../../net/api';
import type { SentKey } from './messages';

/** The key of this query as the worker gets it; undefined where there is none. */
export async function keyFor(keys: KeyPort, query: KeyQuery): Promise<SentKey | undefined> {
  const answer = await keys.key(query, new AbortController().signal);
  if (answer.kind === 'none') return undefined;
  const { secret, ...rest } = answer.lease;
  return { ...rest, secret: secret.reveal() };
}

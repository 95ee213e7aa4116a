// What tests of @solana/web3.js listeners share: collecting what one is told, and knowing when the service has taken it.
import type { Connection } from '@solana/web3.js';

/** Collects what a listener is told; `until` waits for the first that passes. */
export function heard<T>() {
  const all: T[] = [];
  let wake = (): void => undefined;
  return {
    all,
    take: (value: T): void => {
      all.push(value);
      wake();
    },
    until: async (wanted: (value: T) => boolean): Promise<T> => {
      for (;;) {
        const found = all.find(wanted);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** What the client keeps of its subscriptions: the only place that says when the service has taken one. */
interface Subscriptions {
  _onSubscriptionStateChange(id: number, callback: (state: string) => void): () => void;
  readonly _subscriptionHashByClientSubscriptionId: Readonly<Record<number, string | undefined>>;
  readonly _subscriptionsByHash: Readonly<Record<string, { readonly state: string } | undefined>>;
}

/** Resolves when the service takes the subscription of a listener anew. */
export const subscribedAnew = (connection: Connection, id: number): Promise<void> =>
  new Promise((resolve) => {
    (connection as unknown as Subscriptions)._onSubscriptionStateChange(id, (state) => {
      if (state === 'subscribed') resolve();
    });
  });

/** Resolves with the id when the service has taken the subscription of a listener. */
export async function subscribed(connection: Connection, id: number): Promise<number> {
  const { _subscriptionHashByClientSubscriptionId: hashes, _subscriptionsByHash: states } =
    connection as unknown as Subscriptions;
  if (states[hashes[id] ?? '']?.state !== 'subscribed') await subscribedAnew(connection, id);
  return id;
}

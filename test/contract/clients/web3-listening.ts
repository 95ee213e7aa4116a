// Helpers for tests of @solana/web3.js listeners: collect notifications, and wait until the service has subscribed one.
import type { Connection } from '@solana/web3.js';

/** Collects notifications; `until` waits for the first that matches. */
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

/** The client's record of its subscriptions: the only place that shows when the service has accepted one. */
interface Subscriptions {
  _onSubscriptionStateChange(id: number, callback: (state: string) => void): () => void;
  readonly _subscriptionHashByClientSubscriptionId: Readonly<Record<number, string | undefined>>;
  readonly _subscriptionsByHash: Readonly<Record<string, { readonly state: string } | undefined>>;
}

/** Resolves when the service accepts a listener's subscription again. */
export const resubscribed = (connection: Connection, id: number): Promise<void> =>
  new Promise((resolve) => {
    (connection as unknown as Subscriptions)._onSubscriptionStateChange(id, (state) => {
      if (state === 'subscribed') resolve();
    });
  });

/** Resolves with the id when the service has taken the subscription of a listener. */
export async function subscribed(connection: Connection, id: number): Promise<number> {
  const { _subscriptionHashByClientSubscriptionId: hashes, _subscriptionsByHash: states } =
    connection as unknown as Subscriptions;
  if (states[hashes[id] ?? '']?.state !== 'subscribed') await resubscribed(connection, id);
  return id;
}

// One JSON-RPC read of a local service that this process started, with its own key and nobody else's.
import type { Result } from '../core/service/errors';
import type { Secret } from '../core/service/keys/secret';
import type { JsonValue } from '../core/solana/json/json';
import type { Net, NetOptions } from './api';
import { readResult } from './readResult';
import { settleInterface } from './target/target';

export interface LocalPlace {
  readonly rpcUrl: string;
  readonly key: Secret;
}

export interface LocalQuestion {
  readonly method: string;
  readonly params: JsonValue;
}

/** `createNet`: of transports.ts, which is loaded on first use. */
export async function askLocal(
  createNet: (options: NetOptions) => Net,
  { rpcUrl, key }: LocalPlace,
  { method, params }: LocalQuestion,
  signal: AbortSignal,
): Promise<Result<JsonValue>> {
  const target = settleInterface({ source: 'local', profile: { name: 'local', rpcUrl } }, 'rpc');
  if (!target.ok) return target;
  const own = target.value.origin;
  const net = createNet({
    keys: {
      key: ({ origin }) =>
        Promise.resolve(
          origin === own ? { kind: 'lease', lease: { secret: key, label: 'local' } } : { kind: 'none' as const },
        ),
    },
  });
  try {
    return await readResult({ net, target: target.value, signal }, method, params);
  } finally {
    await net.close();
  }
}

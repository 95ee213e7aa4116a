// The wallet of an endpoint for `{{$wallet}}` and signed transactions: on loopback alone. The key is asked for per use.
import { createPrivateKey, sign } from 'node:crypto';
import { failed, ok, type Result, type ServiceError } from '../../core/errors';
import { encodeBase58 } from '../../core/values/encoding/base58';
import { isLoopback } from '../../core/origin';
import type { WalletPort } from '../../runner/ports';
import type { Keys } from '../keys/keys';
import { profileNamed } from '../profiles';
import type { Window } from '../window';

/** PKCS #8 in front of the 32-byte seed of an Ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED = 32;

export function createWallet(window: Window, keys: Keys, signal: AbortSignal): WalletPort {
  const bytesOf = async (endpoint: string | undefined): Promise<Result<Uint8Array>> => {
    const url = profileNamed(window, endpoint)?.profile.rpcUrl;
    if (url === undefined || !URL.canParse(url) || !isLoopback(new URL(url))) return failed(NONE);
    const name = endpoint ?? window.state.endpoint;
    const bytes = name === undefined ? undefined : await keys.wallet(name, signal);
    return bytes?.length === 2 * SEED ? ok(bytes) : failed(NONE);
  };
  return {
    async address(endpoint) {
      const bytes = await bytesOf(endpoint);
      return bytes.ok ? ok(encodeBase58(bytes.value.subarray(SEED))) : bytes;
    },
    async sign(endpoint, message) {
      const bytes = await bytesOf(endpoint);
      if (!bytes.ok) return bytes;
      const der = Buffer.concat([PKCS8, bytes.value.subarray(0, SEED)]);
      const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      return ok(new Uint8Array(sign(null, message, key)));
    },
  };
}

const NONE: ServiceError = {
  kind: 'invalidRequest',
  message: 'This endpoint has no wallet.',
  hint: 'Start the local service: it comes with a funded one.',
};

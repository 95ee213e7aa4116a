// A window for tests of the server: the running local service as its endpoint, and a broker that grants its keys.
import type { EndpointProfile } from '../../../core/service/profiles/profile';
import type { WindowState } from '../../../protocol/lsp';
import type { SecretRequest, SecretReply } from '../../../protocol/secrets';
import { originOf } from '../../../core/service/profiles/origin';
import type { Localnet } from '../process/localnet';
import { WINDOW } from './serverProcess';

export function localProfile({ ready }: Localnet): EndpointProfile {
  return { name: 'local', rpcUrl: ready.rpcUrl, wsUrl: ready.wsUrl, grpcUrl: ready.grpcUrl, restUrl: ready.restUrl };
}

export function localWindow(local: Localnet): WindowState {
  return { ...WINDOW, profiles: [{ profile: localProfile(local), source: 'local' }], endpoint: 'local' };
}

export interface Broker {
  /** Every question the server asked, in order. */
  readonly asked: SecretRequest[];
  answer(request: SecretRequest): SecretReply;
}

/** Answers with the keys of `local` at its origin, and with `candidates` by their handle. */
export function grantingBroker(local: Localnet, candidates: Readonly<Record<string, string>> = {}): Broker {
  const { keys, rpcUrl, wsUrl, grpcUrl, adminToken, wallet } = local.ready;
  const origins = [rpcUrl, wsUrl, grpcUrl].map(originOf);
  const asked: SecretRequest[] = [];
  const grant = (id: number, secret: string | undefined): SecretReply =>
    secret === undefined ? { kind: 'denied', id, reason: 'none' } : { kind: 'granted', id, secret, label: 'test key' };
  return {
    asked,
    answer(request) {
      asked.push(request);
      switch (request.kind) {
        case 'key':
          return origins.includes(request.query.origin)
            ? grant(request.id, keys[request.query.type].key)
            : { kind: 'denied', id: request.id, reason: 'originMismatch' };
        case 'candidate':
          return grant(request.id, candidates[request.handle]);
        case 'wallet':
          return grant(request.id, wallet.secretKey);
        case 'keypair':
        case 'proxy':
          return grant(request.id, undefined);
        case 'adminToken':
          return grant(request.id, adminToken);
      }
    },
  };
}

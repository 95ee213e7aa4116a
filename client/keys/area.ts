// The keys: their vault and the channel that hands them to the server, then the commands, which need the areas that use a key.
import * as vscode from 'vscode';
import { Secret } from '../../core/service/keys/secret';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import type { Server, ServerDeps } from '../server/serverProcess';
import { keyCommands } from './commands';
import { KeyBroker, type BrokerDeps } from './keyBroker';
import { keypairText } from './keypairFiles';
import { KeyVault } from './keyVault';
import { moveSecret } from './moveSecret';
import type { RotateDeps } from './rotateKey';
import { reportKeys } from './settingsKeys';

export interface KeyStore {
  readonly vault: KeyVault;
  readonly broker: KeyBroker;
  /** Questions and deliveries of the server over the key channel. */
  readonly channel: Pick<ServerDeps, 'answer' | 'deliver'>;
}

export function createKeyStore(
  { context, own }: Host,
  proxyCredentials: NonNullable<BrokerDeps['proxyCredentials']>,
): KeyStore {
  const vault = own(new KeyVault(context.secrets));
  const broker = new KeyBroker({
    vault,
    trusted: () => vscode.workspace.isTrusted,
    now: Date.now,
    proxyCredentials,
    keypair: keypairText,
  });
  return {
    vault,
    broker,
    channel: {
      answer: (request) => broker.answer(request),
      deliver: ({ handle, keyId, secret }) => broker.deliver(handle, { keyId, secret: new Secret(secret) }),
    },
  };
}

/** Voids the leases of changed keys, reports keys in settings, and gives the commands. */
export function createKeys({ own }: Host, server: Server, deps: RotateDeps): CommandTable {
  own(
    deps.vault.onDidChange(({ record, secret }) => {
      if (!secret) return;
      for (const origin of new Set(Object.values(record.origins)))
        server.push({ kind: 'revoke', origin, type: record.type });
    }),
  );
  own(reportKeys(deps.profiles));
  return { ...keyCommands(deps), moveSecret: (...args) => moveSecret(deps, args) };
}

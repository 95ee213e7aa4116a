// The local service of the window, how far its ledger is, and its commands.
import * as vscode from 'vscode';
import type { KeyStore } from '../keys/area';
import type { Profiles } from '../profiles/profiles';
import type { Server } from '../server/serverProcess';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import { localServiceCommands, showFailure, startLocal } from './commands';
import { LocalServices } from './localService';
import { LocalSlot } from './localSlot';

export interface LocalServicePorts extends Pick<KeyStore, 'vault' | 'broker'> {
  readonly profiles: Profiles;
  readonly server: Server;
}

export interface LocalServiceArea {
  readonly local: LocalServices;
  readonly slot: LocalSlot;
  /** Starts the local service and makes it the active endpoint; false if it did not start. */
  readonly startLocal: () => Promise<boolean>;
  readonly commands: CommandTable;
}

export function createLocalService(
  host: Host,
  { profiles, vault, broker, server }: LocalServicePorts,
): LocalServiceArea {
  const { context, log, contexts, place, own, later } = host;
  const local = own(
    new LocalServices({
      program: context.asAbsolutePath('dist/localnet.js'),
      profiles,
      vault,
      broker,
      log,
      server: server.ready,
      setContext: contexts.set,
      secrets: context.secrets,
      place,
      window: vscode.env.sessionId,
    }),
  );
  own(local.onDidChange((state) => void showFailure(state, log)));
  own(
    vault.onDidChange(({ record, secret }) => {
      if (secret) void local.keyChanged(record);
    }),
  );
  later(() => {
    contexts.clearLeft(['solanaRpc.localService']);
    void local.join();
  });
  return {
    local,
    slot: own(new LocalSlot(local)),
    startLocal: () => startLocal(local, profiles),
    commands: localServiceCommands(local, profiles),
  };
}

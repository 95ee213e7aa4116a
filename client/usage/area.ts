// Usage: what the active endpoint says of it, what this window sent, the view, the report and the commands.
import * as vscode from 'vscode';
import { traffic as trafficCounted } from '../../protocol/lsp';
import { noteState, stateAfterUsage } from '../keys/keyStates';
import type { KeyVault } from '../keys/keyVault';
import type { MissingEndpoint } from '../profiles/missingEndpoint';
import type { Profiles } from '../profiles/profiles';
import type { Server } from '../server/serverProcess';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import { usageCommands } from './commands';
import { TrafficCounts, type TrafficView } from './traffic';
import { UsageModel } from './usageModel';
import { UsagePanels } from './usagePanel';
import { UsageTimeline } from './usageTimeline';
import { UsageTree } from './usageTree';

export interface UsagePorts {
  readonly profiles: Profiles;
  readonly vault: KeyVault;
  readonly endpoints: MissingEndpoint;
  readonly server: Server;
}

/** Requests sent from this window. */
export interface WindowTraffic extends Pick<TrafficCounts, 'of'> {
  readonly onDidChange: vscode.Event<void>;
}

export interface UsageArea {
  readonly traffic: WindowTraffic;
  readonly commands: CommandTable;
}

export function createUsage(host: Host, { profiles, vault, endpoints, server }: UsagePorts): UsageArea {
  const { context, log, contexts, own } = host;
  const traffic = createTraffic(host, server);
  const model = own(
    new UsageModel({
      profiles,
      server: server.ready,
      memory: context.workspaceState,
      setContext: contexts.set,
      stored: () => vault.list(),
      onAnswer: (query, error) => void noteState(vault, query, stateAfterUsage(error, Date.now())),
    }),
  );
  const activeTraffic = (): TrafficView | undefined => {
    const profile = profiles.active()?.profile;
    return profile === undefined ? undefined : traffic.of(profile);
  };
  const tree = own(new UsageTree(model, activeTraffic));
  own(traffic.onDidChange(() => tree.trafficChanged()));
  const timeline = own(new UsageTimeline({ model, server: server.ready }));
  const panels = own(new UsagePanels({ model, timeline, extensionUri: context.extensionUri, log }));
  return { traffic, commands: usageCommands({ model, panels, endpoints }) };
}

/** A new server counts from the beginning. */
function createTraffic({ own }: Host, server: Server): WindowTraffic {
  const counts = new TrafficCounts(Date.now);
  const changed = own(new vscode.EventEmitter<void>());
  server.onAttach((client) => {
    counts.clear();
    client.onNotification(trafficCounted, (params) => {
      counts.take(params);
      changed.fire();
    });
  });
  return { of: (profile) => counts.of(profile), onDidChange: changed.event };
}

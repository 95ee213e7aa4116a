// The extension's entry: puts the areas of the client together. Starts, opens and connects nothing before it is needed.
import type * as vscode from 'vscode';
import { createEndpoints } from './endpoints/area';
import type { AddKeyDeps } from './keys/addKey';
import { createKeys, createKeyStore } from './keys/area';
import { createLocalService } from './localService/area';
import { createProfiles } from './profiles/area';
import { createResponses } from './responses/area';
import { createRuns } from './runs/area';
import { createServer } from './server/area';
import { registerCommands } from './shared/command';
import { copyCommands } from './shared/copyValue';
import { createHost } from './shared/host';
import { createStreams } from './streams/area';
import { createTests } from './testing/tests';
import { createTour } from './tour/area';
import { createTransactions } from './transactions/area';
import { createUsage } from './usage/area';
import { keepPalette } from './window/palette';
import { proxyCredentials } from './window/proxy';
import { createStatus } from './window/status';
import { registerTools } from './window/tools';
import { windowState } from './window/windowState';

export function activate(context: vscode.ExtensionContext): void {
  const host = createHost(context);
  const { log, contexts, own } = host;
  const { profiles, clusters } = createProfiles(host);
  const { vault, broker, channel } = createKeyStore(host, proxyCredentials);
  const { server, commands: serverCommands } = createServer(host, {
    ...channel,
    windowState: () => windowState(profiles),
    onDidChangeProfiles: profiles.onDidChange,
  });

  const keyDeps: AddKeyDeps = { vault, profiles, broker, server: server.ready };
  const localService = createLocalService(host, { profiles, vault, broker, server });
  const { local, slot, startLocal } = localService;
  const endpoints = createEndpoints(host, { keyDeps, clusters, localService });
  const { missing } = endpoints;
  const usage = createUsage(host, { profiles, vault, endpoints: missing, server });

  const responses = createResponses(host, { profiles, clusters, server, endpoints: missing });
  const { runs, commands: runCommands } = createRuns(host, { keyDeps, clusters, endpoints, responses, server });
  const sending = { ...responses, profiles, endpoints: missing, runs, server };
  const { streams, commands: streamCommands } = createStreams(host, sending);
  const keyCommands = createKeys(host, server, { ...keyDeps, local, streams, log });
  const transactionCommands = createTransactions(host, sending);
  own(createTests(server.ready, runs, responses.responses, log));
  const tourCommands = createTour(host, {
    startLocal,
    ready: server.ready,
    sendAll: (document) => runs.start(document, undefined),
  });

  own(createStatus({ profiles, traffic: usage.traffic, local, slot, server }));
  own(registerTools({ runs, responses: responses.responses, profiles, server: server.ready }));
  own(keepPalette(profiles, vault, contexts.set));
  const commands = {
    ...serverCommands,
    ...localService.commands,
    ...endpoints.commands,
    ...keyCommands,
    ...usage.commands,
    ...responses.commands,
    ...runCommands,
    ...streamCommands,
    ...transactionCommands,
    ...tourCommands,
    ...copyCommands,
    showLog: () => log.show(),
  };
  own(registerCommands(commands, log));
}

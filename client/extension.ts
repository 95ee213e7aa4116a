// The extension's entry: puts the parts of the client together. Starts, opens and connects nothing before it is needed.
import * as vscode from 'vscode';
import type { PastedRequest } from '../core/curl/read';
import { Secret } from '../core/secret';
import { traffic as trafficCounted, windowChanged, type ExecuteOutcome, type TrafficParams } from '../protocol/lsp';
import { registerCommands } from './commands/command';
import { endpointCommands } from './commands/endpoints';
import { guideCommands } from './commands/guide';
import { historyCommands } from './commands/history';
import { idlCommands } from './commands/idls';
import { offerKeyFor, offerKeys } from './commands/addKey';
import { keyCommands } from './commands/keys';
import type { RotateDeps } from './commands/rotateKey';
import { moveSecret } from './commands/moveSecret';
import { localServiceCommands, tellFailed } from './commands/localService';
import { requestCommands } from './commands/requests';
import { responseCommands } from './commands/responses';
import { runCommands } from './commands/run';
import { exportTo, reopen, streamCommands } from './commands/streams';
import { usageCommands } from './commands/usage';
import { createAddressHover } from './addressHover';
import { KeyBroker } from './keyBroker';
import { noteState, stateAfterRun, stateAfterUsage } from './keyStates';
import { KeysTree } from './keysTree';
import { HistoryTree } from './historyTree';
import { KeyVault, type VaultChange } from './keyVault';
import { LocalServices } from './localService';
import { LocalSlot } from './localSlot';
import { StreamPanels } from './panels/streamPanels';
import { createPaste } from './paste';
import { ResponsePanels } from './panels/responsePanels';
import { Profiles } from './profiles';
import { createExplorerLinks, createLogMarks } from './responseDecorations';
import { DecodedResponses } from './responsesDecoded';
import { createResponseLenses } from './responseLenses';
import { Responses, SCHEME } from './responses';
import { Runs } from './runs';
import { Server } from './serverProcess';
import { createStatus } from './status';
import { Streams } from './streams';
import { StreamsTree } from './streamsTree';
import { createTests } from './testing/tests';
import { registerTools } from './tools';
import { TrafficCounts, type TrafficView } from './traffic';
import { UsageModel } from './usageModel';
import { UsagePanels } from './usagePanel';
import { UsageTree } from './usageTree';
import { windowState } from './windowState';

export function activate(context: vscode.ExtensionContext): void {
  const { subscriptions } = context;
  const own = <T extends vscode.Disposable>(part: T): T => {
    subscriptions.push(part);
    return part;
  };
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const log = own(vscode.window.createOutputChannel('Solana RPC', { log: true }));

  const profiles = own(new Profiles(log, context.globalStorageUri));
  const vault = own(new KeyVault(context.secrets, (change) => keyChanged(change)));
  const broker = new KeyBroker({ vault, trusted: () => vscode.workspace.isTrusted, now: Date.now });
  const responses = own(new Responses(storage));
  const ready = () => server.ready();
  const panels: ResponsePanels = own(
    new ResponsePanels({
      extensionUri: context.extensionUri,
      log,
      responses,
      server: ready,
      cancel: (uri, line) => runs.cancel(uri, line),
    }),
  );
  const runs = own(
    new Runs({
      server: ready,
      responses,
      log,
      onOutcome: (outcome) => noteKey(outcome),
      onReceiving: ({ title, ...place }, run) => panels.show('body', { place, title, run }, true),
      isBrowsed: (place) => panels.isShown('body', place),
    }),
  );
  const streams = own(new Streams(ready));
  const server = own(
    new Server({
      module: context.asAbsolutePath('dist/server.js'),
      log,
      answer: (request) => broker.answer(request),
      deliver: ({ handle, keyId, secret }) => broker.deliver(handle, { keyId, secret: new Secret(secret) }),
      initialization: () => ({ window: windowState(profiles), storage }),
      attach: (client) => {
        runs.attach(client);
        // A new server counts from the beginning.
        traffic.clear();
        client.onNotification(trafficCounted, (counts: TrafficParams) => {
          traffic.take(counts);
          status.refresh();
          usageTree.trafficChanged();
        });
        streams.attach(client);
      },
    }),
  );
  const local = own(
    new LocalServices({ program: context.asAbsolutePath('dist/localnet.js'), profiles, vault, broker, log }),
  );
  const slot = own(new LocalSlot(local));
  const keysTree = own(new KeysTree({ profiles, vault, local, slot }));
  const streamPanels = own(
    new StreamPanels(streams, { extensionUri: context.extensionUri, log, onExport: exportTo, onReopen: reopen }),
  );
  own(new StreamsTree(streams));
  const traffic = new TrafficCounts(Date.now);
  const usage = own(
    new UsageModel({
      profiles,
      server: ready,
      memory: context.workspaceState,
      stored: () => vault.list(),
      onAnswer: (query, error) => void noteState(vault, query, stateAfterUsage(error, Date.now())),
    }),
  );
  const activeTraffic = (): TrafficView | undefined => {
    const profile = profiles.active()?.profile;
    return profile === undefined ? undefined : traffic.of(profile.name, profile.plan);
  };
  const usageTree = own(new UsageTree(usage, activeTraffic));
  const usagePanels = own(new UsagePanels({ model: usage, extensionUri: context.extensionUri, log }));
  const status = own(createStatus({ profiles, traffic, local, slot, server }));
  const historyTree = own(new HistoryTree(responses));
  const decoded = own(new DecodedResponses(ready));

  /** Another window, or a command, changed a key: the view is drawn again, and leases of an old secret are void. */
  const keyChanged = ({ record, secret }: VaultChange): void => {
    keysTree.refresh();
    void tellPalette();
    if (!secret) return;
    for (const origin of new Set(Object.values(record.origins)))
      server.push({ kind: 'revoke', origin, type: record.type });
  };

  /** What the service said of the key that a request went out with, and of the transaction in it. */
  const noteKey = (outcome: ExecuteOutcome): void => {
    void noteState(vault, outcome.key, stateAfterRun(outcome, Date.now()));
    if (hasLanded(outcome)) void vscode.commands.executeCommand('setContext', 'solanaRpc.landed', true);
    if (outcome.error?.kind === 'noKey' && outcome.key !== undefined) void offerKeyFor(keyDeps, outcome.key);
  };

  /** For the commands that need an endpoint, a key or a dashboard. */
  const tellPalette = async (): Promise<void> => {
    const own = profiles.list().some(({ source }) => source !== 'local');
    const facts = {
      endpoints: own ? 'some' : 'none',
      keys: (await vault.list()).length > 0 ? 'some' : 'none',
      dashboard: profiles.active()?.profile.dashboardUrl === undefined ? 'none' : 'some',
    };
    for (const [name, value] of Object.entries(facts))
      await vscode.commands.executeCommand('setContext', `solanaRpc.${name}`, value);
  };

  const tellWindow = (): void => void server.running()?.sendNotification(windowChanged, windowState(profiles));
  const startFor = (document: vscode.TextDocument): void => {
    if (document.languageId === 'jsonrpc') ready().catch((error: unknown) => log.error(String(error)));
  };
  const keyDeps: RotateDeps = { vault, profiles, local, broker, server: ready, streams, log };
  const offer = (pasted: PastedRequest): Promise<void> => offerKeys(keyDeps, pasted);
  subscriptions.push(
    createPaste(offer),
    createAddressHover(),
    server.onDidChangeState((state) => streams.serverIs(state)),
    local.onDidChange((state) => void tellFailed(state, log)),
    registerTools({ runs, responses, profiles, server: ready }),
    createResponseLenses(responses),
    createExplorerLinks(responses, profiles),
    createLogMarks(),
    createTests(ready, runs, responses, log),
    vscode.workspace.registerFileSystemProvider(SCHEME, responses, { isReadonly: true, isCaseSensitive: true }),
    profiles.onDidChange(tellWindow),
    profiles.onDidChange(() => void tellPalette()),
    watchDocuments(() => void server.running()?.sendNotification('workspace/didChangeWatchedFiles', { changes: [] })),
    vscode.workspace.onDidGrantWorkspaceTrust(tellWindow),
    vscode.workspace.onDidOpenTextDocument(startFor),
    registerCommands(
      {
        ...runCommands(runs),
        ...responseCommands({
          responses,
          openTable: ({ response: place, title }) => panels.show('table', { place, title }),
          openBody: ({ response: place, title }) => panels.show('body', { place, title }),
          openDecoded: (outcome) => decoded.show(outcome),
        }),
        ...endpointCommands(keyDeps),
        ...keyCommands(keyDeps),
        moveSecret: (...args) => moveSecret(keyDeps, args),
        ...idlCommands({ server: ready, onFetched: () => streamPanels.decodeAnew() }),
        ...streamCommands({ streams, panels: streamPanels, profiles }),
        ...historyCommands(responses, historyTree),
        ...requestCommands({ runs, responses, profiles, server: ready, offerKeys: offer }),
        ...usageCommands(usage, usagePanels),
        ...localServiceCommands(local, profiles),
        ...guideCommands(
          context.extension.id,
          vscode.Uri.joinPath(context.extensionUri, 'examples', 'quickstart.jsonrpc'),
        ),
        restartServer: () => server.restart(),
        showLog: () => log.show(),
      },
      log,
    ),
  );
  // Reading and starting wait until whoever waits for the activation was let through.
  const first = setImmediate(() => {
    void profiles.load();
    vscode.workspace.textDocuments.forEach(startFor);
  });
  subscriptions.push({ dispose: () => clearImmediate(first) });
}

/** A transaction was seen on the ledger: by the watch over a priority send, or by a subscription that told of it. */
function hasLanded({ status, method, landing }: ExecuteOutcome): boolean {
  if (status !== 'passed') return false;
  return landing === undefined ? method === 'signatureSubscribe' : landing.isLanded;
}

/** OpenRPC documents are JSON files like any other: the server looks at those that it was told of. */
function watchDocuments(changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*.json');
  watcher.onDidChange(changed);
  watcher.onDidCreate(changed);
  watcher.onDidDelete(changed);
  return watcher;
}

// The extension's entry: puts the parts of the client together. Starts, opens and connects nothing before it is needed.
import * as vscode from 'vscode';
import type { PastedRequest } from '../core/curl/read';
import { LOCAL_PROFILE } from '../core/profile';
import { Secret } from '../core/secret';
import { traffic as trafficCounted, windowChanged, type ExecuteOutcome } from '../protocol/lsp';
import { registerCommands } from './shared/command';
import { Contexts } from './shared/contexts';
import { copyCommands } from './shared/copyValue';
import { endpointCommands } from './endpoints/commands';
import { exampleCopies, guideCommands } from './tour/guide';
import { historyCommands } from './responses/historyCommands';
import { idlCommands } from './responses/idls';
import { offerKeyFor, offerKeys } from './keys/addKey';
import { keyCommands } from './keys/commands';
import type { RotateDeps } from './keys/rotateKey';
import { reportKeys } from './keys/settingsKeys';
import { moveSecret } from './keys/moveSecret';
import { localServiceCommands, startLocal, showFailure } from './localService/commands';
import { convertCommands } from './runs/convertHttp';
import { requestCommands } from './runs/requests';
import { openRunResponse, responseCommands } from './responses/commands';
import { goToRequest, sendAgain } from './runs/goToRequest';
import { runCommands } from './runs/run';
import { registerSnapshotFix } from './runs/snapshotFix';
import { RunPanels } from './runs/runPanels';
import { exportTo, reopener, streamCommands } from './streams/commands';
import { usageCommands } from './usage/commands';
import { createAddressHover } from './streams/addressHover';
import { KeyBroker } from './keys/keyBroker';
import { noteState, stateAfterRun, stateAfterUsage } from './keys/keyStates';
import { EndpointsTree } from './endpoints/endpointsTree';
import { HistoryTree } from './responses/historyTree';
import { KeyVault, type VaultChange } from './keys/keyVault';
import { LocalServices } from './localService/localService';
import { LocalSlot } from './localService/localSlot';
import { StreamPanels } from './streams/streamPanels';
import { createPaste } from './runs/paste';
import { ResponsePanels } from './responses/responsePanels';
import { addEndpoint } from './endpoints/addEndpoint';
import { addressOf, Clusters } from './profiles/clusters';
import { EndpointStates } from './endpoints/endpointStates';
import { MissingEndpoint } from './profiles/missingEndpoint';
import { reportFaults } from './profiles/profileFaults';
import { Profiles } from './profiles/profiles';
import { createExplorerLinks, createLogMarks } from './responses/responseDecorations';
import { DecodedResponses } from './responses/responsesDecoded';
import { createResponseUnits } from './responses/responseUnits';
import { ExchangeDocuments } from './responses/responsesExchange';
import { createResponseActions, RESPONSE_CONTEXTS } from './responses/responseActions';
import { createResponseLenses } from './responses/responseLenses';
import { Responses, SCHEME } from './responses/responses';
import { Runs } from './runs/runs';
import { Server } from './server/serverProcess';
import { WindowUpdates } from './server/windowUpdates';
import { createStatus } from './window/status';
import { Streams } from './streams/streams';
import { StreamsTree } from './streams/streamsTree';
import { createTests } from './testing/tests';
import { registerTools } from './window/tools';
import { TrafficCounts, type TrafficView } from './usage/traffic';
import { activeEndpoint, compareWith, transactionCommands } from './transactions/commands';
import { Comparisons } from './transactions/compare';
import { openLog } from './transactions/log';
import { TransactionTexts } from './transactions/texts';
import { replayCommands, Replays } from './transactions/replays';
import { createTransactionHover } from './transactions/responseHover';
import { TransactionPanels } from './transactions/transactionPanels';
import { Tour } from './tour/tour';
import { UsageModel } from './usage/usageModel';
import { UsagePanels } from './usage/usagePanel';
import { UsageTimeline } from './usage/usageTimeline';
import { UsageTree } from './usage/usageTree';
import { storageFor } from './window/storage';
import { windowState } from './window/windowState';
import { proxyCredentials } from './window/proxy';
import { keypairText } from './keys/keypairFiles';

export function activate(context: vscode.ExtensionContext): void {
  const { subscriptions } = context;
  const own = <T extends vscode.Disposable>(part: T): T => {
    subscriptions.push(part);
    return part;
  };
  const storage = storageFor(context.globalStorageUri.fsPath, {
    file: vscode.workspace.workspaceFile,
    folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
  });
  const log = own(vscode.window.createOutputChannel('Solana RPC', { log: true }));

  const contexts = own(new Contexts());
  const { set: setContext } = contexts;
  const place = storage === context.globalStorageUri.fsPath ? undefined : storage;
  const folder = place === undefined ? undefined : { memory: context.globalState, place };
  const profiles = own(new Profiles(log, context.globalStorageUri, context.workspaceState, folder));
  const vault = own(new KeyVault(context.secrets, (change) => keyChanged(change)));
  const broker = new KeyBroker({
    vault,
    trusted: () => vscode.workspace.isTrusted,
    now: Date.now,
    proxyCredentials,
    keypair: keypairText,
  });
  const clusters = new Clusters(context.globalState);
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
  const texts = own(new TransactionTexts());
  const comparisons = new Comparisons(ready, texts);
  const transactions: TransactionPanels = own(
    new TransactionPanels({
      extensionUri: context.extensionUri,
      log,
      server: ready,
      responses,
      runs: () => runs,
      replays: () => replays,
      endpoint: () => activeEndpoint(finding()),
      openLog: (hello) => openLog({ server: ready, texts }, hello),
      compare: (hello, shown) => compareWith({ ...finding(), compare: (a, b) => comparisons.show(a, b) }, hello, shown),
    }),
  );
  const finding = () => ({ responses, runs, endpoints, profiles });
  const runs = own(
    new Runs({
      server: ready,
      responses,
      log,
      settleEndpoint: (name) => endpoints.settle(name),
      offerKey: (query) => offerKeyFor(keyDeps, query),
      onOutcome: (outcome) => noteOutcome(outcome),
      reports: () => runPanels,
      onReceiving: ({ title, ...place }, run) => panels.show('body', { place, title, run }, true),
      isBrowsed: (place) => panels.isShown('body', place),
      setContext,
    }),
  );
  const runPanels: RunPanels = own(
    new RunPanels({
      extensionUri: context.extensionUri,
      log,
      endpoint: () => profiles.active()?.profile.name ?? '',
      openResponse: (row) => openRunResponse(responses, row),
      goToRequest: (row) => goToRequest(ready, row),
      sendAll: async (uri) => runs.start(await vscode.workspace.openTextDocument(uri), undefined),
      cancel: (uri) => runs.cancel(uri),
    }),
  );
  const streams = own(new Streams(ready));
  const updates = new WindowUpdates(
    () => windowState(profiles),
    () => {
      const running = server.running();
      return running && ((state) => void running.sendNotification(windowChanged, state));
    },
  );
  const server: Server = own(
    new Server({
      module: context.asAbsolutePath('dist/server.js'),
      log,
      answer: (request) => broker.answer(request),
      deliver: ({ handle, keyId, secret }) => broker.deliver(handle, { keyId, secret: new Secret(secret) }),
      initialization: () => ({ window: updates.initial(), storage }),
      attach: (client) => {
        runs.attach(client);
        // A new server counts from the beginning.
        traffic.clear();
        client.onNotification(trafficCounted, (counts) => {
          traffic.take(counts);
          status.refresh();
          usageTree.trafficChanged();
        });
        streams.attach(client);
      },
    }),
  );
  const local = own(
    new LocalServices({
      program: context.asAbsolutePath('dist/localnet.js'),
      profiles,
      vault,
      broker,
      log,
      server: ready,
      setContext,
      secrets: context.secrets,
      place,
      window: vscode.env.sessionId,
    }),
  );
  const slot = own(new LocalSlot(local));
  const endpoints = new MissingEndpoint({
    profiles,
    localSettled: () => local.settled(),
    startLocal: () => startLocal(local, profiles),
    addEndpoint: () => addEndpoint(keyDeps),
    chooseEndpoint: () => vscode.commands.executeCommand('solanaRpc.switchEndpoint'),
  });
  const replays: Replays = new Replays({ server: ready, endpoints, show: (hello) => transactions.show(hello) });
  const states = own(new EndpointStates({ profiles, clusters, server: ready }));
  const endpointsTree = own(new EndpointsTree({ profiles, vault, local, slot, states }));
  const streamPanels = own(
    new StreamPanels(streams, {
      extensionUri: context.extensionUri,
      log,
      onExport: exportTo,
      onReopen: reopener(endpoints),
    }),
  );
  own(new StreamsTree(streams, setContext));
  const traffic = new TrafficCounts(Date.now);
  const usage = own(
    new UsageModel({
      profiles,
      server: ready,
      memory: context.workspaceState,
      setContext,
      stored: () => vault.list(),
      onAnswer: (query, error) => void noteState(vault, query, stateAfterUsage(error, Date.now())),
    }),
  );
  const activeTraffic = (): TrafficView | undefined => {
    const profile = profiles.active()?.profile;
    return profile === undefined ? undefined : traffic.of(profile);
  };
  const usageTree = own(new UsageTree(usage, activeTraffic));
  const usagePanels = own(
    new UsagePanels({
      model: usage,
      timeline: own(new UsageTimeline({ model: usage, server: ready })),
      extensionUri: context.extensionUri,
      log,
    }),
  );
  const status = own(createStatus({ profiles, traffic, local, slot, server }));
  const historyTree = own(new HistoryTree(responses));
  const decoded = own(new DecodedResponses(ready));
  const exchanges = own(new ExchangeDocuments(responses));

  /** Another window, or a command, changed a key: the view is drawn again, and leases of an old secret are void. */
  const keyChanged = ({ record, secret }: VaultChange): void => {
    endpointsTree.refresh();
    void tellPalette();
    if (!secret) return;
    void local.keyChanged(record);
    for (const origin of new Set(Object.values(record.origins)))
      server.push({ kind: 'revoke', origin, type: record.type });
  };

  /** What the service said of the key that a request went out with, of its ledger, and of the transaction in it. */
  const noteOutcome = (outcome: ExecuteOutcome): void => {
    void noteState(vault, outcome.key, stateAfterRun(outcome, Date.now()));
    const { address } = addressOf(outcome, profiles.find(outcome.endpoint)?.profile);
    if (address !== undefined && outcome.genesisHash !== undefined) void clusters.note(address, outcome.genesisHash);
    if (hasLanded(outcome)) setContext('solanaRpc.landed', true);
  };

  /** For the commands that need an endpoint, a key or a dashboard, and for the words of empty views. */
  const tellPalette = async (): Promise<void> => {
    const own = profiles.list().some(({ source }) => source !== 'local');
    const absent = profiles.absent();
    const facts = {
      endpoints: own ? 'some' : 'none',
      keys: (await vault.list()).length > 0 ? 'some' : 'none',
      absent: absent === undefined ? 'none' : absent === LOCAL_PROFILE ? 'local' : 'endpoint',
      dashboard: profiles.active()?.profile.dashboardUrl === undefined ? 'none' : 'some',
    };
    for (const [name, value] of Object.entries(facts)) setContext(`solanaRpc.${name}`, value);
  };

  /** More is known of programs: what is decoded is read again. */
  const onFetched = (): void => {
    streamPanels.decodeAnew();
    transactions.decodeAgain();
  };
  const windowIsChanged = (): void => updates.changed();
  const startFor = (document: vscode.TextDocument): void => {
    if (document.languageId === 'jsonrpc') ready().catch((error: unknown) => log.error(String(error)));
  };
  const examples = vscode.Uri.joinPath(context.extensionUri, 'examples');
  const opened = exampleCopies(examples);
  const tour = own(new Tour({ context, contexts, log, startLocal: () => startLocal(local, profiles), opened }));
  const keyDeps: RotateDeps = { vault, profiles, local, broker, server: ready, streams, log };
  const offer = (pasted: PastedRequest): Promise<void> =>
    offerKeys({ ...keyDeps, addEndpoint: (read) => addEndpoint(keyDeps, read) }, pasted);
  subscriptions.push(
    createPaste(offer),
    createAddressHover(),
    server.onDidChangeState((state) => {
      if (state === 'ready') updates.serverRuns();
      streams.serverIs(state);
    }),
    local.onDidChange((state) => void showFailure(state, log)),
    registerTools({ runs, responses, profiles, server: ready }),
    createResponseLenses(responses),
    createResponseActions(responses, setContext),
    createExplorerLinks(responses, profiles, clusters),
    createLogMarks(),
    createResponseUnits(responses),
    createTransactionHover(responses, ready),
    createTests(ready, runs, responses, log),
    vscode.workspace.registerFileSystemProvider(SCHEME, responses, { isReadonly: true, isCaseSensitive: true }),
    profiles.onDidChange(windowIsChanged),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('http')) windowIsChanged();
    }),
    reportFaults(profiles),
    reportKeys(profiles),
    profiles.onDidChange(() => void tellPalette()),
    registerSnapshotFix(),
    watchDocuments(() => void server.running()?.sendNotification('workspace/didChangeWatchedFiles', { changes: [] })),
    vscode.workspace.onDidGrantWorkspaceTrust(windowIsChanged),
    vscode.workspace.onDidOpenTextDocument(startFor),
    registerCommands(
      {
        ...runCommands(runs),
        ...responseCommands({
          responses,
          openTable: ({ response: place, title }) => panels.show('table', { place, title }),
          openBody: ({ response: place, title }) => panels.show('body', { place, title }),
          openDecoded: (outcome) => decoded.show(outcome),
          openExchange: (outcome) => exchanges.show(outcome),
        }),
        ...transactionCommands({ ...finding(), show: (hello) => transactions.show(hello) }),
        ...replayCommands(replays),
        ...endpointCommands({ ...keyDeps, states, settle: () => endpoints.settle() }),
        ...keyCommands(keyDeps),
        moveSecret: (...args) => moveSecret(keyDeps, args),
        ...idlCommands({ server: ready, endpoints, onFetched }),
        ...streamCommands({ streams, panels: streamPanels, profiles, runs, endpoints }),
        ...historyCommands({
          responses,
          tree: historyTree,
          goToRequest: (run) => goToRequest(ready, run),
          sendAgain: (run) => sendAgain(ready, runs, run),
        }),
        ...convertCommands(),
        ...requestCommands({ runs, responses, profiles, endpoints, server: ready, offerKeys: offer }),
        ...usageCommands({ model: usage, panels: usagePanels, endpoints }),
        ...localServiceCommands(local, profiles),
        ...copyCommands,
        ...tour.commands,
        ...guideCommands({
          examples,
          opened,
          ready,
          sendAll: (document) => runs.start(document, undefined),
        }),
        restartServer: () => server.restart(),
        showLog: () => log.show(),
      },
      log,
    ),
  );
  // Reading and starting wait until whoever waits for the activation was let through.
  const first = setImmediate(() => {
    contexts.clearLeft(['solanaRpc.localService', 'solanaRpc.running', 'solanaRpc.watching', ...RESPONSE_CONTEXTS]);
    void profiles.load();
    void local.join();
    vscode.workspace.textDocuments.forEach(startFor);
  });
  subscriptions.push({ dispose: () => clearImmediate(first) });
}

/** A transaction was seen on the ledger: by the watch over a priority send, or by a subscription. */
function hasLanded({ status, method, landing }: ExecuteOutcome): boolean {
  if (status !== 'passed') return false;
  return landing === undefined ? method === 'signatureSubscribe' : landing.isLanded;
}

/** OpenRPC documents and rows of `@foreach` are files like any other: the server reads those that it needs again. */
function watchDocuments(changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*.{json,csv}');
  watcher.onDidChange(changed);
  watcher.onDidCreate(changed);
  watcher.onDidDelete(changed);
  return watcher;
}

// Sending: the runs of the window, the reports of whole files, and the commands that send, paste, copy and convert requests.
import * as vscode from 'vscode';
import type { PastedRequest } from '../../core/requests/curl/read';
import type { ExecuteOutcome } from '../../protocol/lsp';
import type { EndpointsArea } from '../endpoints/area';
import { offerKeyFor, offerKeys, type AddKeyDeps } from '../keys/addKey';
import { noteState, stateAfterRun } from '../keys/keyStates';
import { answeringAddress, type Clusters } from '../profiles/clusters';
import type { MissingEndpoint } from '../profiles/missingEndpoint';
import type { Profiles } from '../profiles/profiles';
import type { ResponsesArea } from '../responses/area';
import { openRunResponse } from '../responses/commands';
import { historyCommands } from '../responses/historyCommands';
import type { Server } from '../server/serverProcess';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import { convertCommands } from './convertHttp';
import { registerSnapshotFix } from './findings';
import { goToRequest, sendAgain } from './goToRequest';
import { createPaste } from './paste';
import { requestCommands } from './requests';
import { runCommands } from './run';
import { RunPanels } from './runPanels';
import { Runs } from './runs';

export interface RunsPorts {
  readonly keyDeps: AddKeyDeps;
  readonly clusters: Clusters;
  readonly endpoints: EndpointsArea;
  readonly responses: ResponsesArea;
  readonly server: Server;
}

/** For the areas that send as runs do. */
export interface SendingPorts {
  readonly profiles: Profiles;
  readonly endpoints: MissingEndpoint;
  readonly runs: Runs;
  readonly server: Server;
}

export interface RunsArea {
  readonly runs: Runs;
  readonly commands: CommandTable;
}

export function createRuns(host: Host, ports: RunsPorts): RunsArea {
  const { own, later, contexts } = host;
  const { keyDeps, endpoints, server } = ports;
  const { profiles } = keyDeps;
  const { responses, historyTree } = ports.responses;
  const runs = createSending(host, ports);
  const offer = (pasted: PastedRequest): Promise<void> =>
    offerKeys({ ...keyDeps, addEndpoint: endpoints.addEndpoint }, pasted);
  own(createPaste(offer));
  own(registerSnapshotFix());
  later(() => contexts.clearLeft(['solanaRpc.running']));
  return {
    runs,
    commands: {
      ...runCommands(runs),
      ...requestCommands({
        runs,
        responses,
        profiles,
        endpoints: endpoints.missing,
        server: server.ready,
        offerKeys: offer,
      }),
      ...convertCommands(),
      ...historyCommands({
        responses,
        tree: historyTree,
        goToRequest: (run) => goToRequest(server.ready, run),
        sendAgain: (run) => sendAgain(server.ready, runs, run),
      }),
    },
  };
}

/** The runs, and the panels that show what they bring. */
function createSending(host: Host, ports: RunsPorts): Runs {
  const { context, log, contexts, own } = host;
  const { keyDeps, endpoints, server } = ports;
  const { profiles } = keyDeps;
  const { responses, panels } = ports.responses;
  const reports = own(
    new RunPanels({
      extensionUri: context.extensionUri,
      log,
      endpoint: () => profiles.active()?.profile.name ?? '',
      openResponse: (row) => openRunResponse(responses, row),
      goToRequest: (row) => goToRequest(server.ready, row),
    }),
  );
  const runs = own(
    new Runs({
      server: server.ready,
      responses,
      log,
      settleEndpoint: (name) => endpoints.missing.settle(name),
      offerKey: (query) => offerKeyFor(keyDeps, query),
      onOutcome: (outcome) => noteOutcome(host, ports, outcome),
      reports,
      onReceiving: ({ title, ...place }, run) => panels.show('body', { place, title, run }, true),
      isBrowsed: (place) => panels.isShown('body', place),
      setContext: contexts.set,
    }),
  );
  const sendAll = async (uri: string): Promise<void> =>
    runs.start(await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true)), undefined);
  own(reports.onDidAsk(({ kind, uri }) => void (kind === 'again' ? sendAll(uri) : runs.cancel(uri))));
  own(panels.onDidCancel(({ uri, line }) => void runs.cancel(uri, line)));
  server.onAttach((client) => runs.attach(client));
  return runs;
}

/** Records what the answer to a request says about its key, its ledger, and the transaction in it. */
function noteOutcome({ contexts }: Host, { keyDeps, clusters }: RunsPorts, outcome: ExecuteOutcome): void {
  void noteState(keyDeps.vault, outcome.key, stateAfterRun(outcome, Date.now()));
  const { address } = answeringAddress(outcome, keyDeps.profiles.find(outcome.endpoint)?.profile);
  if (address !== undefined && outcome.genesisHash !== undefined) void clusters.note(address, outcome.genesisHash);
  if (hasLanded(outcome)) contexts.set('solanaRpc.landed', true);
}

/** A transaction was seen on the ledger: by the watch over a priority send, or by a subscription. */
function hasLanded({ status, method, landing }: ExecuteOutcome): boolean {
  if (status !== 'passed') return false;
  return landing === undefined ? method === 'signatureSubscribe' : landing.isLanded;
}

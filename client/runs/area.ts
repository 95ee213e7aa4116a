// Sending: the runs of the window, the reports of whole files, and the commands that send, paste, copy and convert requests.
import * as vscode from 'vscode';
import type { PastedRequest } from '../../core/requests/curl/read';
import type { EndpointsArea } from '../endpoints/area';
import { offerKeyFor, offerKeys, type AddKeyDeps } from '../keys/addKey';
import type { Clusters } from '../profiles/clusters';
import type { ResponsesArea } from '../responses/area';
import { openRunResponse } from '../responses/commands';
import { historyCommands } from '../responses/historyCommands';
import type { Server } from '../server/serverProcess';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import { convertCommands } from './convertHttp';
import { goToRequest, sendAgain } from './goToRequest';
import { noteOutcome } from './noteOutcome';
import { createPaste } from './paste';
import { requestCommands } from './requests';
import { runCommands } from './run';
import { RunPanels } from './runPanels';
import { Runs } from './runs';
import { registerSnapshotFix } from './snapshotFix';

export interface RunsPorts {
  readonly keyDeps: AddKeyDeps;
  readonly clusters: Clusters;
  readonly endpoints: EndpointsArea;
  readonly responses: ResponsesArea;
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
function createSending({ context, log, contexts, own }: Host, ports: RunsPorts): Runs {
  const { keyDeps, clusters, endpoints, server } = ports;
  const { profiles, vault } = keyDeps;
  const { responses, panels } = ports.responses;
  const setContext = contexts.set;
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
      onOutcome: (outcome) => noteOutcome({ vault, profiles, clusters, setContext }, outcome),
      reports,
      onReceiving: ({ title, ...place }, run) => panels.show('body', { place, title, run }, true),
      isBrowsed: (place) => panels.isShown('body', place),
      setContext,
    }),
  );
  const sendAll = async (uri: string): Promise<void> =>
    runs.start(await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true)), undefined);
  own(reports.onDidAsk(({ kind, uri }) => void (kind === 'again' ? sendAll(uri) : runs.cancel(uri))));
  own(panels.onDidCancel(({ uri, line }) => void runs.cancel(uri, line)));
  server.onAttach((client) => runs.attach(client));
  return runs;
}

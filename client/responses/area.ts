// The kept responses: their documents, panels and view, what is drawn in them, and the commands that need no run.
import * as vscode from 'vscode';
import type { ProfilesArea } from '../profiles/area';
import type { MissingEndpoint } from '../profiles/missingEndpoint';
import type { Server } from '../server/serverProcess';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import { responseCommands } from './commands';
import { HistoryTree } from './historyTree';
import { idlCommands } from './idls';
import { createResponseActions, RESPONSE_CONTEXTS } from './responseActions';
import { createExplorerLinks, createLogMarks } from './responseDecorations';
import { createResponseLenses } from './responseLenses';
import { ResponsePanels } from './responsePanels';
import { Responses, SCHEME } from './responses';
import { decodedTexts, exchangeTexts } from './responseTexts';
import { createResponseUnits } from './responseUnits';

export interface ResponsePorts extends ProfilesArea {
  readonly server: Server;
  readonly endpoints: MissingEndpoint;
}

export interface ResponsesArea {
  readonly responses: Responses;
  readonly panels: ResponsePanels;
  readonly historyTree: HistoryTree;
  /** Fires when an IDL was fetched: what is decoded can be decoded further. */
  readonly onDidFetchIdl: vscode.Event<void>;
  readonly commands: CommandTable;
}

export function createResponses(host: Host, { profiles, clusters, server, endpoints }: ResponsePorts): ResponsesArea {
  const { context, log, contexts, storage, own, later } = host;
  const { extensionUri } = context;
  const responses = own(new Responses(storage));
  const panels = own(new ResponsePanels({ extensionUri, log, responses, server: server.ready }));
  const decoded = own(decodedTexts(server.ready));
  const exchanges = own(exchangeTexts(responses));
  const fetched = own(new vscode.EventEmitter<void>());
  own(vscode.workspace.registerFileSystemProvider(SCHEME, responses, { isReadonly: true, isCaseSensitive: true }));
  own(createResponseLenses(responses));
  own(createResponseActions(responses, contexts.set));
  own(createExplorerLinks(responses, profiles, clusters));
  own(createLogMarks());
  own(createResponseUnits(responses));
  later(() => contexts.clearLeft(RESPONSE_CONTEXTS));
  return {
    responses,
    panels,
    historyTree: own(new HistoryTree(responses)),
    onDidFetchIdl: fetched.event,
    commands: {
      ...responseCommands({ responses, panels, decoded, exchanges }),
      ...idlCommands({ server: server.ready, endpoints, onFetched: () => fetched.fire() }),
    },
  };
}

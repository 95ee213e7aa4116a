// The Endpoints view and its commands, and the question for an endpoint if there is none.
import * as vscode from 'vscode';
import type { AddressReading } from '../../core/service/providers/address';
import type { AddKeyDeps } from '../keys/addKey';
import type { LocalServiceArea } from '../localService/area';
import type { Clusters } from '../profiles/clusters';
import { MissingEndpoint } from '../profiles/missingEndpoint';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import { addEndpoint } from './addEndpoint';
import { endpointCommands } from './commands';
import { EndpointsTree } from './endpointsTree';
import { EndpointStates } from './endpointStates';

export interface EndpointPorts {
  readonly keyDeps: AddKeyDeps;
  readonly clusters: Clusters;
  readonly localService: LocalServiceArea;
}

export interface EndpointsArea {
  /** Asks for an endpoint where there is none. */
  readonly missing: MissingEndpoint;
  /** True once an endpoint was added. `read`: an address that is here already. */
  readonly addEndpoint: (read?: AddressReading) => Promise<boolean>;
  readonly commands: CommandTable;
}

export function createEndpoints({ own }: Host, { keyDeps, clusters, localService }: EndpointPorts): EndpointsArea {
  const { profiles, vault, server } = keyDeps;
  const { local, slot, startLocal } = localService;
  const states = own(new EndpointStates({ profiles, clusters, server }));
  own(new EndpointsTree({ profiles, vault, local, slot, states }));
  const add = (read?: AddressReading): Promise<boolean> => addEndpoint(keyDeps, read);
  const missing = new MissingEndpoint({
    profiles,
    localSettled: () => local.settled(),
    startLocal,
    addEndpoint: () => add(),
    chooseEndpoint: () => vscode.commands.executeCommand('solanaRpc.switchEndpoint'),
  });
  return {
    missing,
    addEndpoint: add,
    commands: endpointCommands({ ...keyDeps, states, settle: () => missing.settle() }),
  };
}

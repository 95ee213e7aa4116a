// Live streams: what the window watches, their panels and view, and the commands.
import type { ResponsesArea } from '../responses/area';
import type { SendingPorts } from '../runs/area';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import { createAddressHover } from './addressHover';
import { exportTo, reopener, streamCommands } from './commands';
import { StreamPanels } from './streamPanels';
import { WindowStreams } from './streams';
import { StreamsTree } from './streamsTree';

export type StreamPorts = SendingPorts & Pick<ResponsesArea, 'onDidFetchIdl'>;

export interface StreamsArea {
  readonly streams: WindowStreams;
  readonly commands: CommandTable;
}

export function createStreams(
  host: Host,
  { profiles, endpoints, runs, server, onDidFetchIdl }: StreamPorts,
): StreamsArea {
  const { context, log, contexts, own, later } = host;
  const streams = own(new WindowStreams(server.ready));
  server.onAttach((client) => streams.attach(client));
  own(server.onDidChangeState((state) => streams.serverIs(state)));
  const panels = own(
    new StreamPanels(streams, {
      extensionUri: context.extensionUri,
      log,
      onExport: exportTo,
      onReopen: reopener(endpoints),
    }),
  );
  own(new StreamsTree(streams, contexts.set));
  own(createAddressHover());
  own(onDidFetchIdl(() => panels.decodeAnew()));
  later(() => contexts.clearLeft(['solanaRpc.watching']));
  return { streams, commands: streamCommands({ streams, panels, profiles, runs, endpoints }) };
}

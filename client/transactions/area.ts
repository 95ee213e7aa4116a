// Transactions explained: their panels, comparison, replay and hover, and the commands.
import type { ResponsesArea } from '../responses/area';
import type { SendingPorts } from '../runs/area';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import { activeEndpoint, compareWith, transactionCommands } from './commands';
import { ReplayCommands } from './replays';
import { createTransactionHover } from './responseHover';
import { TransactionTexts } from './texts';
import { TransactionPanels } from './transactionPanels';

export type TransactionPorts = SendingPorts & Pick<ResponsesArea, 'responses' | 'onDidFetchIdl'>;

export function createTransactions({ context, log, own }: Host, ports: TransactionPorts): CommandTable {
  const { responses, endpoints, runs, onDidFetchIdl } = ports;
  const server = ports.server.ready;
  const texts = own(new TransactionTexts(server));
  const panels = own(
    new TransactionPanels({
      extensionUri: context.extensionUri,
      log,
      server,
      responses,
      runs,
      endpoint: () => activeEndpoint(ports),
      openLog: (hello) => texts.openLog(hello),
      compare: (hello, shown) => compareWith({ ...ports, compare: (a, b) => texts.compare(a, b) }, hello, shown),
    }),
  );
  const replays = new ReplayCommands({ server, endpoints, show: (hello) => panels.show(hello) });
  own(panels.onDidAskReplay((ask) => void replays.take(ask)));
  own(onDidFetchIdl(() => panels.decodeAgain()));
  own(createTransactionHover(responses, server));
  return {
    ...transactionCommands({ ...ports, show: (hello) => panels.show(hello) }),
    ...replays.commands,
  };
}

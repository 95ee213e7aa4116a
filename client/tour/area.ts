// The first steps: the tour, the examples and new request files.
import * as vscode from 'vscode';
import type { CommandTable } from '../shared/command';
import type { Host } from '../shared/host';
import { exampleCopies, guideCommands, type GuideDeps } from './guide';
import { Tour } from './tour';

export interface TourPorts extends Pick<GuideDeps, 'ready' | 'sendAll'> {
  readonly startLocal: () => Promise<unknown>;
}

export function createTour({ context, contexts, log, own }: Host, { startLocal, ...sending }: TourPorts): CommandTable {
  const examples = vscode.Uri.joinPath(context.extensionUri, 'examples');
  const opened = exampleCopies(examples);
  const tour = own(new Tour({ context, contexts, log, startLocal, opened }));
  return { ...tour.commands, ...guideCommands({ examples, opened, ...sending }) };
}

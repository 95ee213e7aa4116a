// Answers the process that started this one: a line `slot` on stdin gives a line `{"slot":N}` on stdout, on a fork with
// `"fetched":N` added, the number of accounts fetched from its source. A parent that shows the ledger's progress so needs no
// socket and no key, and its questions do not count as usage.
import { createInterface } from 'node:readline';
import type { Ledger } from './ledger/ledger';

/** Follows the newest block's slot and reports it on request; other lines are ignored. */
export function answerParent(
  { events, fork }: Pick<Ledger, 'events' | 'fork'>,
  { stdin, stdout }: { readonly stdin: NodeJS.ReadableStream; readonly stdout: NodeJS.WritableStream },
): void {
  let newest: number | null = null;
  events.on((event) => {
    if (event.kind === 'slot' && event.status === 'processed') newest = event.slot;
  });
  createInterface({ input: stdin }).on('line', (line) => {
    if (line.trim() === 'slot') stdout.write(`${JSON.stringify({ slot: newest, fetched: fork?.fetched })}\n`);
  });
}

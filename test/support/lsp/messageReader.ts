// Messages from a server as the tests read them.
import type { Readable } from 'node:stream';
import { StreamMessageReader } from 'vscode-jsonrpc/node';

/**
 * Waits for the rest of a message without a timer: a server that ends in the middle of one never sends it, and the timer
 * would keep the test's process alive for ever.
 */
export function messageReader(stream: Readable): StreamMessageReader {
  const reader = new StreamMessageReader(stream);
  reader.partialMessageTimeout = 0;
  return reader;
}

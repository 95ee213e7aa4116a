// Reads the envelope of a message from a page before it is trusted: its kind, and the number of a request. Does not know the
// panels' own messages. Pure.
import type { FromPage } from '../../protocol/webview';

/** Undefined if the message is not a valid envelope. */
export function readEnvelope(message: unknown): FromPage | undefined {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return undefined;
  const { kind } = message;
  if (kind === 'ready') return { kind };
  if (!('body' in message)) return undefined;
  const { body } = message;
  if (kind === 'notify') return { kind, body };
  if (kind !== 'ask' || !('id' in message) || !Number.isSafeInteger(message.id)) return undefined;
  return { kind, id: message.id as number, body };
}

// What a page sends, read before it is believed: its kind, and of a request its number. Knows no panel's own messages. Pure.
import type { FromPage } from '../../protocol/webview';

/** Undefined where a page's message is none. */
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

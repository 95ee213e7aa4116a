// Results whose numbers keep every digit on their way to the editor: JSON.stringify knows doubles alone. Knows nothing of
// what is in them.
import type { ContentTypeEncoder, Message } from 'vscode-languageserver/node';

/** The result of a request that is JSON text already. */
export class ExactResult {
  constructor(readonly json: string) {}
}

/** Writes messages as the protocol has it. */
export const exactEncoder: ContentTypeEncoder = {
  name: 'application/json',
  encode: (message) => Promise.resolve(Buffer.from(textOf(message), 'utf8')),
};

function textOf(message: Message & { readonly id?: unknown; readonly result?: unknown }): string {
  if (!(message.result instanceof ExactResult)) return JSON.stringify(message);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${message.result.json}}`;
}

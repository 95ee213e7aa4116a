// An update as JSON text, as received: the result of a notification, or the message of a gRPC stream.
import { parseJson, printJson } from '../../solana/json/json';
import { resultText } from './pubsub';
import { utf8Text } from './shape';
import type { StreamRequest } from './shapes';

type TextOf = (bytes: Uint8Array, start: number, end: number) => string;

/** `textOfMessage`: the message of a gRPC path as JSON; undefined if it cannot be read. Bytes that are not JSON become a text. */
export const updateText =
  (
    { transport, method }: StreamRequest,
    textOfMessage: (path: string, bytes: Uint8Array) => string | undefined,
  ): TextOf =>
  (bytes, start, end) =>
    (transport === 'GRPC' ? textOfMessage(method, bytes.subarray(start, end)) : resultText(bytes, start, end)) ??
    jsonOf(utf8Text(bytes, start, end));

function jsonOf(text: string): string {
  try {
    return printJson(parseJson(text));
  } catch {
    return printJson(text);
  }
}

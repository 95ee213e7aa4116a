// Updates of a gRPC stream as JSON text, and back.
import { bytesOfJson, type ProtoJson } from '../../proto/json';
import { grpcCall, messageText } from '../../core/solana/json/grpcMessage';

/** The text of an update of this call; undefined if the bytes are not one. */
export function textOfUpdate(path: string, bytes: Uint8Array): string | undefined {
  const call = grpcCall(path);
  try {
    return call === undefined ? undefined : messageText(call.output, bytes);
  } catch {
    return undefined;
  }
}

/** The bytes of an update of this call, written as proto3 JSON (bytes in base64). Throws if it does not fit. */
export function bytesOfUpdate(path: string, json: ProtoJson): Uint8Array {
  const call = grpcCall(path);
  if (call === undefined) throw new Error(`There is no call ${path}.`);
  return bytesOfJson(call.output, json);
}

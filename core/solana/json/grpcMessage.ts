// The messages of a gRPC call as JSON and back: every digit of a 64-bit integer kept, addresses and signatures as base58
// like everywhere else on Solana. Knows the calls of proto/ and no others.
import { Geyser, type DescMessage } from '../../../proto';
import { bytesOfJson, jsonOfBytes, type ProtoJson } from '../../../proto/json';
import { encodeBase58 } from '../encoding/base58';
import { decodeBase64 } from '../encoding/base64';
import { isJsonArray, JsonNumber, parseJson, type JsonValue } from './json';

export interface GrpcCall {
  /** `package.Service/Method`. */
  readonly path: string;
  readonly input: DescMessage;
  readonly output: DescMessage;
  readonly isStream: boolean;
  /** The client may send more than its request: pings, new filters. */
  readonly isDuplex: boolean;
}

/** The call of that path; undefined if proto/ does not describe it. */
export function grpcCall(path: string): GrpcCall | undefined {
  const method = Geyser.methods.find(({ name }) => path === `${Geyser.typeName}/${name}`);
  if (method === undefined) return undefined;
  const { input, output, methodKind } = method;
  return { path, input, output, isStream: methodKind !== 'unary', isDuplex: methodKind === 'bidi_streaming' };
}

/** Every path, as it is written on a request line. */
export const grpcPaths = (): readonly string[] => Geyser.methods.map(({ name }) => `${Geyser.typeName}/${name}`);

export type EncodedMessage =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** `reason` is the end of a sentence. */
  | { readonly ok: false; readonly reason: string };

/** The request message of a body. Nothing goes through a double: an integer stays the digits it was written with. */
export function encodeRequest({ input }: GrpcCall, body: string): EncodedMessage {
  try {
    return { ok: true, bytes: bytesOfJson(input, exact(parseJson(body))) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'it cannot be read' };
  }
}

/** A name that is not an ordinary member of an object: the runtime would lose its value. */
const UNUSABLE = '__proto__';

/** A fraction or exponent that fits a double; the runtime refuses it if an integer is expected and it is not one. */
const isPlain = (value: JsonNumber): boolean =>
  value.toBigInt() === undefined && Math.abs(value.toNumber()) <= Number.MAX_SAFE_INTEGER;

function exact(value: JsonValue): ProtoJson {
  if (value instanceof JsonNumber) return isPlain(value) ? value.toNumber() : value.text;
  if (value === null || typeof value !== 'object') return value;
  if (isJsonArray(value)) return value.map(exact);
  if (Object.hasOwn(value, UNUSABLE)) throw new Error(`"${UNUSABLE}" cannot be used as a name`);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, exact(item)]));
}

/** A message as JSON text. Throws as decodeMessage does. */
export function messageText(description: DescMessage, bytes: Uint8Array): string {
  return JSON.stringify(jsonOfBytes(description, bytes, asBase58));
}

/** Fields that hold addresses, hashes and signatures (yellowstone-grpc, geyser.proto). */
const BASE58_FIELDS = new Set([
  'geyser.SubscribeUpdateAccountInfo.pubkey',
  'geyser.SubscribeUpdateAccountInfo.owner',
  'geyser.SubscribeUpdateAccountInfo.txn_signature',
  'geyser.SubscribeUpdateTransactionInfo.signature',
  'geyser.SubscribeUpdateTransactionStatus.signature',
  'geyser.SubscribeUpdateEntry.hash',
  'geyser.SubscribeUpdateBlockFooter.bank_hash',
  'geyser.SubscribeUpdateEntryUpdateParent.parent_block_id',
  'geyser.SubscribeUpdateContactInfoNode.pubkey',
  'geyser.SubscribeUpdateContactInfoRemoved.pubkey',
  'geyser.SubscribePreprocessedTransactionInfo.signature',
  'geyser.SubscribeUpdateDeshredTransactionInfo.signature',
  'geyser.SubscribeUpdateDeshredTransactionInfo.loaded_writable_addresses',
  'geyser.SubscribeUpdateDeshredTransactionInfo.loaded_readonly_addresses',
  'solana.storage.ConfirmedBlock.Transaction.signatures',
  'solana.storage.ConfirmedBlock.Message.account_keys',
  'solana.storage.ConfirmedBlock.Message.recent_blockhash',
  'solana.storage.ConfirmedBlock.MessageAddressTableLookup.account_key',
  'solana.storage.ConfirmedBlock.TransactionStatusMeta.loaded_writable_addresses',
  'solana.storage.ConfirmedBlock.TransactionStatusMeta.loaded_readonly_addresses',
  'solana.storage.ConfirmedBlock.ReturnData.program_id',
]);

function asBase58(field: string, base64: string): string | undefined {
  if (!BASE58_FIELDS.has(field)) return undefined;
  const bytes = decodeBase64(base64);
  return bytes?.length === 32 || bytes?.length === 64 ? encodeBase58(bytes) : undefined;
}

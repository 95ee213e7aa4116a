// An account as it is now, as a message of the stream that watches it: read when the stream stands, and again after a
// break that nothing is told about. Over gRPC and WebSocket alike.
import type { PlacedProfile } from '../../core/profile';
import type { PreparedRequest } from '../../core/run/model';
import { decodeBase58 } from '../../core/values/base58';
import { isJsonArray, JsonNumber, member, printJson, type JsonValue } from '../../core/values/json';
import type { Net } from '../../net/api';
import type { ProtoJson } from '../../proto/json';
import { askAccount, COMMITMENT, jsonRpc, PLAIN } from '../accountInfo';

/** The node is behind what was seen before. */
const BEHIND = -32016;

/** What is subscribed to for an account, with what tells its transactions where the account's updates do not. */
export function accountRequests(
  address: string,
  { profile }: PlacedProfile,
): { readonly request: PreparedRequest; readonly beside?: PreparedRequest } {
  if (profile.wsUrl === undefined && profile.grpcUrl !== undefined) {
    const method = 'geyser.Geyser/Subscribe';
    const body = `{"accounts":{"account":{"account":["${address}"]}},"commitment":"CONFIRMED"}`;
    return { request: { ...PLAIN, transport: 'GRPC', method, body } };
  }
  return {
    request: webSocket('accountSubscribe', `["${address}",{"encoding":"base64","commitment":"${COMMITMENT}"}]`, 1),
    beside: webSocket('logsSubscribe', `[{"mentions":["${address}"]},{"commitment":"${COMMITMENT}"}]`, 2),
  };
}

const webSocket = (method: string, params: string, id: number): PreparedRequest => ({
  transport: 'WS',
  ...jsonRpc(method, params, id),
});

export type AccountNow =
  | { readonly kind: 'account'; readonly slot: number; readonly bytes: Buffer }
  /** The node has not got as far as what was seen before. */
  | { readonly kind: 'behind' }
  | { readonly kind: 'unread' };

export interface Reading {
  readonly net: Pick<Net, 'call'>;
  readonly placed: PlacedProfile;
  readonly address: string;
  /** The stream whose messages are to be made. */
  readonly transport: 'WS' | 'GRPC';
  /** Nothing older is of use. */
  readonly minSlot?: number;
  readonly toUpdate: (json: ProtoJson) => Uint8Array;
}

/** Reads the account and makes a message of it, as the stream would have told it. */
export async function readAccount(
  { net, placed, address, transport, minSlot, toUpdate }: Reading,
  signal: AbortSignal,
): Promise<AccountNow> {
  const question = { net, placed, address, ...(minSlot !== undefined && { minSlot }) };
  const answer = await askAccount(question, signal);
  if (answer.kind === 'failed') {
    const { error } = answer;
    return { kind: error.kind === 'rpc' && error.code === BEHIND ? 'behind' : 'unread' };
  }
  const { slot, value } = answer;
  if (transport === 'GRPC') {
    const update = updateOf(address, slot, value);
    if (update === undefined) return { kind: 'unread' };
    return { kind: 'account', slot, bytes: Buffer.from(toUpdate(update)) };
  }
  const told = `{"result":{"context":{"slot":${slot}},"value":${printJson(value)}},"subscription":0}`;
  const text = `{"jsonrpc":"2.0","method":"accountNotification","params":${told}}`;
  return { kind: 'account', slot, bytes: Buffer.from(text) };
}

/** proto3 JSON of an update: bytes as base64, 64-bit integers as text. An account that is not there is an empty one. */
function updateOf(address: string, slot: number, value: JsonValue): ProtoJson | undefined {
  const key = decodeBase58(address);
  const owner = decodeBase58(textOf(member(value, 'owner')) || '1'.repeat(32));
  if (key === undefined || owner === undefined) return undefined;
  const data = member(value, 'data');
  return {
    filters: ['account'],
    account: {
      account: {
        pubkey: Buffer.from(key).toString('base64'),
        owner: Buffer.from(owner).toString('base64'),
        lamports: digitsOf(member(value, 'lamports')),
        executable: member(value, 'executable') === true,
        rentEpoch: digitsOf(member(value, 'rentEpoch')),
        data: isJsonArray(data) ? textOf(data[0]) : '',
      },
      slot: String(slot),
    },
  };
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const digitsOf = (value: JsonValue | undefined): string =>
  value instanceof JsonNumber ? value.text : typeof value === 'number' ? String(value) : '0';

// Reads an account as a message of the stream that watches it: when the stream opens, and after a break without a replay.
// Over gRPC and WebSocket alike.
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { AccountNow } from '../../core/service/streams/sink';
import { decodeBase58 } from '../../core/solana/encoding/base58';
import { isJsonArray, JsonNumber, member, printJson, type JsonValue } from '../../core/solana/json/json';
import type { Net, NetClock } from '../api';
import type { ProtoJson } from '../../proto/json';
import { ACCOUNT_TIMEOUT_MS, askAccount, COMMITMENT, type StreamEncoding } from './accountInfo';

/** The node is behind a slot seen earlier. */
const BEHIND = -32016;

/** Delay and number of retries for a node that is behind. */
const BEHIND_MS = 1_000;
const BEHIND_TRIES = 10;

/** The subscription of an account, and a second one for its transactions if its updates do not name them. */
export function accountRequests(
  address: string,
  { profile }: Pick<PlacedProfile, 'profile'>,
  { encoding = 'base64', transport }: { readonly encoding?: StreamEncoding; readonly transport?: 'GRPC' } = {},
): { readonly request: PreparedRequest; readonly beside?: PreparedRequest } {
  if (transport === 'GRPC' || (profile.wsUrl === undefined && profile.grpcUrl !== undefined)) {
    const method = 'geyser.Geyser/Subscribe';
    const body = `{"accounts":{"account":{"account":["${address}"]}},"commitment":"CONFIRMED"}`;
    return { request: { ...PLAIN, transport: 'GRPC', method, body } };
  }
  return {
    request: webSocket('accountSubscribe', `["${address}",{"encoding":"${encoding}","commitment":"${COMMITMENT}"}]`, 1),
    beside: webSocket('logsSubscribe', `[{"mentions":["${address}"]},{"commitment":"${COMMITMENT}"}]`, 2),
  };
}

const PLAIN = { ids: [], isBatch: false, headers: [], timeoutMs: ACCOUNT_TIMEOUT_MS } as const;

const webSocket = (method: string, params: string, id: number): PreparedRequest => ({
  ...PLAIN,
  transport: 'WS',
  method,
  ids: [String(id)],
  body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`,
});

export interface AccountReading {
  readonly net: Pick<Net, 'call'>;
  readonly clock: NetClock;
  readonly placed: PlacedProfile;
  readonly address: string;
  /** The stream whose messages are to be made. */
  readonly request: PreparedRequest;
  /** Over gRPC there is but one. */
  readonly encoding?: StreamEncoding;
  readonly toUpdate: (path: string, json: ProtoJson) => Uint8Array;
}

/**
 * Reads the account as a message of its stream: when the stream opens, and after a break since a slot; retries while the node
 * is behind. Reads nothing without an endpoint of RPC, nor where the service replays what was missed.
 */
export async function readAccount(
  reading: AccountReading,
  sinceSlot: number | undefined,
  signal: AbortSignal,
): Promise<AccountNow> {
  const { placed, request, clock } = reading;
  const isReplayed = sinceSlot !== undefined && request.transport === 'GRPC';
  if (placed.profile.rpcUrl === undefined || isReplayed) return { kind: 'unread' };
  for (let tries = 1; ; tries++) {
    const now = await readOnce(reading, sinceSlot, signal);
    if (now.kind !== 'behind' || tries === BEHIND_TRIES || signal.aborted) return now;
    await clock.sleep(BEHIND_MS, signal).catch(() => undefined);
  }
}

async function readOnce(
  { net, placed, address, request: { transport, method }, encoding = 'base64', toUpdate }: AccountReading,
  minSlot: number | undefined,
  signal: AbortSignal,
): Promise<AccountNow> {
  const answer = await askAccount(
    {
      net,
      placed,
      address,
      encoding: transport === 'GRPC' ? 'base64' : encoding,
      ...(minSlot !== undefined && minSlot >= 0 && { minSlot }),
    },
    signal,
  );
  if (!answer.ok) {
    const { error } = answer;
    return { kind: error.kind === 'rpc' && error.code === BEHIND ? 'behind' : 'unread' };
  }
  const { slot, value } = answer.value;
  if (transport === 'GRPC') {
    const update = updateOf(address, slot, value);
    if (update === undefined) return { kind: 'unread' };
    return { kind: 'account', bytes: toUpdate(method, update) };
  }
  const notification = `{"result":{"context":{"slot":${slot}},"value":${printJson(value)}},"subscription":0}`;
  const text = `{"jsonrpc":"2.0","method":"accountNotification","params":${notification}}`;
  return { kind: 'account', bytes: Buffer.from(text) };
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

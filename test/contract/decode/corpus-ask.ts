// Sends calls of the corpus to the local service over HTTP and the WebSocket, and says how it took them.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  isJsonArray,
  isJsonObject,
  member,
  parseJson,
  printJson,
  type JsonValue,
} from '../../../core/solana/json/json';
import type { Localnet } from '../../support/process/localnet';

/** The first error of the answer, or nothing. */
export interface Taken {
  readonly code: number;
  readonly message: string;
}

export interface Asker {
  http(body: JsonValue, key?: string): Promise<Taken | undefined>;
  ws(body: JsonValue): Promise<Taken | undefined>;
  close(): void;
}

/** Represents a signature that does not verify, which has no separate code. */
export const BAD_SIGNATURE = 0;

/** As it is sent: with the version and an id where the block has none. */
function completed(body: JsonValue, id: number): JsonValue {
  if (isJsonArray(body)) return body.map((one, at) => completed(one, id + at));
  return isJsonObject(body) ? { jsonrpc: '2.0', id, ...body } : body;
}

function errorIn(answer: JsonValue): Taken | undefined {
  const answers = isJsonArray(answer) ? answer : [answer];
  // A signature that does not verify is named in a failed preflight, or in the result of a simulation.
  const forged = answers.some(
    (one) =>
      member(member(member(one, 'error'), 'data'), 'err') === 'SignatureFailure' ||
      member(member(member(one, 'result'), 'value'), 'err') === 'SignatureFailure',
  );
  if (forged) return { code: BAD_SIGNATURE, message: 'SignatureFailure' };
  const error = answers.map((one) => member(one, 'error')).find((one) => one !== undefined);
  if (error === undefined) return undefined;
  return { code: Number(member(error, 'code')), message: printJson(member(error, 'message') ?? '').slice(1, -1) };
}

/** Keys by turns, so that no plan's limit is in the way. */
const KEYS = 12;
/** Far from any id that a block sets itself. */
const FIRST_ID = 1_000_000_000;

export async function openAsker(local: Localnet): Promise<Asker> {
  const keys: string[] = [];
  for (let at = 0; at < KEYS; at++) keys.push((await local.newKey({ type: 'rpc', plan: 'Shared Metal' })).key);
  let turn = 0;
  let socket: WebSocket | undefined;
  const opened = async (): Promise<WebSocket> => {
    if (socket?.readyState === WebSocket.OPEN) return socket;
    socket = new WebSocket(local.ready.wsUrl, { headers: { authorization: `Bearer ${local.ready.keys.rpc.key}` } });
    await once(socket, 'open');
    return socket;
  };
  return {
    http: async (body, key) => {
      const used = key ?? keys[turn++ % KEYS] ?? '';
      const answer = await local.post(printJson(completed(body, FIRST_ID)), { authorization: `Bearer ${used}` });
      return errorIn(answer.json);
    },
    ws: async (body) => {
      const { socket: open, id } = { socket: await opened(), id: FIRST_ID + ++turn };
      const answer = new Promise<JsonValue>((resolve) => {
        const look = (data: Buffer): void => {
          const message = parseJson(data.toString('utf8'));
          const isAnswer = isJsonArray(message) || member(message, 'method') === undefined;
          if (!isAnswer) return;
          open.off('message', look);
          resolve(message);
        };
        open.on('message', look);
      });
      open.send(printJson(completed(body, id)));
      const message = await answer;
      const result = member(message, 'result');
      const method = member(body, 'method');
      // Closes every subscription that was opened: the number per connection is limited.
      if (typeof result === 'number' && typeof method === 'string' && method.endsWith('Subscribe'))
        open.send(printJson({ jsonrpc: '2.0', method: method.replace('Subscribe', 'Unsubscribe'), params: [result] }));
      return errorIn(message);
    },
    close: () => socket?.terminate(),
  };
}

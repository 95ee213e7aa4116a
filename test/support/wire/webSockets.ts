// Short ways to a subscription for the tests of the WebSocket transport: opening, reading, and a service that answers.
import assert from 'node:assert/strict';
import type http from 'node:http';
import type { WebSocket } from 'ws';
import type { ServiceError } from '../../../core/errors';
import type { PreparedRequest } from '../../../core/run/model';
import type { JsonValue } from '../../../core/values/json/json';
import type { NetOptions, Subscription, Target } from '../../../net/api';
import { settle } from '../../../net/target/target';
import { webSocketServer } from './hostile';
import { assertNoKey, request, withNet } from './wire';

export const signal = new AbortController().signal;

export const asking = (method: string, params = '[]', change: Partial<PreparedRequest> = {}): PreparedRequest =>
  request({
    transport: 'WS',
    method,
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
    ...change,
  });

export function targetOf(wsUrl: string, asked: PreparedRequest, auth?: 'query' | 'path'): Target {
  const profile = { name: 'test', wsUrl, ...(auth === undefined ? {} : { auth: { ws: auth } }) };
  const target = settle({ profile, source: 'user' }, asked);
  assert.ok(target.ok, target.ok ? '' : target.error.message);
  return target.value;
}

export interface Opening {
  readonly asked?: PreparedRequest;
  readonly options?: Partial<NetOptions>;
  readonly auth?: 'query' | 'path';
  readonly signal?: AbortSignal;
}

/** Opens a subscription, works with it and closes all. An opening that fails gives its error. */
export async function opened(
  wsUrl: string,
  opening: Opening,
  work: (stream: Subscription) => Promise<void>,
): Promise<ServiceError | undefined> {
  const asked = opening.asked ?? asking('slotSubscribe');
  return withNet(opening.options ?? {}, async (net) => {
    const target = targetOf(wsUrl, asked, opening.auth);
    const stream = await net.open(target, asked, { signal: opening.signal ?? signal });
    assertNoKey(stream);
    if (!stream.ok) return stream.error;
    await work(stream.value);
    await stream.value.close();
    return undefined;
  });
}

/** The first `count` messages, or fewer where the stream ends before. */
export async function take(stream: Subscription, count: number): Promise<readonly JsonValue[]> {
  const taken: JsonValue[] = [];
  for await (const message of stream.messages()) {
    taken.push(message);
    if (taken.length === count) break;
  }
  return taken;
}

export const confirm = (socket: WebSocket, id = '7'): void => socket.send(`{"jsonrpc":"2.0","result":${id},"id":1}`);
export const notify = (socket: WebSocket, result: string, id = '7'): void =>
  socket.send(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":${result},"subscription":${id}}}`);

/** Serves, opens, and gives what came of it. */
export async function against(
  serve: (socket: WebSocket, text: string, request: http.IncomingMessage) => void,
  work: (stream: Subscription) => Promise<void> = () => Promise.reject(new Error('It was opened.')),
  opening: Opening = {},
): Promise<ServiceError | undefined> {
  const server = await webSocketServer(serve);
  try {
    return await opened(server.origin, opening, work);
  } finally {
    await server.close();
  }
}

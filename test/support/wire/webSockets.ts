// Short ways to a subscription for the tests of the WebSocket transport: opening, reading, and a service that answers.
import assert from 'node:assert/strict';
import type { WebSocket } from 'ws';
import type { Result, ServiceError } from '../../../core/service/errors';
import type { PreparedRequest } from '../../../core/requests/run/model';
import type { JsonValue } from '../../../core/solana/json/json';
import type { NetOptions, Subscription, SendTarget } from '../../../net/api';
import { settle } from '../../../net/target/target';
import { webSocketServer } from './hostile';
import { assertNoKey, refusalOf, request, withNet, worked } from './wire';

export const signal = new AbortController().signal;

export const asking = (method: string, params = '[]', change: Partial<PreparedRequest> = {}): PreparedRequest =>
  request({
    transport: 'WS',
    method,
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
    ...change,
  });

export function targetOf(wsUrl: string, asked: PreparedRequest, auth?: 'query' | 'path'): SendTarget {
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

function opening<T>(
  wsUrl: string,
  { asked = asking('slotSubscribe'), options = {}, auth, signal: until = signal }: Opening,
  settle: (stream: Result<Subscription>) => T | Promise<T>,
): Promise<T> {
  return withNet(options, async (net) => {
    const stream = await net.open(targetOf(wsUrl, asked, auth), asked, { signal: until });
    assertNoKey(stream);
    return settle(stream);
  });
}

/** Opens a subscription, works with it and closes all. An opening that fails is a failure of the test. */
export const opened = (wsUrl: string, how: Opening, work: (stream: Subscription) => Promise<void>): Promise<void> =>
  opening(wsUrl, how, (stream) => worked(stream, work));

/** The error of an opening that must fail. */
export const refusedOpening = (wsUrl: string, how: Opening = {}): Promise<ServiceError> =>
  opening(wsUrl, how, refusalOf);

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

type ServeText = Parameters<typeof webSocketServer>[0];

async function served<T>(serve: ServeText, ask: (wsUrl: string) => Promise<T>): Promise<T> {
  const server = await webSocketServer(serve);
  try {
    return await ask(server.origin);
  } finally {
    await server.close();
  }
}

/** Serves, opens and works. An opening that fails is a failure of the test. */
export const against = (
  serve: ServeText,
  work: (stream: Subscription) => Promise<void>,
  how: Opening = {},
): Promise<void> => served(serve, (wsUrl) => opened(wsUrl, how, work));

/** Serves; the error of an opening that must fail. */
export const refusedBy = (serve: ServeText, how: Opening = {}): Promise<ServiceError> =>
  served(serve, (wsUrl) => refusedOpening(wsUrl, how));

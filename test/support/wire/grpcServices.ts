// gRPC services on loopback that misbehave, and helpers to call them. Only the wire: they use none of our transports.
import { once } from 'node:events';
import http2, { type Http2Session, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { SecureServerOptions } from 'node:http2';
import assert from 'node:assert/strict';
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { Result, ServiceError } from '../../../core/service/errors';
import type { AuthForm } from '../../../core/service/keys/authForm';
import type { GrpcCompression } from '../../../core/service/profiles/profile';
import type { Exchange, PreparedRequest } from '../../../core/requests/run/model';
import type { NetOptions, Subscription, SendTarget } from '../../../net/api';
import type { GrpcClientName } from '../../../net/api';
import { settle } from '../../../net/target/target';
import { SubscribeRequestSchema, SubscribeUpdateSchema, type SubscribeRequest } from '../../../proto';
import type { Hostile } from './hostile';
import { assertNoKey, KEY, keysOf, refusalOf, request, withNet, worked } from './wire';

export interface Call {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  /** The connection it came on. */
  readonly session: Http2Session;
  /** The request messages so far, as bytes. */
  readonly messages: readonly Buffer[];
}

/** Called once the first message of a call is there. */
export type Serve = (call: Call) => void;

/** With certificates behind TLS, else in the clear. `rest` sees further messages of a call. */
export async function grpcService(
  serve: Serve,
  options: { readonly tls?: SecureServerOptions; readonly rest?: (call: Call, message: Buffer) => void } = {},
): Promise<Hostile> {
  const server = options.tls === undefined ? http2.createServer() : http2.createSecureServer(options.tls);
  const sessions = new Set<Http2Session>();
  server.on('session', (session: Http2Session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session)).on('error', () => undefined);
  });
  server.on('sessionError', () => undefined).on('tlsClientError', () => undefined);
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const { session } = stream;
    if (session === undefined) return;
    const messages: Buffer[] = [];
    let got = Buffer.alloc(0);
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk]);
      while (got.length >= 5 && got.length >= 5 + got.readUInt32BE(1)) {
        const message = got.subarray(5, 5 + got.readUInt32BE(1));
        got = got.subarray(5 + message.length);
        messages.push(message);
        const call = { stream, headers, session, messages };
        if (messages.length === 1) serve(call);
        else options.rest?.(call, message);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

const HEAD = { ':status': 200, 'content-type': 'application/grpc' };

/** A message as it goes over the wire. */
export function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** A block of 900,000 empty transactions. */
export const MANY_TRANSACTIONS = framed(
  Buffer.concat([Buffer.from('2ac0ee6d', 'hex'), Buffer.alloc(1_800_000, '3200', 'hex')]),
);

/** The head of an answer; trailers with this status follow when the stream ends. */
export function begin(
  stream: ServerHttp2Stream,
  status: Readonly<Record<string, string>> = { 'grpc-status': '0' },
): void {
  stream.respond(HEAD, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(status));
}

/** A whole answer of these bytes. */
export function answer(stream: ServerHttp2Stream, bytes: Uint8Array, status?: Readonly<Record<string, string>>): void {
  begin(stream, status);
  stream.end(bytes);
}

export const update = (message: MessageInitShape<typeof SubscribeUpdateSchema>): Buffer =>
  framed(toBinary(SubscribeUpdateSchema, create(SubscribeUpdateSchema, message)));

export const slotUpdate = (slot: bigint): Buffer =>
  update({ filters: ['all'], updateOneof: { case: 'slot', value: { slot } } });

export const requestOf = (message: Buffer): SubscribeRequest => fromBinary(SubscribeRequestSchema, message);

export const GET_SLOT = 'geyser.Geyser/GetSlot';
export const SUBSCRIBE = 'geyser.Geyser/Subscribe';

export const asking = (method: string, body = '{}', change: Partial<PreparedRequest> = {}): PreparedRequest =>
  request({ transport: 'GRPC', method, body, ids: [], ...change });

export function grpcTarget(
  grpcUrl: string,
  asked: PreparedRequest,
  { auth, compression }: Pick<Calling, 'auth' | 'compression'> = {},
): SendTarget {
  const profile = {
    name: 'test',
    grpcUrl,
    ...(auth === undefined ? {} : { auth: { grpc: auth } }),
    ...(compression === undefined ? {} : { grpcCompression: compression }),
  };
  const target = settle({ profile, source: 'user' }, asked);
  assert.ok(target.ok, target.ok ? '' : target.error.message);
  return target.value;
}

const never = new AbortController().signal;
const keys = keysOf({ grpc: KEY });

export interface Calling {
  /** Default: the client that suits the call. */
  readonly client?: GrpcClientName;
  readonly asked?: PreparedRequest;
  readonly options?: Partial<NetOptions>;
  readonly auth?: AuthForm;
  /** Of the endpoint's profile. */
  readonly compression?: GrpcCompression;
  readonly signal?: AbortSignal;
}

const optionsOf = ({ client, options }: Calling): Partial<NetOptions> => ({
  keys,
  ...(client === undefined ? {} : { grpcClient: client }),
  ...options,
});

/** Both clients: what holds for gRPC holds for each. */
export const CLIENTS: readonly GrpcClientName[] = ['grpc-js', 'http2'];

/** Calls and streams through one client. */
export const through = (client: GrpcClientName) => ({
  callGrpc: (grpcUrl: string, calling: Calling = {}) => callGrpc(grpcUrl, { client, ...calling }),
  openedGrpc: (grpcUrl: string, calling: Calling, work: (stream: Subscription) => Promise<void>) =>
    openedGrpc(grpcUrl, { client, ...calling }, work),
  refusedGrpc: (grpcUrl: string, calling: Calling = {}) => refusedGrpc(grpcUrl, { client, ...calling }),
});

/** One unary call. */
export async function callGrpc(grpcUrl: string, calling: Calling = {}): Promise<Result<Exchange>> {
  const asked = calling.asked ?? asking(GET_SLOT);
  const answered = await withNet(optionsOf(calling), (net) =>
    net.call(grpcTarget(grpcUrl, asked, calling), asked, { signal: calling.signal ?? never }),
  );
  assertNoKey(answered);
  return answered;
}

function opening<T>(
  grpcUrl: string,
  calling: Calling,
  settle: (stream: Result<Subscription>) => T | Promise<T>,
): Promise<T> {
  const asked = calling.asked ?? asking(SUBSCRIBE, '{"slots":{"all":{}}}');
  return withNet(optionsOf(calling), async (net) => {
    const stream = await net.open(grpcTarget(grpcUrl, asked, calling), asked, { signal: calling.signal ?? never });
    assertNoKey(stream);
    return settle(stream);
  });
}

/** Opens a stream, works with it and closes all. An opening that fails is a failure of the test. */
export const openedGrpc = (
  grpcUrl: string,
  calling: Calling,
  work: (stream: Subscription) => Promise<void>,
): Promise<void> => opening(grpcUrl, calling, (stream) => worked(stream, work));

/** The error of an opening that must fail. */
export const refusedGrpc = (grpcUrl: string, calling: Calling = {}): Promise<ServiceError> =>
  opening(grpcUrl, calling, refusalOf);

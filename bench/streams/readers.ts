// The ways to take a stream of account updates, each until so many have come: ours into a ring, and those it is compared
// with. Every way counts every update.
import { createRequire } from 'node:module';
import path from 'node:path';
import { credentials, makeGenericClientConstructor } from '@grpc/grpc-js';
import { create, toBinary } from '@bufbuild/protobuf';
import { WebSocket } from 'ws';
import type { PreparedRequest } from '../../core/requests/run/model';
import { createNet } from '../../net/transports';
import type { GrpcClientName } from '../../net/api';
import { settle } from '../../net/target/target';
import { SubscribeRequestSchema } from '../../proto';
import { Ring } from '../../runner/streams/ring';
import { shapeOf } from '../../core/service/streams/shapes';
import type { Ports } from './serve';

/** Reads `count` updates and gives how many came a second. */
export type Reader = (ports: Ports, count: number) => Promise<number>;

const ADDRESS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SUBSCRIBE = 'geyser.Geyser/Subscribe';
const PLAIN = { ids: ['1'], isBatch: false, headers: [], timeoutMs: 10_000 } as const;

const GRPC: PreparedRequest = {
  ...PLAIN,
  transport: 'GRPC',
  method: SUBSCRIBE,
  body: '{"accounts":{"all":{}}}',
};
const WS: PreparedRequest = {
  ...PLAIN,
  transport: 'WS',
  method: 'accountSubscribe',
  body: `{"jsonrpc":"2.0","id":1,"method":"accountSubscribe","params":["${ADDRESS}",{"encoding":"base64"}]}`,
};

/** Counts to `count`; the clock runs from the first one on. */
function counter(count: number): { readonly done: Promise<number>; readonly one: () => void } {
  let seen = 0;
  let since = 0;
  let finish: (perSecond: number) => void = () => undefined;
  const done = new Promise<number>((resolve) => (finish = resolve));
  return {
    done,
    one: () => {
      if (seen++ === 0) since = performance.now();
      if (seen === count) finish((count / (performance.now() - since)) * 1_000);
    },
  };
}

/** Our way: the bytes into a ring, the slot of each read. `grpcClient`: default, the HTTP/2 client. */
export const intoRing =
  (transport: 'GRPC' | 'WS', ring = new Ring(), grpcClient: GrpcClientName = 'http2'): Reader =>
  async (ports, count) => {
    const request = transport === 'GRPC' ? GRPC : WS;
    const profile = {
      name: 'bench',
      grpcUrl: `http://127.0.0.1:${ports.grpc}`,
      wsUrl: `ws://127.0.0.1:${ports.ws}`,
      auth: { grpc: 'none', ws: 'none' },
    } as const;
    const target = settle({ profile, source: 'user' }, request);
    if (!target.ok) throw new Error(target.error.message);
    const net = createNet({ keys: { key: () => Promise.resolve({ kind: 'none' }) }, grpcClient });
    const shape = shapeOf(request);
    const { done, one } = counter(count);
    let newest = 0;
    const opened = await net.openRaw(target.value, request, {
      signal: new AbortController().signal,
      take: (bytes, start, end) => {
        const slot = shape.slot(bytes, start, end);
        if (slot > newest) newest = slot;
        ring.add(bytes, start, end, slot);
        one();
      },
    });
    if (!opened.ok) throw new Error(opened.error.message);
    const perSecond = await done;
    await net.close();
    return perSecond;
  };

/** @grpc/grpc-js, whose messages pass as they are. */
export const grpcJs: Reader = async (ports, count) => {
  const asIs = (bytes: Buffer): Buffer => bytes;
  const Client = makeGenericClientConstructor({}, 'Geyser');
  const client = new Client(`127.0.0.1:${ports.grpc}`, credentials.createInsecure(), {
    'grpc-node.flow_control_window': 1024 * 1024,
  });
  const call = client.makeBidiStreamRequest(`/${SUBSCRIBE}`, asIs, asIs);
  const { done, one } = counter(count);
  call.on('error', () => undefined);
  call.on('data', one);
  const request = create(SubscribeRequestSchema, { accounts: { all: {} } });
  call.write(Buffer.from(toBinary(SubscribeRequestSchema, request)));
  const perSecond = await done;
  call.cancel();
  client.close();
  return perSecond;
};

interface YellowstoneStream {
  on(event: string, listener: () => void): void;
  write(request: object, done: (error: unknown) => void): void;
  destroy(): void;
}
interface Yellowstone {
  readonly default: new (
    endpoint: string,
    token: string | undefined,
    options: object | undefined,
  ) => { connect?(): Promise<void>; subscribe(): Promise<YellowstoneStream> };
}

/** @triton-one/yellowstone-grpc, as its users call it. */
export const yellowstone =
  (folder: string): Reader =>
  async (ports, count) => {
    const { default: Client } = createRequire(path.join(folder, 'x.js'))('@triton-one/yellowstone-grpc') as Yellowstone;
    const client = new Client(`http://127.0.0.1:${ports.grpc}`, undefined, undefined);
    await client.connect?.();
    const stream = await client.subscribe();
    const { done, one } = counter(count);
    stream.on('error', () => undefined);
    stream.on('data', one);
    const none = { slots: {}, transactions: {}, transactionsStatus: {}, blocks: {}, blocksMeta: {}, entry: {} };
    const all = { account: [], owner: [], filters: [] };
    stream.write({ ...none, accounts: { all }, accountsDataSlice: [] }, () => undefined);
    const perSecond = await done;
    stream.destroy();
    return perSecond;
  };

/** `ws`, with each message parsed or left as it is. */
export const overWs =
  (isParsed: boolean): Reader =>
  async (ports, count) => {
    const socket = new WebSocket(`ws://127.0.0.1:${ports.ws}`, { perMessageDeflate: false });
    const { done, one } = counter(count);
    socket.on('error', () => undefined);
    socket.on('open', () => socket.send(WS.body));
    socket.on('message', (data: Buffer) => {
      if (isParsed) JSON.parse(data.toString());
      one();
    });
    const perSecond = await done;
    socket.terminate();
    return perSecond;
  };

interface Web3 {
  readonly PublicKey: new (address: string) => object;
  readonly Connection: new (
    url: string,
    options: object,
  ) => {
    onAccountChange(key: object, take: () => void): number;
    readonly _rpcWebSocket: { setAutoReconnect(does: boolean): void; readonly socket: { terminate(): void } };
  };
}

/** @solana/web3.js, as its users call it. */
export const web3 =
  (folder: string): Reader =>
  async (ports, count) => {
    const { Connection, PublicKey } = createRequire(path.join(folder, 'x.js'))('@solana/web3.js') as Web3;
    const connection = new Connection('http://127.0.0.1:1', { wsEndpoint: `ws://127.0.0.1:${ports.ws}` });
    const { done, one } = counter(count);
    connection.onAccountChange(new PublicKey(ADDRESS), one);
    const perSecond = await done;
    // Ends it at once, or it would still read during the next turn; without the first line it would reconnect for ever.
    connection._rpcWebSocket.setAutoReconnect(false);
    connection._rpcWebSocket.socket.terminate();
    return perSecond;
  };

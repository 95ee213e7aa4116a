// The gRPC side of the service: HTTP/2 without TLS on 127.0.0.1, a server of our own over node:http2, because it takes
// keys in the query of the path, sees each stream's backpressure and chooses when headers and trailers go out.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Geyser } from '../../proto';
import type { Fault } from '../faults/rules';
import type { ServiceContext } from '../http/context';
import { statusOfRefusal, admit } from './admit';
import { suspended } from '../keys/access';
import type { ApiKey, EndReason } from '../keys/keyring';
import type { Ledger } from '../ledger/ledger';
import { Call, statusOf } from './call';
import { GossipStream } from './gossip';
import { UpdateLog } from './log';
import { answerFault, updateFault, withFault, writeDamaged } from './faults';
import { boundSessions } from './sessions';
import { GrpcFailure, type Status } from './status';
import { Subscription } from './subscription';
import { decoded, UNARY, type Unary, type UnarySources } from './unary';

const SERVICE_PATH = `/${Geyser.typeName}/`;

/** The methods as usage names them: "geyser.Geyser/GetSlot". */
export const GRPC_METHODS: readonly string[] = Geyser.methods.map(({ name }) => `${SERVICE_PATH.slice(1)}${name}`);

/** Connections, calls of one connection, and Subscribe streams at one time. */
const MAX_SESSIONS = 256;
const MAX_CALLS = 128;
const MAX_STREAMS = 128;
/** How often an open stream gets a ping. */
const PING_MS = 10_000;

/** A stream of the service, whatever it sends. */
interface OpenStream {
  readonly key: ApiKey;
  ping(): void;
  end(status: Status): void;
}

type NextFault = () => Fault | undefined;

export interface GrpcService {
  readonly port: number;
  /** Ends every stream UNAVAILABLE, as a server that goes away; how many there were. */
  drop(): number;
  close(): void;
}

export interface GrpcOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** What messages are compressed with for clients that accept it: names of COMPRESSIONS. */
  readonly compressions: readonly string[];
}

/** Rejects when the port is taken. */
export async function serveGrpc(
  context: ServiceContext,
  ledger: Ledger,
  { port, compressions }: GrpcOptions,
): Promise<GrpcService> {
  const log = new UpdateLog(context.now);
  const sources: UnarySources = { engine: ledger.rpc, log };
  const waiting = { bytes: 0 };
  const framing = { partial: { bytes: 0 }, compressions };
  const open = new Set<OpenStream>();
  const stopFollowing = log.follow(ledger);
  const slot = await ledger.rpc.call('getSlot', [{ commitment: 'processed' }], { staked: false });
  if (slot.ok) log.begin(Number(slot.result));

  const streams: Readonly<Record<string, (call: Call, key: ApiKey, fault: NextFault) => OpenStream>> = {
    [Geyser.method.subscribe.name]: (call, key, fault) =>
      new Subscription(call, key, { log, waiting, now: context.now, fault }),
    [Geyser.method.subscribeGossip.name]: (call, key, fault) => {
      const stream = new GossipStream(call, key, { engine: ledger.rpc, now: context.now, fault });
      readOne(call, (message) => {
        decoded(Geyser.method.subscribeGossip.input, message);
        stream.begin().catch((error: unknown) => call.end(statusOf(error)));
      });
      return stream;
    },
  };

  const serve = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    const call = new Call(stream, headers, framing);
    const refused = notGrpc(headers);
    if (refused !== undefined) {
      if (!call.over) stream.respond({ ':status': refused }, { endStream: true });
      return;
    }
    const admission = admit(context, call, bound.port);
    if (!admission.ok) {
      call.end(admission.status);
      return;
    }
    const { key, path } = admission;
    withFault(context.faults, { method: path.slice(1), keyId: key.keyId }, call, () => make(call, key, path));
  };

  /** Makes a call that was admitted; a fault may have let time pass since. */
  const make = (call: Call, key: ApiKey, path: string): void => {
    if (call.over) return;
    const name = path.startsWith(SERVICE_PATH) ? path.slice(SERVICE_PATH.length) : '';
    const unary = Object.hasOwn(UNARY, name) ? UNARY[name] : undefined;
    const count = (failed: boolean): void => context.meter.record(key.keyId, path.slice(1), failed);
    if (unary !== undefined) {
      answer(
        call,
        unary,
        { ...sources, fault: () => answerFault(context.faults, { method: path.slice(1), keyId: key.keyId }) },
        count,
      );
      return;
    }
    const openStream = Object.hasOwn(streams, name) ? streams[name] : undefined;
    const refusal = openStream === undefined ? unknownMethod(name) : tooMany(open.size);
    count(refusal !== undefined);
    if (openStream === undefined || refusal !== undefined) {
      call.end(refusal ?? unknownMethod(name));
      return;
    }
    const target = { method: path.slice(1), keyId: key.keyId };
    const stream = openStream(call, key, () => updateFault(context.faults, target));
    open.add(stream);
    call.onEnd(() => open.delete(stream));
  };

  const server = createServer({ settings: { maxConcurrentStreams: MAX_CALLS } });
  const closeSessions = boundSessions(server, MAX_SESSIONS);
  server.on('stream', serve);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address() as AddressInfo;

  const endAll = (status: Status, which: (stream: OpenStream) => boolean = () => true): number => {
    const ending = [...open].filter(which);
    for (const stream of ending) stream.end(status);
    return ending.length;
  };
  const endStatus = (keyId: string, reason: EndReason): Status => {
    const key = reason === 'suspended' ? context.keyring.get(keyId) : undefined;
    if (key === undefined) return { code: 'UNAUTHENTICATED', message: `stream closed: key ${reason}` };
    return statusOfRefusal(suspended(key, key.allowance.suspension.wholeSeconds(context.now())));
  };
  const stopKeys = context.keyring.onEnd((keyId, reason) =>
    endAll(endStatus(keyId, reason), ({ key }) => key.keyId === keyId),
  );
  const pings = setInterval(() => open.forEach((stream) => stream.ping()), PING_MS).unref();
  return {
    port: bound.port,
    drop: () => endAll({ code: 'UNAVAILABLE', message: 'the stream was dropped' }),
    close: () => {
      clearInterval(pings);
      stopKeys();
      stopFollowing();
      endAll({ code: 'UNAVAILABLE', message: 'the service is shutting down' });
      server.close();
      closeSessions();
    },
  };
}

/** The HTTP status for what is no gRPC call at all. */
function notGrpc(headers: IncomingHttpHeaders): number | undefined {
  if (headers[':method'] !== 'POST') return 405;
  return headers['content-type']?.startsWith('application/grpc') === true ? undefined : 415;
}

function unknownMethod(name: string): Status {
  const known = Geyser.methods.some((method) => method.name === name);
  const message = known ? `${name} is not available here` : `There is no method ${name.slice(0, 100)}`;
  return { code: 'UNIMPLEMENTED', message };
}

function tooMany(streams: number): Status | undefined {
  return streams < MAX_STREAMS ? undefined : { code: 'RESOURCE_EXHAUSTED', message: 'max subscription limit exceeded' };
}

/** Takes the one message of a call when the client has sent it and nothing more. */
function readOne(call: Call, take: (message: Uint8Array) => void): void {
  let request: Uint8Array | undefined;
  call.read(
    (message) => {
      if (request !== undefined) throw new GrpcFailure('INVALID_ARGUMENT', 'The call takes one message');
      request = message;
    },
    () => {
      if (request === undefined) throw new GrpcFailure('INVALID_ARGUMENT', 'The call takes one message');
      take(request);
    },
  );
}

/** What a unary call is answered from, and the fault that strikes its answer. */
interface AnswerSources extends UnarySources {
  readonly fault: () => Fault | undefined;
}

/** Makes a unary call when its one message and the end of the request are there. */
function answer(call: Call, unary: Unary, sources: AnswerSources, count: (failed: boolean) => void): void {
  const finish = (status: Status): void => {
    count(status.code !== 'OK');
    call.end(status);
  };
  readOne(call, (request) => {
    unary(sources, request).then(
      async (response) => {
        call.open();
        await writeDamaged(call, [response], sources.fault());
        finish({ code: 'OK', message: '' });
      },
      (error: unknown) => finish(statusOf(error)),
    );
  });
}

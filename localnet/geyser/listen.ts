// The gRPC side of the service: HTTP/2 without TLS on 127.0.0.1. Written on node:http2 rather than a gRPC library, because it
// takes keys in the query of the path, sees each stream's backpressure and chooses when headers and trailers go out.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { ServiceContext } from '../calls/context';
import { statusOfRefusal, admit } from './admit';
import { suspended } from '../keys/access';
import type { EndReason } from '../keys/keyring';
import type { Ledger } from '../ledger/ledger';
import { GeyserCall, statusOfError } from './call';
import type { GeyserStream } from './calls';
import { UpdateLog } from './log';
import { withFault } from './faults';
import { boundSessions } from './sessions';
import type { Status } from './status';

/** Connections, and calls of one connection, at one time. */
const MAX_SESSIONS = 256;
const MAX_CALLS = 128;
/** How often an open stream gets a ping. */
const PING_MS = 10_000;

export interface GrpcService {
  readonly port: number;
  /** Ends every stream UNAVAILABLE, as a server that goes away; how many there were. */
  drop(): number;
  close(): void;
}

export interface GrpcOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** Compressions used for clients that accept them; names of COMPRESSIONS. */
  readonly compressions: readonly string[];
}

/** Rejects when the port is taken. */
export async function serveGrpc(
  context: ServiceContext,
  ledger: Ledger,
  { port, compressions }: GrpcOptions,
): Promise<GrpcService> {
  const log = new UpdateLog(context.now, ledger.chain.consensus);
  const framing = { partial: { bytes: 0 }, compressions };
  const open = new Set<GeyserStream>();
  const surroundings = { context, log, waiting: { bytes: 0 }, open };
  const stopFollowing = log.follow(ledger);
  log.begin(ledger.view('processed').slot);

  const serve = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    const call = new GeyserCall(stream, headers, framing);
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
    withFault(context.faults, { methods: [path.slice(1)], keyIds: [key.keyId] }, call, () => {
      // The messages and their descriptors take 4 MB and a tenth of the start: nobody pays for them before the first call.
      import('./calls').then(
        ({ makeCall }) => makeCall(surroundings, { call, key, path }),
        (error: unknown) => call.end(statusOfError(error)),
      );
    });
  };

  const server = createServer({ settings: { maxConcurrentStreams: MAX_CALLS } });
  const closeSessions = boundSessions(server, MAX_SESSIONS);
  server.on('stream', serve);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address() as AddressInfo;

  const endAll = (status: Status, which: (stream: GeyserStream) => boolean = () => true): number => {
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

/** The HTTP status for a request that is not a gRPC call; undefined if it is one. */
function notGrpc(headers: IncomingHttpHeaders): number | undefined {
  if (headers[':method'] !== 'POST') return 405;
  return headers['content-type']?.startsWith('application/grpc') === true ? undefined : 415;
}

// Makes the calls of the gRPC service: streams and calls with one answer, by their names. Loaded with the first call, and with
// it all that knows messages; the caller has been admitted.
import { Geyser } from '../../proto';
import { KINDS_AT } from '../faults/kinds';
import type { FaultAt } from '../faults/rules';
import type { ServiceContext } from '../calls/context';
import type { ApiKey } from '../keys/keyring';
import { statusOfError, type GeyserCall } from './call';
import { writeDamaged } from './faults';
import { GossipStream } from './gossip';
import type { UpdateLog } from './log';
import type { Waiting } from './outbox';
import { SERVICE_PATH } from './serviceNames';
import { GrpcFailure, type Status } from './status';
import { GeyserSubscription } from './subscription';
import { decodedInput, UNARY, type Unary, type UnarySources } from './unary';

/** Streams at one time. */
const MAX_STREAMS = 128;

/** A stream of the service, with any message. */
export interface GeyserStream {
  readonly key: ApiKey;
  ping(): void;
  end(status: Status): void;
}

/** Shared by all calls of a service. */
interface CallSurroundings {
  readonly context: ServiceContext;
  readonly log: UpdateLog;
  readonly waiting: Waiting;
  /** The streams that are open. */
  readonly open: Set<GeyserStream>;
}

/** A call of somebody who may make it; its path says what is called. */
interface AdmittedCall {
  readonly call: GeyserCall;
  readonly key: ApiKey;
  readonly path: string;
}

/** Makes a call; time may have passed since it was admitted. */
export function makeCall(surroundings: CallSurroundings, admitted: AdmittedCall): void {
  const { call, key, path } = admitted;
  if (call.over) return;
  const { context, log, open } = surroundings;
  const method = path.slice(1);
  const target = { methods: [method], keyIds: [key.keyId] };
  const name = path.startsWith(SERVICE_PATH) ? path.slice(SERVICE_PATH.length) : '';
  const unary = Object.hasOwn(UNARY, name) ? UNARY[name] : undefined;
  const count = (failed: boolean): void => context.meter.record(key.keyId, method, failed);
  if (unary !== undefined) {
    const fault = (): FaultAt<'grpcAnswer'> | undefined => context.faults.strike('grpc', target, KINDS_AT.grpcAnswer);
    answer(call, unary, { engine: context.engine, log, fault }, count);
    return;
  }
  const begin = Object.hasOwn(STREAMS, name) ? STREAMS[name] : undefined;
  const refusal = begin === undefined ? unknownMethod(name) : tooMany(open.size);
  count(refusal !== undefined);
  if (begin === undefined || refusal !== undefined) {
    call.end(refusal ?? unknownMethod(name));
    return;
  }
  const stream = begin(surroundings, admitted, () => context.faults.strike('grpc', target, KINDS_AT.grpcUpdate));
  open.add(stream);
  call.onEnd(() => open.delete(stream));
}

type BeginStream = (
  surroundings: CallSurroundings,
  admitted: AdmittedCall,
  fault: () => FaultAt<'grpcUpdate'> | undefined,
) => GeyserStream;

const STREAMS: Readonly<Record<string, BeginStream>> = {
  [Geyser.method.subscribe.name]: ({ context, log, waiting }, { call, key }, fault) =>
    new GeyserSubscription(call, key, { log, waiting, now: context.now, fault }),
  [Geyser.method.subscribeGossip.name]: ({ context }, { call, key }, fault) => {
    const stream = new GossipStream(call, key, { engine: context.engine, now: context.now, fault });
    readOne(call, (message) => {
      decodedInput(Geyser.method.subscribeGossip.input, message);
      stream.begin().catch((error: unknown) => call.end(statusOfError(error)));
    });
    return stream;
  },
};

function unknownMethod(name: string): Status {
  const known = Geyser.methods.some((method) => method.name === name);
  const message = known ? `${name} is not available here` : `There is no method ${name.slice(0, 100)}`;
  return { code: 'UNIMPLEMENTED', message };
}

function tooMany(streams: number): Status | undefined {
  return streams < MAX_STREAMS ? undefined : { code: 'RESOURCE_EXHAUSTED', message: 'max subscription limit exceeded' };
}

/** Takes the one message of a call when the client has sent it and nothing more. */
function readOne(call: GeyserCall, take: (message: Uint8Array) => void): void {
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

/** The sources of a unary call's answer, and the fault that strikes it. */
interface AnswerSources extends UnarySources {
  readonly fault: () => FaultAt<'grpcAnswer'> | undefined;
}

/** Makes a unary call when its one message and the end of the request are there. */
function answer(call: GeyserCall, unary: Unary, sources: AnswerSources, count: (failed: boolean) => void): void {
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
      (error: unknown) => finish(statusOfError(error)),
    );
  });
}

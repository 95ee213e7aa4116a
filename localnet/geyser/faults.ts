// The faults of gRPC calls: those that strike a call before it is made, and those that strike what it sends.
import { setTimeout as pause } from 'node:timers/promises';
import { delayOf, KINDS_AT, faultStatus } from '../faults/kinds';
import type { FaultAt, FaultBox } from '../faults/rules';
import type { GeyserCall } from './call';
import type { Parts } from './outbox';

/** The first field of these bytes has no end: no message of any kind. */
const GARBAGE = new Uint8Array(16).fill(0xff);

export interface StreamFaultTarget {
  /** "geyser.Geyser/Subscribe" */
  readonly method: string;
  readonly keyId: string;
}

/** Makes the call by `go`, or what a fault puts in its place. */
export function withFault(box: FaultBox, { method, keyId }: StreamFaultTarget, call: GeyserCall, go: () => void): void {
  const fault = box.strike('grpc', { methods: [method], keyIds: [keyId] }, KINDS_AT.grpcCall);
  switch (fault?.kind) {
    case 'latency':
      void pause(delayOf(fault), undefined, { ref: false }).then(go);
      return;
    case 'drop':
      call.breakConnection();
      return;
    case 'hang':
      return;
    case 'status':
      call.endAsGateway(faultStatus(fault), fault.headers ?? {}, fault.body ?? '');
      return;
    case 'redirect': {
      const headers = { location: '/redirected', ...fault.headers };
      call.endAsGateway(faultStatus(fault), headers, fault.body ?? '');
      return;
    }
    case 'goaway':
      call.retireConnection(delayOf(fault));
      go();
      return;
    case undefined:
      go();
  }
}

/** The fault that strikes the next update of a stream. */
export function updateFault(box: FaultBox, { method, keyId }: StreamFaultTarget): FaultAt<'grpcUpdate'> | undefined {
  return box.strike('grpc', { methods: [method], keyIds: [keyId] }, KINDS_AT.grpcUpdate);
}

/** The fault that strikes the answer of a unary call. */
export function answerFault(box: FaultBox, { method, keyId }: StreamFaultTarget): FaultAt<'grpcAnswer'> | undefined {
  return box.strike('grpc', { methods: [method], keyIds: [keyId] }, KINDS_AT.grpcAnswer);
}

/** Writes a message as a fault leaves it; resolves when the next may follow. */
export function writeDamaged(
  call: GeyserCall,
  parts: Parts,
  fault: FaultAt<'grpcAnswer' | 'grpcUpdate'> | undefined,
): Promise<void> | undefined {
  switch (fault?.kind) {
    case 'garbage':
      call.write([fault.body === undefined ? GARBAGE : Buffer.from(fault.body)]);
      return undefined;
    case 'truncate':
      call.writeHalf(parts);
      return undefined;
    case 'slowloris':
      return call.drip(parts, delayOf(fault));
    case 'gap':
    case 'duplicate':
    case undefined:
      // How often it is written is the stream's to decide.
      call.write(parts);
      return undefined;
  }
}

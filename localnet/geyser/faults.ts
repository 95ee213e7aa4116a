// The faults of gRPC calls: those that strike a call before it is made, and those that strike what it sends.
import { setTimeout as pause } from 'node:timers/promises';
import { delayOf, KINDS_AT, faultStatus } from '../faults/kinds';
import type { FaultAt, FaultBox, FaultTarget } from '../faults/rules';
import type { GeyserCall } from './call';
import type { Parts } from './outbox';

/** The first field of these bytes has no end: no message of any kind. */
const GARBAGE = new Uint8Array(16).fill(0xff);

/** Makes the call by `go`, or what a fault puts in its place. */
export function withFault(box: FaultBox, target: FaultTarget, call: GeyserCall, go: () => void): void {
  const fault = box.strike('grpc', target, KINDS_AT.grpcCall);
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

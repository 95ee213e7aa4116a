// The faults of gRPC calls. A fault strikes a call before it is made, but for `gap` and `duplicate`, which strike the
// updates of a stream.
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultBox, FaultKind } from '../faults/rules';
import type { Call } from './call';

const DEFAULT_LATENCY_MS = 1_000;
const DEFAULT_STATUS = 503;
const AS_CALL: ReadonlySet<FaultKind> = new Set<FaultKind>(['latency', 'drop', 'hang', 'status']);
const AS_UPDATE: ReadonlySet<FaultKind> = new Set<FaultKind>(['gap', 'duplicate']);

export interface FaultTarget {
  /** "geyser.Geyser/Subscribe" */
  readonly method: string;
  readonly keyId: string;
}

/** Makes the call by `go`, or what a fault puts in its place. */
export function withFault(box: FaultBox, { method, keyId }: FaultTarget, call: Call, go: () => void): void {
  const fault = box.strike('grpc', { methods: [method], keyIds: [keyId] }, AS_CALL);
  switch (fault?.kind) {
    case 'latency':
      void pause(fault.ms ?? DEFAULT_LATENCY_MS, undefined, { ref: false }).then(go);
      return;
    case 'drop':
      call.breakConnection();
      return;
    case 'hang':
      return;
    case 'status':
      call.endAsGateway(fault.status ?? DEFAULT_STATUS, fault.headers ?? {}, fault.body ?? '');
      return;
    default:
      go();
  }
}

/** How often an update goes out: 0 for a gap, 2 for a duplicate, else once. */
export function timesSent(box: FaultBox, { method, keyId }: FaultTarget): number {
  const fault = box.strike('grpc', { methods: [method], keyIds: [keyId] }, AS_UPDATE);
  if (fault === undefined) return 1;
  return fault.kind === 'gap' ? 0 : 2;
}

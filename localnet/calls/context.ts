// The context shared by the service's routes, put together once by service.ts.
import type { RpcEngine } from '../api';
import type { FaultBox } from '../faults/rules';
import type { Keyring } from '../keys/keyring';
import type { UsageMeter } from '../keys/meter';
import type { BodyReader } from '../http/body';

export interface ServiceContext {
  readonly engine: RpcEngine;
  readonly keyring: Keyring;
  readonly meter: UsageMeter;
  readonly faults: FaultBox;
  readonly bodies: BodyReader;
  /** Unix milliseconds. */
  readonly now: () => number;
}

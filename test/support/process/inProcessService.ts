// The local service inside the process of its test, on a clock that moves only when the test moves it.
//
//   const local = await serviceInProcess('Free');
//   after(() => local.stop());
//   local.pass(400);
import { openLedger, type Ledger, type LedgerOptions } from '../../../localnet/node/open';
import type { PlanName } from '../../../localnet/keys/plans';
import { readyOf, type ReadyMessage } from '../../../localnet/ready';
import { startService } from '../../../localnet/service';
import { callsOf, type ServiceCalls } from './localnet';

/** Unix milliseconds at the start of the service. */
const START = 1_700_000_000_123;

export interface InProcessService extends ServiceCalls {
  readonly ready: ReadyMessage;
  readonly ledger: Ledger;
  /** Unix milliseconds on the service's clock, which is its ledger's, too. */
  now(): number;
  /** Moves the service's clock forward. ms */
  pass(ms: number): void;
  /** Ends the service and its ledger. */
  stop(): Promise<void>;
}

/** Starts the service over a paused ledger; `plan`: of its first keys. */
export async function serviceInProcess(plan: PlanName, options: LedgerOptions = {}): Promise<InProcessService> {
  let now = START;
  const ledger = await openLedger({ paused: true, now: () => now, ...options });
  const service = await startService(ledger, { port: 0, plan, seed: undefined, now: () => now });
  const ready = readyOf(service, ledger, { openPort: undefined, validatorText: undefined });
  return {
    ...callsOf(ready),
    ready,
    ledger,
    now: () => now,
    pass: (ms) => void (now += ms),
    stop: async () => {
      await service.close();
      ledger.close();
    },
  };
}

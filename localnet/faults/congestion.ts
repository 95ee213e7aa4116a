// What congestion does to a transaction on its way: a leader has room for the staked ones, the others queue or are lost.
import type { Route } from '../api';
import type { Payer } from '../keys/access';
import type { FaultBox, FaultTarget } from './rules';
import type { FaultKind } from './kinds';

const CONGESTION: ReadonlySet<FaultKind> = new Set<FaultKind>(['congestion']);

/** The way of one send, asked anew at each try: free, held up, or (for a SWQoS key) into the next slot without fail. */
export function routeOf(faults: FaultBox, payer: Payer | undefined, staked: boolean): () => Route {
  const target: FaultTarget = { methods: ['sendTransaction'], keyIds: payer === undefined ? [] : [payer.keyId] };
  return () => {
    if (staked) return { kind: faults.threatens('http', target, 'congestion') ? 'next-slot' : 'open' };
    const fault = faults.strike('http', target, CONGESTION);
    if (fault === undefined) return { kind: 'open' };
    return fault.ms === undefined ? { kind: 'lost' } : { kind: 'late', ms: fault.ms };
  };
}

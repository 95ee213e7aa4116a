// The effect of congestion on a transaction: the leader takes the staked ones, the others queue or are lost.
import type { Route } from '../api';
import type { Payer } from '../keys/access';
import type { FaultBox, FaultTarget } from './rules';
import { KINDS_AT } from './kinds';

/** The route of one send, chosen again at each try: free, held up, or (for a SWQoS key) always into the next slot. */
export function routeOf(faults: FaultBox, payer: Payer | undefined, staked: boolean): () => Route {
  const target: FaultTarget = { methods: ['sendTransaction'], keyIds: payer === undefined ? [] : [payer.keyId] };
  return () => {
    if (staked) return { kind: faults.threatens('http', target, 'congestion') ? 'next-slot' : 'open' };
    const fault = faults.strike('http', target, KINDS_AT.send);
    if (fault === undefined) return { kind: 'open' };
    return fault.ms === undefined ? { kind: 'lost' } : { kind: 'late', ms: fault.ms };
  };
}

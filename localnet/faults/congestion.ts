// What congestion does to a transaction on its way: a leader has room for the staked ones, the others queue or are lost.
import type { Route } from '../api';
import type { Payer } from '../keys/access';
import type { FaultBox, FaultTarget } from './rules';
import { KINDS_AT } from './kinds';

/** The way of one send, asked anew at each try: free, held up, or (for a SWQoS key) into the next slot without fail. */
export function routeOf(faults: FaultBox, payer: Payer | undefined, staked: boolean): () => Route {
  const target: FaultTarget = { methods: ['sendTransaction'], keyIds: payer === undefined ? [] : [payer.keyId] };
  return () => {
    if (staked) return { kind: faults.threatens('http', target, 'congestion') ? 'next-slot' : 'open' };
    const fault = faults.strike('http', target, KINDS_AT.send);
    if (fault === undefined) return { kind: 'open' };
    return fault.ms === undefined ? { kind: 'lost' } : { kind: 'late', ms: fault.ms };
  };
}

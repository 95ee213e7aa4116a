// Probing an address of no known provider, over LSP: asked once, by the user's gesture, after each address was shown. A
// key crosses on the key channel, by a one-time handle for one origin each.
import type { ServiceError } from '../core/service/errors';
import type { ProbeAddress, ProbedInterface } from '../core/service/providers/probes';
import { CheckedRequest } from './messages';

export const probe = new CheckedRequest<ProbeParams, ProbeResult>('solanaRpc/probe', { addresses: 'array' });
export interface ProbeParams {
  /** At most one for each interface. */
  readonly addresses: readonly ProbedAddress[];
}
export interface ProbedAddress extends ProbeAddress {
  /** The handle of the pasted key for this address's origin; absent: it is asked without one. */
  readonly candidate?: string;
}

export type ProbeResult =
  | { readonly kind: 'probed'; readonly findings: readonly ProbeFinding[] }
  /** No request was made. */
  | { readonly kind: 'refused'; readonly error: ServiceError };
export interface ProbeFinding {
  readonly interface: ProbedInterface;
  /**
   * `answers`: it speaks the interface's protocol, even if with an error. `wantsKey`: it refused a wrong or missing key
   * before its protocol showed. `busy`: it asked to retry later. `nothing`: none of these.
   */
  readonly outcome: 'answers' | 'wantsKey' | 'busy' | 'nothing';
  /** Why it is not `answers`, or the error in the answer. */
  readonly error?: ServiceError;
}

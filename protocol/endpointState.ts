// How an endpoint is at the moment: asked once by the user's gesture, over LSP. No key crosses here.
import type { ServiceError } from '../core/service/errors';
import type { Consensus } from '../core/solana/chain/chain';
import { CheckedRequest } from './messages';

export const endpointState = new CheckedRequest<EndpointStateParams, EndpointStateResult>('solanaRpc/endpointState', {
  profile: 'string',
});
export interface EndpointStateParams {
  /** The name of an endpoint. */
  readonly profile: string;
}
export type EndpointStateResult =
  | ({ readonly kind: 'answered' } & EndpointFacts)
  /** It did not answer, refused the key, or has no interface that says anything of it. */
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** An endpoint's self-reported state, as far as its key allows. */
export interface EndpointFacts {
  /** Of a request on an open connection, until its answer was whole. Milliseconds. */
  readonly latencyMs: number;
  /** As its digits. */
  readonly slot?: string;
  /** Of the validator software, or of the streaming service if nothing else is served. */
  readonly version?: string;
  /** The node's own reason for being unhealthy; absent if it is healthy or was not asked. */
  readonly unhealthy?: string;
  /** Names the ledger (getGenesisHash). */
  readonly genesisHash?: string;
  /** By its genesis certificate; absent for a node older than that question. */
  readonly consensus?: Consensus;
}

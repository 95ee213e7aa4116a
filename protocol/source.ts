// The reads of a forked local service from its source endpoint: requested by its process over IPC, answered by the
// server, which has the transports. Neither URL nor key crosses here.
import { CheckedRequest } from './messages';

export const readSource = new CheckedRequest<ReadSourceParams, ReadSourceResult>('solanaRpc/readSource', {
  profile: 'string',
  question: 'object',
});
export interface ReadSourceParams {
  /** The name of an endpoint. */
  readonly profile: string;
  /** One of the closed list of reads that the local service may ask for; anything else is refused. */
  readonly question: object;
}
/** The JSON text of the answer's `result`, or an error message. */
export type ReadSourceResult =
  | { readonly ok: true; readonly result: string }
  | { readonly ok: false; readonly message: string };

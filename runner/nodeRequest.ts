// Requests of the run itself, besides those of the file: a watch, a helper.
import type { PreparedRequest } from '../core/requests/run/model';
import { known } from '../core/solana/common/known';

/** Where it goes. */
type Place = Pick<PreparedRequest, 'transport' | 'timeoutMs'> & {
  readonly [name in 'endpoint' | 'url' | 'sentTo' | 'isKeyless']?: PreparedRequest[name] | undefined;
};

/** A call of one method; `params`: JSON text. */
export const nodeRequest = (place: Place, method: string, params: string): PreparedRequest => ({
  ...known(place),
  method,
  body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
  ids: ['1'],
  isBatch: false,
  headers: [],
});

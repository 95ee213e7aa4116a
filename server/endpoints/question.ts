// The request of a question to an endpoint: a method without parameters, over the transport of the interface.
import type { PreparedRequest } from '../../core/requests/run/model';
import type { SendTarget } from '../../net/api';
import { nodeRequest } from '../../runner/nodeRequest';

/** `timeoutMs`: until the answer is there. */
export function questionTo(face: SendTarget['interface'], method: string, timeoutMs: number): PreparedRequest {
  if (face !== 'grpc') return nodeRequest({ transport: face === 'ws' ? 'WS' : 'POST', timeoutMs }, method, '[]');
  return { transport: 'GRPC', method, body: '{}', ids: [], isBatch: false, headers: [], timeoutMs };
}

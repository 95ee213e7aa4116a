// The request of a question to an endpoint: a method without parameters, over the transport of the interface.
import type { PreparedRequest } from '../../core/requests/run/model';
import type { SendTarget } from '../../net/api';

/** `timeoutMs`: until the answer is there. */
export function questionTo(face: SendTarget['interface'], method: string, timeoutMs: number): PreparedRequest {
  const isGrpc = face === 'grpc';
  return {
    transport: isGrpc ? 'GRPC' : face === 'ws' ? 'WS' : 'POST',
    method,
    body: isGrpc ? '{}' : `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}`,
    ids: isGrpc ? [] : ['1'],
    isBatch: false,
    headers: [],
    timeoutMs,
  };
}

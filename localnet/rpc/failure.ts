// A call that failed, as an exception inside the engine; it leaves as a JSON-RPC error object.
import type { RpcError, WireJson } from '../api';

export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: WireJson,
  ) {
    super(message);
    this.name = 'RpcFailure';
  }

  toJson(): RpcError {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** The code of a call that was given up: an HTTP status, as with 401, 403 and 429. Over HTTP it is also the answer's. */
export const TIMED_OUT = 504;

/** -32602 with the given sentence. */
export const invalidParams = (message: string): RpcFailure => new RpcFailure(-32602, message);

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

/** -32602 with the given sentence. */
export const invalidParams = (message: string): RpcFailure => new RpcFailure(-32602, message);

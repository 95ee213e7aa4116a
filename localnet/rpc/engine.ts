// Answers JSON-RPC calls on a ledger: looks the method up, runs it, turns what it throws into an error answer.
import type { RpcEngine, RpcOutcome, WireJson } from '../api';
import { ForkError } from '../ledger/errors';
import { RpcFailure } from './failure';
import type { MethodService } from './methods/method';
import { METHOD_HANDLERS } from './methods/table';
import { notFoundText } from './methods/unanswered';

export interface Engine extends RpcEngine {
  /** Every call after it is refused. */
  close(): void;
}

export function createEngine(service: MethodService): Engine {
  let open = true;
  return {
    methods: new Set(METHOD_HANDLERS.keys()),
    call: (method, params, context) => {
      try {
        if (!open) throw new RpcFailure(-32603, 'The local ledger has been closed.');
        const run = METHOD_HANDLERS.get(method);
        if (run === undefined) throw new RpcFailure(-32601, notFoundText(method));
        const { fork } = service.state;
        const call = (): ReturnType<typeof run> => run(service, params, context);
        const answer = fork === undefined ? call() : fork.answer(call);
        return answer instanceof Promise ? answer.then(done, failed) : done(answer);
      } catch (error) {
        return failed(error);
      }
    },
    close: () => {
      open = false;
    },
  };
}

const done = (result: WireJson): RpcOutcome => ({ ok: true, result });

function failed(error: unknown): RpcOutcome {
  if (error instanceof RpcFailure) return { ok: false, error: error.toJson() };
  if (error instanceof ForkError) return { ok: false, error: { code: -32603, message: error.message } };
  return { ok: false, error: { code: -32603, message: 'Internal error of the local ledger.' } };
}

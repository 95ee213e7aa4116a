// The local service inside the process of its test, on a clock that moves only when the test moves it.
//
//   const local = await serviceInProcess('Free');
//   after(() => local.stop());
//   local.pass(400);
import type http from 'node:http';
import { openLedger, type Ledger } from '../../../localnet/ledger/open';
import type { PlanName } from '../../../localnet/keys/plans';
import { readyOf, type Ready } from '../../../localnet/ready';
import { startService } from '../../../localnet/service';
import { request, type Localnet } from './localnet';

/** Unix milliseconds at the start of the service. */
const START = 1_700_000_000_123;

export interface InProcessService extends Pick<
  Localnet,
  'admin' | 'cheat' | 'newKey' | 'post' | 'rest' | 'rpc' | 'stop'
> {
  readonly ready: Ready;
  readonly ledger: Ledger;
  /** Unix milliseconds on the service's clock, which is its ledger's, too. */
  now(): number;
  /** Moves the service's clock forward. ms */
  pass(ms: number): void;
}

/** Starts the service over a paused ledger; `plan`: of its first keys. */
export async function serviceInProcess(plan: PlanName): Promise<InProcessService> {
  let now = START;
  const ledger = await openLedger({ paused: true, now: () => now });
  const service = await startService(ledger, { port: 0, plan, seed: undefined, now: () => now });
  const ready = readyOf(service, ledger, { openPort: undefined, validatorText: undefined });
  const bearer = (key: string): http.OutgoingHttpHeaders => ({ authorization: `Bearer ${key}` });
  const json = { 'content-type': 'application/json' };

  const post: Localnet['post'] = (body, headers = bearer(ready.keys.rpc.key), query = '') =>
    request(ready.rpcUrl + query, { method: 'POST', body, headers: { ...json, ...headers } });
  const admin: Localnet['admin'] = (method, after, body) =>
    request(ready.adminUrl + after, {
      method,
      headers: { ...bearer(ready.adminToken), ...(body === undefined ? {} : json) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    ready,
    ledger,
    now: () => now,
    pass: (ms) => void (now += ms),
    post,
    admin,
    rpc: (method, params, key = ready.keys.rpc.key) =>
      post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), bearer(key)),
    rest: (after, key = ready.keys.rpc.key) => request(ready.restUrl + after, { headers: bearer(key) }),
    cheat: async (name, params) => {
      const answer = await admin('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: name, params });
      if (answer.status !== 200 || answer.text.includes('"error"')) throw new Error(`${name}: ${answer.text}`);
    },
    newKey: async (wanted) => {
      const answer = await admin('POST', '/keys', wanted);
      if (answer.status !== 201) throw new Error(`No key was created: ${answer.text}`);
      return JSON.parse(answer.text) as Awaited<ReturnType<Localnet['newKey']>>;
    },
    stop: async () => {
      await service.close();
      ledger.close();
    },
  };
}

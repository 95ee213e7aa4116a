// A fork at work, and the terminal that fetches for it, as subjects of the soak: everything of its source is read again and
// again, and paid to. Ends what it started, however it ends.
import { decodeBase58 } from '../../../../core/solana/encoding/base58';
import { member, type JsonValue } from '../../../../core/solana/json/json';
import { startTestLedger, walletOf } from '../../../support/process/localnet';
import { startForkSource } from '../forkSource';
import { chance } from '../fuzz-random';
import { v1Wire } from '../fuzz-v1';
import type { Soaked } from './soaked';

const ACCOUNTS = 2_000;
/** Addresses of one question. */
const AT_ONCE = 100;

/** `work` rejects where the fork answers what it must not. */
export async function soakFork(over: AbortSignal): Promise<Soaked> {
  const source = await startForkSource(ACCOUNTS);
  const fork = await startTestLedger(['--plan', 'Shared Metal', '--slot-ms', '100'], {
    clock: 'running',
    start: source.fork,
  });
  const wallet = walletOf(fork.ready);
  const random = chance(1);
  const counts = { reads: 0, payments: 0 };

  const call = async (method: string, params: readonly unknown[]): Promise<JsonValue> => {
    const { text, json } = await fork.rpc(method, params);
    const result = member(json, 'result');
    if (result === undefined) throw new Error(`The fork answers ${method} with ${text.slice(0, 300)}`);
    return result;
  };
  const work = async (): Promise<void> => {
    for (let from = 0; !over.aborted; from = (from + AT_ONCE) % ACCOUNTS) {
      const addresses = source.addresses.slice(from, from + AT_ONCE);
      await call('getMultipleAccounts', [addresses, { encoding: 'base64' }]);
      counts.reads++;
      const blockhash = member(member(await call('getLatestBlockhash', []), 'value'), 'blockhash');
      if (typeof blockhash !== 'string') throw new Error('The fork has no blockhash');
      const wire = v1Wire((count) => random.below(count), wallet, blockhash, decodeBase58(addresses[0] ?? ''));
      await call('sendTransaction', [wire.toString('base64'), { encoding: 'base64', skipPreflight: true }]);
      counts.payments++;
    }
  };
  return {
    subjects: [
      { name: 'fork', pid: () => fork.ready.pid },
      { name: 'terminal', pid: () => fork.process.pid },
    ],
    work: work(),
    done: () => [`${counts.reads} reads of a fork`, `${counts.payments} payments there`],
    close: async () => {
      await fork.stop();
      await source.stop();
    },
  };
}

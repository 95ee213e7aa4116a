// Kills the service, or the terminal that it runs under, with SIGKILL at moments that chance picks while it is written to
// from all sides, starts it again on its state file, and asks for everything that it had acknowledged as finalized. The
// same seed picks the same moments.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import { spawnLocalnet, startTestLedger, type Localnet, walletOf } from '../../support/process/localnet';
import { descendantsOf, isRunning } from '../../support/process/processes';
import { PubSub } from '../../support/wire/pubSub';
import { freshKey } from '../rpc/rpc-harness';
import { startForkSource, startTerminal, type ForkSource } from './forkSource';
import { chance } from './fuzz-random';
import { v1Wire } from './fuzz-v1';
import { until } from './kills/engine';

interface KillsReport {
  /** Kills so far. */
  readonly kills: number;
  /** Restarts that loaded the file. */
  readonly loaded: number;
  /** Transactions, accounts, keys and what a fork fetched, acknowledged and read back. */
  readonly acknowledged: number;
  /** Acknowledged writes that are missing, and starts that failed. */
  readonly lost: readonly string[];
  /** Of the transactions, those that the ledger did not reach back to any more when it was asked last. */
  readonly forgotten: number;
  /** Kills while a new snapshot was half written next to the file. */
  readonly duringSnapshot: number;
}

/** The service is killed after at most this many acknowledgements. */
const LONGEST_LIFE = 400;
/** Signatures of one question. */
const AT_ONCE = 200;
/** The newest transactions that are asked for after each start, and after the last. */
const ASKED = 1_000;
const ASKED_LAST = 10_000;
/** Accounts that are written again and again, one in so many of them large. */
const ACCOUNTS = 300;
const LARGE = 20;
const LARGE_BYTES = 100_000;
const KEYS = 20;
/** Accounts of the source of a fork. */
const SOURCE_ACCOUNTS = 2_000;
/** Transactions of version 1 that may be under way at once. */
const V1_AT_ONCE = 4;

/** The writes that were acknowledged. */
interface Acknowledged {
  readonly transactions: { readonly signature: string; readonly slot: number }[];
  /** How many of them were acknowledged before the last life. */
  before: number;
  /** How many the ledger does not reach back to any more. */
  forgotten: number;
  /** The lamports that an account was last set to, as far as that was answered. */
  readonly accounts: Map<string, number>;
  /** The lamports that were last sent: they grow with every write. */
  written: number;
  readonly keys: Map<string, string>;
  /** The lamports that a fork's ledger first had for an account of its source. */
  readonly fetched: Map<string, number>;
}

interface KillsOptions {
  readonly kills: number;
  readonly seed: number;
  /** The process that is killed starts the service: `solana-rpc localnet`. */
  readonly isTerminal?: boolean;
  /** The same, and its ledger is a fork whose source keeps changing. */
  readonly isFork?: boolean;
}

/** Calls `onKill` with its progress after each kill. Removes its files at its end, and at the end of the process. */
export async function kills(
  options: KillsOptions,
  onKill: (report: KillsReport) => void = () => undefined,
): Promise<KillsReport> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kills-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const file = path.join(folder, 'ledger.state');
  const random = chance(options.seed);
  const acknowledged: Acknowledged = {
    transactions: [],
    before: 0,
    forgotten: 0,
    accounts: new Map(),
    written: 0,
    keys: new Map(),
    fetched: new Map(),
  };
  const source = options.isFork === true ? await startForkSource(SOURCE_ACCOUNTS) : undefined;
  const start = source?.fork ?? (options.isTerminal === true ? startTerminal : spawnLocalnet);
  const lost: string[] = [];
  let [loaded, duringSnapshot, killed] = [0, 0, 0];
  const report = (): KillsReport => ({
    kills: killed,
    loaded,
    acknowledged:
      acknowledged.transactions.length +
      acknowledged.accounts.size +
      acknowledged.keys.size +
      acknowledged.fetched.size,
    lost: lost.slice(0, 20),
    forgotten: acknowledged.forgotten,
    duringSnapshot,
  });
  try {
    for (let round = 1; round <= options.kills + 1; round++) {
      const last = round === options.kills + 1;
      let local: Localnet;
      try {
        local = await startTestLedger(
          ['--state', file, '--plan', 'Shared Metal', '--slot-ms', '20', '--traffic', '300'],
          { clock: 'running', start },
        );
      } catch (error) {
        lost.push(`start ${round}: ${error instanceof Error ? error.message : String(error)}`);
        break;
      }
      if (round > 1) loaded++;
      lost.push(
        ...(await missing(local, acknowledged, last ? ASKED_LAST : ASKED)).map((what) => `start ${round}: ${what}`),
      );
      if (last) {
        await local.stop();
        break;
      }
      acknowledged.before = acknowledged.transactions.length;
      const started = descendantsOf(local.process.pid ?? 0);
      await liveAndDie(
        { local, acknowledged, source, below: (count) => random.below(count) },
        random.below(LONGEST_LIFE),
      );
      if (!(await until(() => !started.some(({ pid }) => isRunning(pid))))) lost.push(`kill ${round}: left an orphan`);
      killed++;
      if (readdirSync(path.dirname(file)).some((name) => name.endsWith('.part'))) duringSnapshot++;
      onKill(report());
    }
  } finally {
    await source?.stop();
    process.off('exit', remove);
    remove();
  }
  return report();
}

/** One life of the service. */
interface Life {
  readonly local: Localnet;
  readonly acknowledged: Acknowledged;
  readonly source: ForkSource | undefined;
  /** A whole number from 0 up to `count`, exclusive. */
  readonly below: (count: number) => number;
}

/** Writes from all sides and records acknowledgements, until the kill after `life` of them. */
async function liveAndDie({ local, acknowledged, source, below }: Life, life: number): Promise<void> {
  const ended = once(local.process, 'exit');
  let left = life;
  const note = (): void => {
    if (left-- === 0) local.process.kill('SIGKILL');
  };
  note();
  // A call that the kill interrupts fails: it was not acknowledged.
  await Promise.all([
    Promise.race([followFinalized(local, acknowledged, note), ended]).catch(() => undefined),
    setAccounts(local, acknowledged, note).catch(() => undefined),
    makeKeys(local, acknowledged, note).catch(() => undefined),
    sendV1(local, below).catch(() => undefined),
    source === undefined ? undefined : fetchFrom(source, local, acknowledged, note).catch(() => undefined),
  ]);
  await ended;
}

/** Records every transaction that a subscriber at finalized receives. */
async function followFinalized(local: Localnet, acknowledged: Acknowledged, note: () => void): Promise<void> {
  const client = await PubSub.open(local);
  const logs = await client.subscribe('logsSubscribe', ['all']);
  for (;;) {
    const notice = await client.notified(logs);
    const signature = member(member(notice, 'value'), 'signature');
    const slot = Number(member(member(notice, 'context'), 'slot'));
    if (typeof signature === 'string') acknowledged.transactions.push({ signature, slot });
    note();
  }
}

/** Accounts set from outside hold at every commitment once the call is answered. */
async function setAccounts(local: Localnet, acknowledged: Acknowledged, note: () => void): Promise<never> {
  for (;;) {
    const lamports = ++acknowledged.written;
    const number = lamports % ACCOUNTS;
    const { address } = freshKey(`account ${number}`);
    const data = Buffer.alloc(number % LARGE === 0 ? LARGE_BYTES : 64, lamports).toString('base64');
    await local.cheat('setAccount', { address, lamports, data });
    acknowledged.accounts.set(address, lamports);
    note();
  }
}

async function makeKeys(local: Localnet, acknowledged: Acknowledged, note: () => void): Promise<never> {
  for (;;) {
    const { keyId, key } = await local.newKey({ type: 'rpc', plan: 'Free' });
    acknowledged.keys.set(keyId, key);
    note();
    // The number of keys is limited: the oldest is deleted before the next one is created.
    const [oldest = ''] = acknowledged.keys.keys();
    if (acknowledged.keys.size < KEYS) continue;
    acknowledged.keys.delete(oldest);
    await local.admin('DELETE', `/keys/${oldest}`);
  }
}

/** Version 1 transactions in addition to the traffic; the subscriber hears of each that is finalized. */
async function sendV1(local: Localnet, below: Life['below']): Promise<never> {
  const wallet = walletOf(local.ready);
  for (;;) {
    const latest = member((await local.rpc('getLatestBlockhash', [])).json, 'result');
    const blockhash = member(member(latest, 'value'), 'blockhash');
    const config = { encoding: 'base64', skipPreflight: true };
    if (typeof blockhash !== 'string') throw new Error('no blockhash');
    const wires = Array.from({ length: V1_AT_ONCE }, () => v1Wire(below, wallet, blockhash));
    await Promise.all(wires.map((wire) => local.rpc('sendTransaction', [wire.toString('base64'), config])));
  }
}

/** Has the fork fetch accounts, each of which is another one at the source from then on. */
async function fetchFrom(
  source: ForkSource,
  local: Localnet,
  acknowledged: Acknowledged,
  note: () => void,
): Promise<void> {
  for (const address of source.addresses.filter((one) => !acknowledged.fetched.has(one))) {
    const { json } = await local.rpc('getBalance', [address]);
    const lamports = member(member(json, 'result'), 'value');
    if (typeof lamports !== 'number') throw new Error(JSON.stringify(json));
    acknowledged.fetched.set(address, lamports);
    await source.set(address, lamports + SOURCE_ACCOUNTS);
    note();
  }
}

/** Acknowledged writes that are missing; checks the newest `most` of the transactions. */
async function missing(local: Localnet, acknowledged: Acknowledged, most: number): Promise<string[]> {
  const lost: string[] = [];
  const result = async (method: string, params: unknown[]): Promise<JsonValue | undefined> =>
    member((await local.rpc(method, params)).json, 'result');
  // A ledger forgets its oldest transactions where there are many, more than were acknowledged; never those of the life before.
  const first = Number(await result('getFirstAvailableBlock', []));
  acknowledged.forgotten = acknowledged.transactions.filter(({ slot }) => slot < first).length;
  const signatures = acknowledged.transactions
    .filter(
      ({ slot }, at) => at >= acknowledged.before || (at >= acknowledged.transactions.length - most && slot >= first),
    )
    .map(({ signature }) => signature);
  for (let from = 0; from < signatures.length; from += AT_ONCE) {
    const asked = signatures.slice(from, from + AT_ONCE);
    const found = member(await result('getSignatureStatuses', [asked, { searchTransactionHistory: true }]), 'value');
    asked.forEach((signature, index) => {
      const status = isJsonArray(found) ? member(found[index], 'confirmationStatus') : undefined;
      if (status !== 'finalized') lost.push(`transaction ${signature}: ${JSON.stringify(status)}`);
    });
  }
  // A write that the kill interrupted may be there though it was not acknowledged.
  const written = [...acknowledged.accounts].map(([address, least]) => [address, least, acknowledged.written] as const);
  const fetched = [...acknowledged.fetched].map(([address, lamports]) => [address, lamports, lamports] as const);
  const accounts = [...written, ...fetched];
  for (let from = 0; from < accounts.length; from += 100) {
    const asked = accounts.slice(from, from + 100);
    const config = { encoding: 'base64', dataSlice: { offset: 0, length: 0 }, commitment: 'finalized' };
    const found = member(await result('getMultipleAccounts', [asked.map(([address]) => address), config]), 'value');
    asked.forEach(([address, least, most], index) => {
      const kept = isJsonArray(found) ? member(found[index], 'lamports') : undefined;
      const isKept = typeof kept === 'number' && kept >= least && kept <= most;
      if (!isKept) lost.push(`account ${address}: ${JSON.stringify(kept)} instead of ${least}`);
    });
  }
  for (const [keyId, key] of acknowledged.keys) {
    const { status } = await local.rpc('getSlot', [], key);
    if (status !== 200 && status !== 429) lost.push(`key ${keyId}: ${status}`);
  }
  return lost;
}

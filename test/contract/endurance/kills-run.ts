// Kills the service, or the terminal that it runs under, with SIGKILL at moments that chance picks while it is written to
// from all sides, starts it again on its state file, and asks for everything that it had told as finalized. The same seed
// picks the same moments.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isJsonArray, member, type JsonValue } from '../../../core/values/json/json';
import { spawnLocalnet, startLocalnet, type Localnet } from '../../support/process/localnet';
import { descendantsOf, isRunning } from '../../support/process/processes';
import { PubSub } from '../../support/wire/pubSub';
import { freshKey } from '../rpc/rpc-harness';
import { chance } from './fuzz-random';
import { until } from './kills/engine';

interface KillsReport {
  /** Kills so far. */
  readonly kills: number;
  /** Restarts that loaded the file. */
  readonly loaded: number;
  /** Transactions, accounts and keys that were told to be kept, and asked for again. */
  readonly told: number;
  /** What was told as kept and is not there any more, and starts that failed. */
  readonly lost: readonly string[];
  /** Of the transactions, those that the ledger did not reach back to any more when it was asked last. */
  readonly forgotten: number;
  /** Kills while a new snapshot stood beside the file, half written. */
  readonly duringSnapshot: number;
}

/** The service is killed once it has told so many things, or fewer. */
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

/** What was told as kept. */
interface Told {
  readonly transactions: { readonly signature: string; readonly slot: number }[];
  /** How many of them were told before the life that ended last. */
  before: number;
  /** How many the ledger does not reach back to any more. */
  forgotten: number;
  /** The lamports that an account was last set to, as far as that was answered. */
  readonly accounts: Map<string, number>;
  /** The lamports that were last sent: they grow with every write. */
  written: number;
  readonly keys: Map<string, string>;
}

interface KillsOptions {
  readonly kills: number;
  readonly seed: number;
  /** The process that is killed starts the service: `solana-rpc localnet`. */
  readonly isTerminal?: boolean;
}

/** `solana-rpc localnet`, as built. */
const startTerminal: typeof spawnLocalnet = (args) => {
  const child = spawn(process.execPath, [PROGRAM, 'localnet', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
};
const PROGRAM = path.join(__dirname, '..', '..', '..', 'dist', 'cli.js');

/** `onKill` is told after each kill how far it is. What it makes is gone at its end, and at the end of the process. */
export async function kills(
  options: KillsOptions,
  onKill: (report: KillsReport) => void = () => undefined,
): Promise<KillsReport> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kills-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const file = path.join(folder, 'ledger.state');
  const random = chance(options.seed);
  const told: Told = { transactions: [], before: 0, forgotten: 0, accounts: new Map(), written: 0, keys: new Map() };
  const lost: string[] = [];
  let [loaded, duringSnapshot, killed] = [0, 0, 0];
  const report = (): KillsReport => ({
    kills: killed,
    loaded,
    told: told.transactions.length + told.accounts.size + told.keys.size,
    lost: lost.slice(0, 20),
    forgotten: told.forgotten,
    duringSnapshot,
  });
  try {
    for (let round = 1; round <= options.kills + 1; round++) {
      const last = round === options.kills + 1;
      let local: Localnet;
      try {
        local = await startLocalnet(
          ['--state', file, '--plan', 'Shared Metal', '--slot-ms', '20', '--traffic', '300'],
          options.isTerminal === true ? startTerminal : spawnLocalnet,
        );
      } catch (error) {
        lost.push(`start ${round}: ${error instanceof Error ? error.message : String(error)}`);
        break;
      }
      if (round > 1) loaded++;
      lost.push(...(await missing(local, told, last ? ASKED_LAST : ASKED)).map((what) => `start ${round}: ${what}`));
      if (last) {
        await local.stop();
        break;
      }
      told.before = told.transactions.length;
      const started = descendantsOf(local.process.pid ?? 0);
      await liveAndDie(local, told, random.below(LONGEST_LIFE));
      if (!(await until(() => !started.some(({ pid }) => isRunning(pid))))) lost.push(`kill ${round}: left an orphan`);
      killed++;
      if (statSync(`${file}.new`, { throwIfNoEntry: false }) !== undefined) duringSnapshot++;
      onKill(report());
    }
  } finally {
    process.off('exit', remove);
    remove();
  }
  return report();
}

/** Writes from all sides and notes what is told, until the kill after `life` things. */
async function liveAndDie(local: Localnet, told: Told, life: number): Promise<void> {
  const ended = once(local.process, 'exit');
  let left = life;
  const note = (): void => {
    if (left-- === 0) local.process.kill('SIGKILL');
  };
  note();
  // What the kill interrupts fails: that is no answer, and nothing was told.
  await Promise.all([
    Promise.race([followFinalized(local, told, note), ended]).catch(() => undefined),
    setAccounts(local, told, note).catch(() => undefined),
    makeKeys(local, told, note).catch(() => undefined),
  ]);
  await ended;
}

/** Notes every transaction that a subscriber at finalized is told of. */
async function followFinalized(local: Localnet, told: Told, note: () => void): Promise<void> {
  const client = await PubSub.open(local);
  const logs = await client.subscribe('logsSubscribe', ['all']);
  for (;;) {
    const notice = await client.notified(logs);
    const signature = member(member(notice, 'value'), 'signature');
    const slot = Number(member(member(notice, 'context'), 'slot'));
    if (typeof signature === 'string') told.transactions.push({ signature, slot });
    note();
  }
}

/** Accounts set from outside hold at every commitment once the call is answered. */
async function setAccounts(local: Localnet, told: Told, note: () => void): Promise<never> {
  for (;;) {
    const lamports = ++told.written;
    const number = lamports % ACCOUNTS;
    const { address } = freshKey(`account ${number}`);
    const data = Buffer.alloc(number % LARGE === 0 ? LARGE_BYTES : 64, lamports).toString('base64');
    await local.cheat('setAccount', { address, lamports, data });
    told.accounts.set(address, lamports);
    note();
  }
}

async function makeKeys(local: Localnet, told: Told, note: () => void): Promise<never> {
  for (;;) {
    const { keyId, key } = await local.newKey({ type: 'rpc', plan: 'Free' });
    told.keys.set(keyId, key);
    note();
    // The service has room for so many keys: each makes room for the next.
    const [oldest = ''] = told.keys.keys();
    if (told.keys.size < KEYS) continue;
    told.keys.delete(oldest);
    await local.admin('DELETE', `/keys/${oldest}`);
  }
}

/** What was told as kept, the newest `most` of the transactions, and is not there. */
async function missing(local: Localnet, told: Told, most: number): Promise<string[]> {
  const lost: string[] = [];
  const result = async (method: string, params: unknown[]): Promise<JsonValue | undefined> =>
    member((await local.rpc(method, params)).json, 'result');
  // A ledger forgets its oldest transactions where there are many, more than were told; never those of the life before.
  const first = Number(await result('getFirstAvailableBlock', []));
  told.forgotten = told.transactions.filter(({ slot }) => slot < first).length;
  const signatures = told.transactions
    .filter(({ slot }, at) => at >= told.before || (at >= told.transactions.length - most && slot >= first))
    .map(({ signature }) => signature);
  for (let from = 0; from < signatures.length; from += AT_ONCE) {
    const asked = signatures.slice(from, from + AT_ONCE);
    const found = member(await result('getSignatureStatuses', [asked, { searchTransactionHistory: true }]), 'value');
    asked.forEach((signature, index) => {
      const status = isJsonArray(found) ? member(found[index], 'confirmationStatus') : undefined;
      if (status !== 'finalized') lost.push(`transaction ${signature}: ${JSON.stringify(status)}`);
    });
  }
  const accounts = [...told.accounts];
  for (let from = 0; from < accounts.length; from += 100) {
    const asked = accounts.slice(from, from + 100);
    const config = { encoding: 'base64', dataSlice: { offset: 0, length: 0 }, commitment: 'finalized' };
    const found = member(await result('getMultipleAccounts', [asked.map(([address]) => address), config]), 'value');
    asked.forEach(([address, lamports], index) => {
      const kept = isJsonArray(found) ? member(found[index], 'lamports') : undefined;
      // A write that the kill came upon may be there though nobody was told.
      const isKept = typeof kept === 'number' && kept >= lamports && kept <= told.written;
      if (!isKept) lost.push(`account ${address}: ${JSON.stringify(kept)} instead of ${lamports}`);
    });
  }
  for (const [keyId, key] of told.keys) {
    const { status } = await local.rpc('getSlot', [], key);
    if (status !== 200 && status !== 429) lost.push(`key ${keyId}: ${status}`);
  }
  return lost;
}

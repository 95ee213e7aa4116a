// Fetches what a transaction needs to run again: the transaction, its accounts and lookup tables, the code of its programs,
// and for accounts that may have changed since, when they last did. One read after the other, bounded.
import { failed, invalidRequest, ok, type Result, type ServiceError } from '../../core/service/errors';
import { accountsBefore } from '../../core/solana/replay/before';
import { accountFromJson, type ChainAccount } from '../../core/solana/chain/accountJson';
import type { ExpectedOutcome, ReplayCase, ReplayStep } from '../../core/solana/replay/case';
import { landedTransaction, neededBy, type AnsweredTransaction } from '../../core/solana/replay/needs';
import { outcomeOfMeta } from '../../core/solana/replay/outcome';
import { programDataOf, isOfEngine } from '../../core/solana/replay/programs';
import { integerOf, isJsonArray, member, type JsonValue } from '../../core/solana/json/json';
import { shownBy } from '../../core/solana/chain/chain';
import { MULTIPLE_ACCOUNTS } from '../../core/solana/chain/limits';

export interface GatherPorts {
  /** The result of one call at the endpoint. */
  read(method: string, params: JsonValue): Promise<Result<JsonValue>>;
  /** The current step. */
  onStep(step: ReplayStep): void;
}

/** Data of all accounts together. Bytes. */
const MAX_BYTES = 50 * 1024 * 1024;
/** Accounts that are asked when they last changed. */
const MAX_ASKED = 24;

const COMMITMENT = 'confirmed';
/** A block without its transactions. */
const BLOCK = { transactionDetails: 'none', rewards: false, commitment: COMMITMENT, maxSupportedTransactionVersion: 1 };

export async function gatherCase(signature: string, ports: GatherPorts): Promise<Result<ReplayCase>> {
  ports.onStep({ kind: 'transaction' });
  const config = { encoding: 'base64', commitment: COMMITMENT, maxSupportedTransactionVersion: 1 };
  const answer = await ports.read('getTransaction', [signature, config]);
  if (!answer.ok) return answer;
  if (answer.value === null) return failed(notFound(signature));
  const landed = landedTransaction(answer.value);
  if (typeof landed === 'string') return refused(`The transaction cannot be replayed: ${landed}.`);
  const clock = await clockOf(landed, ports);
  const now = await accountsOf(landed, ports);
  if (!now.ok) return now;
  const { accounts, notes } = accountsBefore(landed, now.value);
  const changes = await changesSince(landed, now.value, ports);
  if (!changes.ok) return changes;
  return ok({
    signature: landed.signature,
    wire: landed.wire,
    slot: landed.slot,
    ...clock,
    accounts,
    expected: expectedOf(landed),
    notes: [...changes.value, ...notes, ...ownChanges(landed)],
  });
}

const refused = (message: string): Result<never> => failed(invalidRequest(message));

const notFound = (signature: string): ServiceError =>
  invalidRequest(
    `No confirmed transaction has the signature ${signature}.`,
    `Wait for it with: solana-rpc watch ${signature}; old ones need an endpoint with history.`,
  );

/**
 * The time that the transaction ran with, and whose it is. With Alpenglow a block's own time is that of its end, and what ran
 * in it saw the parent's; with TowerBFT it saw its own block's. A node that says nothing of its chain counts as Alpenglow.
 */
async function clockOf(
  { slot, blockTime }: AnsweredTransaction,
  ports: GatherPorts,
): Promise<Required<Pick<ReplayCase, 'blockTime' | 'clock'>>> {
  const resultOf = async (method: string, params: JsonValue): Promise<JsonValue | undefined> => {
    const answer = await ports.read(method, params);
    return answer.ok ? answer.value : undefined;
  };
  const certificate = await resultOf('getAgGenesisCert', []);
  const { consensus, genesisSlot } = shownBy('getAgGenesisCert', certificate) ?? {};
  if (consensus === 'tower' || (genesisSlot !== undefined && slot <= genesisSlot))
    return { blockTime, clock: 'the time of its block, as in TowerBFT' };
  const block = await resultOf('getBlock', [slot, BLOCK]);
  const parent = integerOf(member(block, 'parentSlot'));
  const time = parent === undefined ? undefined : integerOf(await resultOf('getBlockTime', [Number(parent)]));
  return time !== undefined && time > 0n && time <= blockTime
    ? { blockTime: Number(time), clock: `the time of the parent block, slot ${parent}` }
    : { blockTime, clock: 'the time of its block; the time of the parent could not be read and may be earlier' };
}

/** Parts that the node did not keep are not compared. */
function expectedOf({ meta, addresses }: AnsweredTransaction): ExpectedOutcome {
  const { logs, tokens, ...expected } = outcomeOfMeta(meta, addresses);
  const has = (name: string): boolean => isJsonArray(member(meta, name));
  return { ...expected, ...(has('logMessages') && { logs }), ...(has('postTokenBalances') && { tokens }) };
}

type Accounts = ReadonlyMap<string, ChainAccount>;

async function accountsOf(landed: AnsweredTransaction, ports: GatherPorts): Promise<Result<Accounts>> {
  const named = await readAccounts(neededBy(landed), 'accounts', ports);
  if (!named.ok) return named;
  const codes = [...named.value.values()].flatMap((account) => programDataOf(account) ?? []);
  const missing = [...new Set(codes)].filter((address) => !named.value.has(address));
  const found = await readAccounts(missing, 'programs', ports);
  if (!found.ok) return found;
  const accounts = new Map([...named.value, ...found.value]);
  const bytes = [...accounts.values()].reduce((sum, { data }) => sum + data.length, 0);
  return bytes > MAX_BYTES ? refused(`Its accounts are larger than ${MAX_BYTES / 1024 / 1024} MiB.`) : ok(accounts);
}

async function readAccounts(
  addresses: readonly string[],
  kind: 'accounts' | 'programs',
  ports: GatherPorts,
): Promise<Result<Accounts>> {
  const found = new Map<string, ChainAccount>();
  for (let from = 0; from < addresses.length; from += MULTIPLE_ACCOUNTS) {
    const asked = addresses.slice(from, from + MULTIPLE_ACCOUNTS);
    ports.onStep({ kind, count: asked.length });
    const answer = await ports.read('getMultipleAccounts', [asked, { encoding: 'base64', commitment: COMMITMENT }]);
    if (!answer.ok) return answer;
    const values = member(answer.value, 'value');
    if (!isJsonArray(values) || values.length !== asked.length)
      return refused('The endpoint did not answer with one value for each account.');
    for (const [index, address] of asked.entries()) {
      const account = accountFromJson(values[index]);
      if (typeof account === 'string') return refused(`The endpoint answers ${address} wrongly: ${account}.`);
      if (account !== undefined) found.set(address, account);
    }
  }
  return ok(found);
}

/** Which accounts were named by a later transaction, and may hold other data than then. */
async function changesSince(
  { addresses, slot }: AnsweredTransaction,
  now: Accounts,
  ports: GatherPorts,
): Promise<Result<readonly string[]>> {
  const [payer] = addresses;
  const asked = addresses.filter((address) => {
    const account = now.get(address);
    if (account === undefined || address === payer) return false;
    return !account.executable && !isOfEngine(account) && account.data.length > 0;
  });
  const notes: string[] = [];
  for (const [index, address] of asked.slice(0, MAX_ASKED).entries()) {
    ports.onStep({ kind: 'changes', at: index + 1, of: Math.min(asked.length, MAX_ASKED) });
    const answer = await ports.read('getSignaturesForAddress', [address, { limit: 1, commitment: COMMITMENT }]);
    // A node without this index only limits the reasons that can be given.
    if (!answer.ok && answer.error.kind !== 'rpc') return answer;
    const [newest] = answer.ok && isJsonArray(answer.value) ? answer.value : [];
    const last = integerOf(member(newest, 'slot'));
    if (last !== undefined && last > BigInt(slot))
      notes.push(`${address} was named by a transaction at slot ${last}, after slot ${slot}: its data may be newer.`);
  }
  if (asked.length > MAX_ASKED)
    notes.push(`${asked.length - MAX_ASKED} more accounts were not asked when they changed last.`);
  return ok(notes);
}

/** The writes of a successful transaction are still there when it runs again. */
const ownChanges = ({ meta }: AnsweredTransaction): readonly string[] =>
  member(meta, 'err') === null
    ? ['It succeeded: apart from lamports and token amounts, its accounts already hold its own writes.']
    : [];

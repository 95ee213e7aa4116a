// The accounts of a transaction as they were before it ran, as far as its own record says it: lamports, amounts of tokens,
// the addresses it took from lookup tables. Other data is as an endpoint has it now; notes say what has changed since.
import { decodeBase58, encodeBase58 } from '../encoding/base58';
import { integerOf } from '../json/json';
import { MAX_U64 } from '../chain/lamports';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/addresses';
import type { ReplayAccounts } from './case';
import type { ChainAccount } from '../chain/accountJson';
import type { AnsweredTransaction } from './needs';
import { listIn, tokenAmounts, type MetaTokenAmount } from './outcome';
import { deployedBefore, deploySlotOf, isOfEngine, RENT } from './programs';
import { viewOf } from '../encoding/bytes';

const TOKEN_PROGRAMS: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
/** A token account: mint, owner, amount, state (SPL Token, `Account`). Bytes. */
const TOKEN = { mint: 0, owner: 32, amount: 64, state: 108, bytes: 165 } as const;
const INITIALIZED = 1;

const TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111';
/** A lookup table: kind, slot of deactivation, slot of the last extension, then from `head` on the addresses. Bytes. */
const TABLE = { kind: 0, deactivation: 4, extended: 12, head: 56 } as const;
const LOOKUP_TABLE = 1;

export interface AccountsBefore {
  readonly accounts: ReplayAccounts;
  /** Sentences. */
  readonly notes: readonly string[];
}

/** `now`: what an endpoint answered; addresses without an account are left out. */
export function accountsBefore(landed: AnsweredTransaction, now: ReplayAccounts): AccountsBefore {
  const { addresses, meta, slot } = landed;
  const notes: string[] = [];
  const accounts = new Map([...now].filter(([address, account]) => address === RENT || !isOfEngine(account)));
  const tokens = new Map(tokenAmounts(meta, 'preTokenBalances', addresses).map((one) => [one.address, one]));
  const ofEngine = new Set([...now].flatMap(([address, account]) => (isOfEngine(account) ? [address] : [])));
  for (const [index, value] of listIn(meta, 'preBalances').entries()) {
    const [address, lamports] = [addresses[index], integerOf(value)];
    if (address === undefined || lamports === undefined || ofEngine.has(address)) continue;
    if (lamports === 0n) {
      accounts.delete(address);
      continue;
    }
    const found = accounts.get(address);
    if (found === undefined) notes.push(`${address} has been closed since; its data is not known.`);
    const account = { ...(found ?? closedAccount(tokens.get(address))), lamports };
    accounts.set(address, withAmount(account, tokens.get(address)));
  }
  for (const [address, account] of accounts) {
    const deployed = deploySlotOf(account);
    if (deployed === undefined || deployed < BigInt(slot)) continue;
    notes.push(`${address} holds code that was deployed at slot ${deployed}, not before slot ${slot}.`);
    accounts.set(address, deployedBefore(account));
  }
  for (const [address, table] of tablesOf(landed, accounts)) accounts.set(address, table);
  return { accounts, notes };
}

/** An account that was closed, as far as it is known. */
function closedAccount(token: MetaTokenAmount | undefined): ChainAccount {
  const empty = { lamports: 0n, executable: false, rentEpoch: MAX_U64 };
  if (token?.program === undefined || token.owner === undefined)
    return { ...empty, owner: SYSTEM_PROGRAM, data: new Uint8Array() };
  const data = new Uint8Array(TOKEN.bytes);
  data.set(decodeBase58(token.mint) ?? [], TOKEN.mint);
  data.set(decodeBase58(token.owner) ?? [], TOKEN.owner);
  data[TOKEN.state] = INITIALIZED;
  return { ...empty, owner: token.program, data };
}

function withAmount(account: ChainAccount, token: MetaTokenAmount | undefined): ChainAccount {
  const { owner, data } = account;
  if (token === undefined || !TOKEN_PROGRAMS.includes(owner) || data.length < TOKEN.bytes) return account;
  if (encodeBase58(data.subarray(TOKEN.mint, TOKEN.owner)) !== token.mint) return account;
  const changed = Uint8Array.from(data);
  viewOf(changed).setBigUint64(TOKEN.amount, token.amount, true);
  return { ...account, data: changed };
}

/** The lookup tables with the addresses that the transaction took from them, open and extended long ago. */
function tablesOf({ message, addresses }: AnsweredTransaction, accounts: ReplayAccounts): ReplayAccounts {
  const tables = new Map<string, ChainAccount>();
  const writable = message.lookups.flatMap((lookup) => placesOf(lookup.table, lookup.writable));
  const readonly = message.lookups.flatMap((lookup) => placesOf(lookup.table, lookup.readonly));
  const loaded = addresses.slice(message.accountKeys.length);
  for (const [index, { table, place }] of [...writable, ...readonly].entries()) {
    const address = decodeBase58(loaded[index] ?? '');
    if (address?.length !== 32) continue;
    const account = tables.get(table) ?? openTable(accounts.get(table));
    const end = TABLE.head + (place + 1) * 32;
    const data = new Uint8Array(Math.max(account.data.length, end));
    data.set(account.data);
    data.set(address, end - 32);
    tables.set(table, { ...account, data });
  }
  return tables;
}

const placesOf = (
  table: Uint8Array,
  places: Uint8Array,
): readonly { readonly table: string; readonly place: number }[] =>
  [...places].map((place) => ({ table: encodeBase58(table), place }));

function openTable(account: ChainAccount | undefined): ChainAccount {
  const isTable = account?.owner === TABLE_PROGRAM && account.data.length >= TABLE.head;
  const data = isTable ? Uint8Array.from(account.data) : new Uint8Array(TABLE.head);
  const view = viewOf(data);
  view.setUint32(TABLE.kind, LOOKUP_TABLE, true);
  view.setBigUint64(TABLE.deactivation, MAX_U64, true);
  view.setBigUint64(TABLE.extended, 0n, true);
  const made = { lamports: 1_000_000_000n, owner: TABLE_PROGRAM, executable: false, rentEpoch: MAX_U64 };
  return { ...(isTable ? account : made), data };
}

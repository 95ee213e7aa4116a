// Fetches the accounts of --clone and its kin before the ledger begins. Also fetches the accounts that the engine
// needs with them: the code of programs, and the accounts that a lookup table names.
import { codeAddressOf, readLookupTable, withoutSlot, type AccountState, type FetchedAccount } from '../node/open';
import { LOOKUP_TABLE_PROGRAM } from '../ledger/accounts/addresses';
import type { CloneOrder } from '../optionReads';
import { SourceError, type SourceChannel } from './channel';

/** Rejects with SourceError where an account is not there or is not what it should be. */
export async function fetchClones(
  orders: readonly CloneOrder[],
  source: SourceChannel,
): Promise<readonly (readonly [address: string, fetched: FetchedAccount])[]> {
  const found = await source.all(new Set(orders.map(({ address }) => address)));
  const tables = new Set<string>();
  for (const { address, kind } of orders) {
    const account = found.get(address)?.account;
    if (account === undefined) {
      if (kind !== 'maybe') throw new SourceError(`${address} does not exist at ${source.name}.`);
      continue;
    }
    if (kind === 'program' && codeAddressOf(account) === undefined)
      throw new SourceError(`${address} is not a program of the upgradeable loader at ${source.name}; use --clone.`);
    if (kind === 'table') for (const named of namedIn(address, account, source.name)) tables.add(named);
  }
  for (const [address, one] of await source.all(missing(tables, found))) found.set(address, one);
  const codes = new Map([...found].flatMap(([program, { account }]) => codeOf(program, account)));
  for (const [address, one] of await source.all(missing(codes.keys(), found))) found.set(address, one);
  for (const [address, program] of codes) {
    const code = found.get(address);
    if (code?.account === undefined)
      throw new SourceError(`The code of the program ${program} does not exist at ${source.name}.`);
    // The slot of the deployment may lie ahead of a ledger that begins at its own first slot.
    found.set(address, { ...code, account: withoutSlot(code.account) });
  }
  return [...found];
}

function codeOf(program: string, account: AccountState | undefined): [code: string, program: string][] {
  const code = codeAddressOf(account);
  return code === undefined ? [] : [[code, program]];
}

function namedIn(address: string, { owner, data }: AccountState, name: string): readonly string[] {
  const table = owner === LOOKUP_TABLE_PROGRAM ? readLookupTable(data) : undefined;
  if (table === undefined) throw new SourceError(`${address} is not an address lookup table at ${name}.`);
  return table.addresses;
}

function missing(addresses: Iterable<string>, found: ReadonlyMap<string, FetchedAccount>): readonly string[] {
  return [...new Set(addresses)].filter((address) => !found.has(address));
}

// Address lookup tables: reads a table account and resolves what a message loads through it. The engine does the same
// again and has the last word; this answer is for the record (which accounts, in which order).
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { AccountView } from './accounts';
import { LOOKUP_TABLE_PROGRAM } from './addresses';
import type { AccountState, LoadedAddresses, TransactionError } from '../types';
import type { DecodedMessage } from '../transaction/wireTypes';
import { viewOf } from '../../../core/solana/encoding/bytes';

/** Bytes before the first address. */
const HEAD = 56;
const INITIALIZED = 1;

export interface StoredTable {
  readonly deactivationSlot: bigint;
  readonly lastExtendedSlot: bigint;
  readonly lastExtendedStartIndex: number;
  /** `undefined` once the table is frozen. */
  readonly authority: string | undefined;
  readonly addresses: readonly string[];
}

/** The lookup table; `undefined` if the data is not a table. */
export function readLookupTable(data: Uint8Array): StoredTable | undefined {
  if (data.length < HEAD || (data.length - HEAD) % 32 !== 0) return undefined;
  const view = viewOf(data);
  if (view.getUint32(0, true) !== INITIALIZED) return undefined;
  const addresses: string[] = [];
  for (let at = HEAD; at < data.length; at += 32) addresses.push(encodeBase58(data.subarray(at, at + 32)));
  return {
    deactivationSlot: view.getBigUint64(4, true),
    lastExtendedSlot: view.getBigUint64(12, true),
    lastExtendedStartIndex: data[20] ?? 0,
    authority: data[21] === 1 ? encodeBase58(data.subarray(22, 54)) : undefined,
    addresses,
  };
}

const NOTHING: LoadedAddresses = { writable: [], readonly: [] };

/** The addresses that the message loads: writable ones of all tables, then the readonly ones; or why it cannot. */
export function resolveLookups(
  message: DecodedMessage,
  accounts: Pick<AccountView, 'get'>,
): { readonly loaded: LoadedAddresses; readonly err?: TransactionError } {
  if (message.lookups.length === 0) return { loaded: NOTHING };
  const writable: string[] = [];
  const readonly: string[] = [];
  for (const use of message.lookups) {
    const account: AccountState | undefined = accounts.get(use.table);
    if (account === undefined) return { loaded: NOTHING, err: 'AddressLookupTableNotFound' };
    if (account.owner !== LOOKUP_TABLE_PROGRAM) return { loaded: NOTHING, err: 'InvalidAddressLookupTableOwner' };
    const table = readLookupTable(account.data);
    if (table === undefined) return { loaded: NOTHING, err: 'InvalidAddressLookupTableData' };
    for (const [indexes, into] of [
      [use.writableIndexes, writable],
      [use.readonlyIndexes, readonly],
    ] as const)
      for (const index of indexes) {
        const address = table.addresses[index];
        if (address === undefined) return { loaded: NOTHING, err: 'InvalidAddressLookupTableIndex' };
        into.push(address);
      }
  }
  return { loaded: { writable, readonly } };
}

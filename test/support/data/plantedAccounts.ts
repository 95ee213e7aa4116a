// Accounts that a local service begins with: a program that published its IDL, an account of it, and whatever else a test
// plants there.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { keyOf, layOut } from './layouts';

/** The address may be that of a program's IDL, which not every program has. */
export type PlantedAccount = readonly [address: string | undefined, owner: string, data: Uint8Array];

/** The IDL `counter` as a file. */
export const COUNTER_IDL = path.join(__dirname, '..', '..', 'fixtures', 'counter', 'idl.json');

/** An account of it whose count is 41. */
export const COUNTER_DATA = layOut(
  createHash('sha256').update('account:Counter').digest().subarray(0, 8),
  [8, 41],
  keyOf(3),
);

/** The account in which a program publishes the text of its IDL. */
export function idlAccount(text: string): Uint8Array {
  const packed = deflateSync(text);
  return layOut(new Uint8Array(8), keyOf(0xaa), [4, packed.length], packed, new Uint8Array(64));
}

/** The options that begin the ledger with the accounts, whose files stand in `folder`. */
export function accountOptions(folder: string, accounts: readonly PlantedAccount[]): readonly string[] {
  return accounts.flatMap(([address = '', owner, data], at) => {
    const file = path.join(folder, `${at}.json`);
    const account = {
      lamports: 10_000_000,
      data: [Buffer.from(data).toString('base64'), 'base64'],
      owner,
      executable: false,
      rentEpoch: 0,
    };
    writeFileSync(file, JSON.stringify({ pubkey: address, account }));
    return ['--account', address, file];
  });
}

// Accounts that a local service begins with: a program that published its IDL, an account of it, and anything else a test
// plants there.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
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

export interface MetadataParts {
  /** Base58. */
  readonly program: string;
  /** Without one it is the canonical account, whose authority is the program's. */
  readonly authority?: string;
  readonly seed?: string;
  readonly encoding?: number;
  readonly compression?: number;
  readonly format?: number;
  /** 0 direct, 1 URL, 2 another account. */
  readonly source?: number;
  readonly data: Uint8Array | string;
}

/** An account of the Program Metadata program, by the layout of its source; allocated larger than its data. */
export function metadataAccount({ program, authority, seed = 'idl', ...head }: MetadataParts): Uint8Array {
  const { encoding = 1, compression = 0, format = 1, source = 0 } = head;
  const data = layOut(head.data);
  return layOut(
    [1, 2],
    bytesOf(program),
    authority === undefined ? keyOf(0xaa) : bytesOf(authority),
    [1, 1],
    [1, authority === undefined ? 1 : 0],
    Buffer.from(seed.padEnd(16, '\0')),
    [1, encoding],
    [1, compression],
    [1, format],
    [1, source],
    [4, data.length],
    new Uint8Array(5),
    data,
    new Uint8Array(40),
  );
}

/** Where an account of `metadataAccount` finds its document in another one; a length of 0 is the rest of it. */
export const externalData = (address: string, offset: number, length: number): Uint8Array =>
  layOut(bytesOf(address), [4, offset], [4, length]);

const bytesOf = (address: string): Uint8Array => decodeBase58(address) ?? new Uint8Array(0);

/** The options that begin the ledger with the accounts, whose files are written to `folder`. */
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

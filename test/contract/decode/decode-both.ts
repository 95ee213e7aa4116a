// Shared by the agreement tests of the decoders: one account as the local service explains it and as the decoders read
// its bytes, both as plain values.
import assert from 'node:assert/strict';
import { address as kitAddress } from '@solana/kit';
import { AccountState, getMintEncoder, getTokenEncoder } from '@solana-program/token';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { decodeAccount } from '../../../core/solana/decode/decode';
import { NO_PROGRAMS, type Decoded, type DecodedField, type DecodedValue } from '../../../core/solana/decode/decoded';
import { WireText } from '../../../localnet/api';
import { keyOf } from '../../support/data/layouts';
import { digits, freshKey, textOf, TOKEN, type Bench } from '../rpc/rpc-harness';

const AUTHORITY = encodeBase58(keyOf(0xaa));
const DELEGATE = encodeBase58(keyOf(0xbb));

/** JSON as a node writes it, with numbers as their digits and amounts without what is only for display. */
export function plainJson(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object' || value === null) return value;
  if ('uiAmountString' in value && 'amount' in value) return value.amount;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, plainJson(inside)]));
}

/** Decoded fields in the same form. */
export const plainFields = (fields: readonly DecodedField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ name, value }) => [name, plainValue(value)]));

function plainValue(value: DecodedValue): unknown {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'integer':
    case 'float':
      return String(value.value);
    case 'pubkey':
      return value.address;
    case 'bytes':
      return Buffer.from(value.bytes).toString('base64');
    case 'flag':
      return value.value;
    case 'none':
      return null;
    case 'list':
      return value.items.map(plainValue);
    case 'fields':
      return { ...(value.name === undefined ? {} : { extension: value.name }), ...plainFields(value.fields) };
  }
}

/** Long texts in one piece, numbers as their digits. */
const whole = (key: string, value: unknown): unknown =>
  value instanceof WireText ? textOf(value) : digits(key, value);

/** Two readings of one account. */
export interface Both {
  /** The service's; a bare list is under `entries`. */
  readonly info: Record<string, unknown>;
  readonly type: string;
  readonly decoded: Decoded;
}

/** The service's and the decoders' reading of one account. */
export async function bothOf(bench: Bench, address: string): Promise<Both> {
  const config = { commitment: 'processed' };
  const parsed = await bench.call('getAccountInfo', address, { ...config, encoding: 'jsonParsed' });
  const raw = await bench.call('getAccountInfo', address, { ...config, encoding: 'base64' });
  const answer = JSON.parse(JSON.stringify(parsed['value']?.['data'], whole)) as {
    parsed?: { type: string; info: unknown };
  };
  assert.ok(answer.parsed, `the service explains ${address}`);
  const data = Buffer.from(textOf(raw['value']?.['data']?.[0]), 'base64');
  const account = { address, owner: textOf(raw['value']?.['owner']), lamports: 1n, data, executable: false };
  const decoded = decodeAccount(account, NO_PROGRAMS);
  assert.ok(decoded, `${address} decodes`);
  const info = plainJson(answer.parsed.info);
  return {
    info: (Array.isArray(info) ? { entries: info } : info) as Record<string, unknown>,
    type: answer.parsed.type,
    decoded,
  };
}

let places = 0;
/** Puts the bytes under a new address, and answers both readings. */
export function put(bench: Bench, owner: string, data: Uint8Array): Promise<Both> {
  const { address } = freshKey(`agreement ${places++}`);
  bench.ledger.cheats.setAccount(address, { owner, lamports: 10_000_000n, data });
  return bothOf(bench, address);
}

export const mintData = (decimals = 6): Uint8Array =>
  Uint8Array.from(
    getMintEncoder().encode({
      mintAuthority: kitAddress(AUTHORITY),
      supply: 123_456_789n,
      decimals,
      isInitialized: true,
      freezeAuthority: null,
    }),
  );

/** A token account of a mint that the ledger holds. */
export function tokenData(bench: Bench, native: bigint | null): Uint8Array {
  const mint = freshKey('agreement mint').address;
  bench.ledger.cheats.setAccount(mint, { owner: TOKEN, lamports: 10_000_000n, data: mintData() });
  return Uint8Array.from(
    getTokenEncoder().encode({
      mint: kitAddress(mint),
      owner: kitAddress(AUTHORITY),
      amount: 2n ** 64n - 1n,
      delegate: kitAddress(DELEGATE),
      state: AccountState.Frozen,
      isNative: native,
      delegatedAmount: 77n,
      closeAuthority: kitAddress(AUTHORITY),
    }),
  );
}

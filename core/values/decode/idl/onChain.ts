// The IDL a program has published on the chain, by Anchor's way: where its account is, and what its data holds.
import { ByteReader } from '../../encoding/bytes';
import { addressWithSeed, programAddress } from '../../solana/programAddress';
import { MAX_IDL_TEXT, readIdl, type ReadIdl } from './read';

/** Ends zlib data (RFC 1950) as its bytes; throws, or rejects, for data that is none and for more than `most` bytes. */
export type Inflate = (data: Uint8Array, most: number) => Uint8Array | Promise<Uint8Array>;

/** The account that holds the IDL of a program (base58). `undefined` for a text that is no key. */
export function idlAddress(program: string): string | undefined {
  const base = programAddress([], program);
  return base === undefined ? undefined : addressWithSeed(base.address, 'anchor:idl', program);
}

/** Eight bytes of discriminator, the authority, and the length of what follows in four bytes. */
const HEAD = 8 + 32;

/** The text that an account holds, and what it says. */
export interface PublishedText extends ReadIdl {
  readonly text?: string;
}

/** Reads the account's data. What is wrong with it is a problem, as with a file. */
export async function readIdlAccount(data: Uint8Array, inflate: Inflate): Promise<PublishedText> {
  const refused = (message: string): ReadIdl => ({ idl: undefined, problems: [{ place: 'the account', message }] });
  const reader = new ByteReader(data);
  reader.take(HEAD);
  const packed = reader.take(reader.u32());
  if (reader.failed || packed.length === 0) return refused('its data is no IDL that Anchor wrote');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await inflate(packed, MAX_IDL_TEXT));
  } catch {
    return refused('its data cannot be unpacked, or is longer than an IDL');
  }
  return { text, ...readIdl(text) };
}

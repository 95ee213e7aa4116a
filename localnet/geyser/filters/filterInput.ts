// Reads the parts that filters share and checks them against the limits. A filter that does not build ends its stream.
import { isPublicKey, isSignature } from '../../../core/solana/chain/keys';
import { GrpcFailure } from '../status';

/** Limits of one SubscribeRequest. */
export const LIMITS = {
  /** Bytes of a filter's name. */
  nameBytes: 128,
  /** Filters of one kind. */
  filters: 64,
  /** Addresses in one list. */
  addresses: 1_000,
  /** memcmp, datasize and the like in one account filter. */
  accountFilters: 4,
  memcmpBytes: 128,
  memcmpBase58: 175,
  memcmpBase64: 172,
  dataSlices: 64,
} as const;

export function invalid(what: string): GrpcFailure {
  return new GrpcFailure('INVALID_ARGUMENT', `failed to create filter: ${what}`);
}

/** The addresses of a list; `undefined` for an empty one, which asks for nothing in particular. */
export function filterAddresses(list: readonly string[]): ReadonlySet<string> | undefined {
  if (list.length > LIMITS.addresses) throw invalid(`Max amount of Pubkeys reached, only ${LIMITS.addresses} allowed`);
  for (const address of list) if (!isPublicKey(address)) throw invalid(`Invalid pubkey: ${quoted(address)}`);
  return list.length === 0 ? undefined : new Set(list);
}

export function filterSignature(text: string): string {
  if (!isSignature(text)) throw invalid(`Invalid signature: ${quoted(text)}`);
  return text;
}

/** Builds each filter of one kind, by name. */
export function namedFilters<Given, Built>(
  given: Readonly<Record<string, Given>>,
  build: (filter: Given) => Built,
): ReadonlyMap<string, Built> {
  const entries = Object.entries(given);
  if (entries.length > LIMITS.filters)
    throw invalid(`Max amount of filters/data_slices reached, only ${LIMITS.filters} allowed`);
  return new Map(
    entries.map(([name, filter]) => {
      if (Buffer.byteLength(name) > LIMITS.nameBytes)
        throw invalid(`Max allowed filter name size is ${LIMITS.nameBytes} bytes`);
      return [name, build(filter)];
    }),
  );
}

/** A client's text, cut to fit an error message. */
function quoted(text: string): string {
  return `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;
}

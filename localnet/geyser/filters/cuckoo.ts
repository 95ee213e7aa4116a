// Compressed sets of addresses, as clients of this interface build them: a cuckoo filter of 16-bit fingerprints under
// SipHash-2-4. It says yes to every address of the set and, rarely, to another one.
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { CuckooHashAlgorithm, type CuckooFilter } from '../../../proto';
import { invalid } from './filterInput';
import { rotateLeft, sipHash24 } from './sipHash';
import { viewOf } from '../../../core/solana/encoding/bytes';

export type AddressTest = (address: string) => boolean;

const FINGERPRINT_BITS = 16;
const MAX_ENTRIES = 16;
const ADDRESS_BYTES = 32;
/** Answers remembered per filter: the same addresses come again and again. */
const REMEMBERED = 10_000;

/** Throws GrpcFailure for a filter that does not add up. */
export function cuckooSet(filter: CuckooFilter): AddressTest {
  check(filter);
  const { data, bucketCount, entriesPerBucket, hashSeed } = filter;
  const view = viewOf(data);
  const mask = BigInt(bucketCount - 1);
  const key1 = rotateLeft(hashSeed, 32n);
  const holds = (bucket: bigint, fingerprint: number): boolean => {
    for (let entry = 0; entry < entriesPerBucket; entry++)
      if (view.getUint16((Number(bucket) * entriesPerBucket + entry) * 2, true) === fingerprint) return true;
    return false;
  };
  const remembered = new Map<string, boolean>();
  return (address) => {
    const known = remembered.get(address);
    if (known !== undefined) return known;
    const hash = sipHash24(hashSeed, key1, withLength(decodeBase58(address) ?? new Uint8Array()));
    // An empty entry is 0, so no fingerprint is.
    const fingerprint = Number((hash >> 32n) & 0xffffn) || 1;
    const bucket = hash & mask;
    const other = (bucket ^ sipHash24(hashSeed, key1, Uint8Array.of(fingerprint & 0xff, fingerprint >> 8))) & mask;
    const found = holds(bucket, fingerprint) || holds(other, fingerprint);
    if (remembered.size < REMEMBERED) remembered.set(address, found);
    return found;
  };
}

function check({ data, bucketCount, entriesPerBucket, fingerprintBits, hashAlgorithm }: CuckooFilter): void {
  if (hashAlgorithm !== CuckooHashAlgorithm.SIP_HASH) throw invalid('cuckoo filter: the hash algorithm is not known');
  if (fingerprintBits !== FINGERPRINT_BITS) throw invalid(`cuckoo filter: fingerprints have ${FINGERPRINT_BITS} bits`);
  if (bucketCount === 0 || (bucketCount & (bucketCount - 1)) !== 0)
    throw invalid('cuckoo filter: bucket_count must be a power of two');
  if (entriesPerBucket === 0 || entriesPerBucket > MAX_ENTRIES)
    throw invalid(`cuckoo filter: entries_per_bucket must be 1 to ${MAX_ENTRIES}`);
  if (data.length !== bucketCount * entriesPerBucket * 2)
    throw invalid('cuckoo filter: data is not as long as its buckets');
}

/** An address is hashed as a list: its length first. */
function withLength(address: Uint8Array): Uint8Array {
  const input = new Uint8Array(8 + address.length);
  input[0] = ADDRESS_BYTES;
  input.set(address, 8);
  return input;
}

// Compressed sets of addresses in filters.
import type { CuckooFilter } from '../../proto';
import { invalid } from './filterInput';

export type AddressTest = (address: string) => boolean;

export function cuckooSet({ fingerprintBits }: CuckooFilter): AddressTest {
  throw invalid(`compressed filters of ${fingerprintBits} bits are not known here`);
}

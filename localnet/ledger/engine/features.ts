// Which features of the engine are active: those of mainnet, of a fork's source, or all that the engine knows, without those
// that were switched off.
import { decodeBase58, encodeBase58 } from '../../../core/values/encoding/base58';
import { FEATURE_PROGRAM } from '../accounts/addresses';
import type { Consensus, LedgerChain } from '../consensus';
import type { FeatureChoice } from '../types';
import { loadNative, type Native } from './native';

/** What mainnet activated after the engine's own list of it was made, but for rent and slot time. */
const SINCE: readonly string[] = [
  // Transactions of version 1 (SIMD-0385).
  'txv1aq4pp281K9um3tnPgkfX8UqtFT6wcVW3hNezGLL',
  // A withdrawal leaves the minimum of today, not of the account's creation.
  'BY4JhHLahVzS9ynfDz4exzGPbVXhFmJvEyMWsXbDBqME',
  // Commission goes to a collector's account.
  '3HcSrCTGXTUnrTueHi4DAwNuMxZSsm5xui2Ax3mgxHqf',
  // Stake program 5.1 (SIMD-0391).
  's51VGwCAgebo2745DSUris72RavoLkXGUmVJosESCXr',
];

/** Rent of 6,333 and 5,080 (SIMD-0437), slots of 350, 300, 250 and 200 ms (SIMD-0525): of a ledger with Alpenglow alone. */
const ALPENGLOW: readonly string[] = [
  '4a6f7o7iTcA8hRDCrPLkSatnt5Ykxiu36wo5p1Tt12wC',
  '61BtM7BkDEE8Yq5fskEVAQT9mYA8qCejJWoLe5apqg81',
  'iBRL5RuWhw4yqaAZu96RUULHckHTZAoe2b77qaV38JZ',
  'iBRLL3k18HST852F1Mf3Lv83waTNQmmqvKDxvYGwQFL',
  'iBRLMc81UjRa8fn8A6eE8bJTnRbgQoPTynM51akENCV',
  'iBRLjhJnkmDZgNoZRDMW11d8ZV7HvsL3vAyRjZB5npW',
];

/** Addresses of every feature that the engine knows. Rejects with EngineUnavailableError. */
export async function knownFeatures(): Promise<readonly string[]> {
  const { FeatureSet } = await loadNative();
  return FeatureSet.allEnabled().getActiveFeatures().map(encodeBase58);
}

/** The features that are active. */
export function activeFeatures(
  native: Native,
  { set, off }: FeatureChoice,
  { consensus, sourceFeatures }: Pick<LedgerChain, 'consensus' | 'sourceFeatures'>,
): InstanceType<Native['FeatureSet']> {
  const features = native.FeatureSet.allEnabled();
  const ofSource = set === undefined && sourceFeatures !== undefined ? new Set(sourceFeatures) : undefined;
  const active = set === 'all' ? undefined : (ofSource ?? mainnetFeatures(native, consensus));
  for (const feature of features.getActiveFeatures()) {
    const address = encodeBase58(feature);
    if (active?.has(address) === false || off.includes(address)) features.deactivate(feature);
  }
  return features;
}

/** The engine's own list, which it shows as accounts, and what has changed since. */
function mainnetFeatures({ LiteSvm }: Native, consensus: Consensus): ReadonlySet<string> {
  const own = new LiteSvm().getProgramAccounts(decodeBase58(FEATURE_PROGRAM) ?? new Uint8Array(32));
  const active = new Set([...own.map(({ address }) => encodeBase58(address)), ...SINCE]);
  for (const feature of ALPENGLOW)
    if (consensus === 'alpenglow') active.add(feature);
    else active.delete(feature);
  return active;
}

// Which features of the engine are active: those of mainnet, of a fork's source, or all that the engine knows, without those
// that were switched off.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { LedgerChain } from '../consensus';
import type { FeatureChoice } from '../types';
import { loadNative, type Native } from './native';

/** Features known to the engine that mainnet had not activated by autumn 2026. */
const NOT_ON_MAINNET: readonly string[] = [
  '51VCKU5eV6mcTc9q9ArfWELU2CqDoi13hdAjr6fHMdtv',
  '5AqsUgSb6cgLizSaNiFn3o9XB7VUtKDtDZfcKEjEDmni',
  '5TuppMutoyzhUSfuYdhgzD47F92GL1g89KpCZQKqedxP',
  '6TkHkRmP7JZy1fdM6fg5uXn76wChQBWGokHBJzrLB3mj',
  '7VgiehxNxu53KdxgLspGQY8myE6f7UokaWa4jsGcaSz',
  '8aXvSuopd1PUj7UhehfXJRg6619RHp8ZvwTyyJHdUYsj',
  '9LZdXeKGeBV6hRLdxS1rHbHoEUsKqesCC2ZAPTPKJAbK',
  '9onWzzvCzNC2jfhxxeqRgs5q7nFAAKpCUvkj6T6GJK9i',
  'B1ockRevenueSharing111111111111111111111111',
  'B8JJXCy5amZyWG9r7EnUYLwzXSXTxG7GZ1qZ1qggo83g',
  'CR3dVN2Yoo95Y96kLSTaziWDAQT2MNEpiWh5cqVq2pNE',
  'DT4n6ABDqs6w4bnfwrXT9rsprcPf6cdDga1egctaPkLC',
  'EBq48m8irRKuE7ZnMTLvLg2UuGSqhe8s8oMqnmja1fJw',
  'EaQpmC6GtRssaZ3PCUM5YksGqUdMLeZ46BQXYtHYakDS',
  'ExtendProgCheckedWi11BeDe1eted11111111111111',
  'FLHoAWBDjNh6zwmJ5i1NKK4KyD8otAiv7XxvmnFnVnKH',
  'Ftxb3ZKq7aNqgxDBbP7EonvR2RszZk9ctjdsTX38kQaz',
  'GsUBNYNDPdMLHPD37TToHzrzcNcjpC9w5n1EcJk5iTaM',
  'HTW2pSyErTj4BV6KBM9NZ9VBUJVxt7sacNWcf76wtzb3',
  'LoaderV4WasAbandoned11111111111111111111111',
  'RfEcA95xnhuwooVAhUUksEJLZBF7xKCLuqrJoqk4Zph',
  'TestFeature11111111111111111111111111111111',
  'TestFeature21111111111111111111111111111111',
  'VoteAccount1nitia1izeV211111111111111111111',
  'a1penGLz8Vm2QHYB3JPefBiU4BY3Z6JkW2k3Scw5GWP',
  'chaie9S2zVfuxJKNRGkyTDokLwWxx6kD2ZLsqQHaDD8',
  'depVvnQ2UysGrhwdiwU42tCadZL8GcBb1i2GYhMopQv',
  'mZdnRh9T2EbDNvqKjkCR3bvo5c816tJaojtE9Xs7iuY',
  'ptr9umikaeAS7ZBBp2fsfRhie16F1V2jCKA2y6gXNAK',
  's512oDwgx8hjMnaQjXfqqrZroVj4HvC6TkN3iSSWXCh',
  'turbRpTzBzDU6PJmWvRTbcJXXGxUs19CvQamUrRD9bN',
  'zk1snxsc6Fh3wsGNbbHAJNHiJoYgF29mMnTSusGx5EJ',
  'zkNLP7EQALfC1TYeB3biDU7akDckj8iPkvh9y2Mt2K3',
  'zkiTNuzBKxrCLMKehzuQeKZyLtX2yvFcEKMML8nExU8',
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

/** Addresses of the features that are active in a set. */
export const addressesIn = (features: InstanceType<Native['FeatureSet']>): readonly string[] =>
  features.getActiveFeatures().map(encodeBase58);

/** Addresses of every feature that the engine knows. Rejects with EngineUnavailableError. */
export async function knownFeatures(): Promise<readonly string[]> {
  return addressesIn((await loadNative()).FeatureSet.allEnabled());
}

/** The features that are active. */
export function activeFeatures(
  native: Native,
  { set, off }: FeatureChoice,
  { consensus, sourceFeatures }: Pick<LedgerChain, 'consensus' | 'sourceFeatures'>,
): InstanceType<Native['FeatureSet']> {
  const features = native.FeatureSet.allEnabled();
  const ofSource = set === undefined && sourceFeatures !== undefined ? new Set(sourceFeatures) : undefined;
  const isMainnet = set !== 'all' && ofSource === undefined;
  const missing = new Set([
    ...off,
    ...(isMainnet ? NOT_ON_MAINNET : []),
    ...(isMainnet && consensus === 'tower' ? ALPENGLOW : []),
  ]);
  for (const feature of features.getActiveFeatures()) {
    const address = encodeBase58(feature);
    if (missing.has(address) || ofSource?.has(address) === false) features.deactivate(feature);
  }
  return features;
}

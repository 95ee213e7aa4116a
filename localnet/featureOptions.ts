// The options that choose the features of the engine.
import { isPublicKey } from '../core/solana/chain/keys';
import type { Definition } from './optionReads';

export const FEATURE_OPTIONS: Readonly<Record<string, Definition>> = {
  '--feature-set': {
    value: 'NAME',
    text: 'the features that are active: mainnet (default without --fork), or all (every one of the engine); a fork has those of its source',
    read: ([set = ''], { features }) =>
      set === 'mainnet' || set === 'all' ? { features: { ...features, set } } : undefined,
  },
  '--deactivate-feature': {
    value: 'PUBKEY',
    isMultiple: true,
    text: 'a feature that is not active, by its address',
    read: ([address = ''], { features }) =>
      isPublicKey(address) ? { features: { ...features, off: [...features.off, address] } } : undefined,
  },
};

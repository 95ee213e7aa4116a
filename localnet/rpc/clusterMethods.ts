// Methods about the node, its clock and its epochs.
import type { Method } from './method';
import { FEATURE_SET, NODE_VERSION, viewAt } from './method';
import { configOf, positional } from './params';

const getSlot: Method = (service, params) => {
  const [config] = positional(params, 0, 1);
  return viewAt(service, configOf(config)).slot;
};

const getVersion: Method = (_service, params) => {
  positional(params, 0, 0);
  return { 'feature-set': FEATURE_SET, 'solana-core': NODE_VERSION };
};

export const clusterMethods = { getSlot, getVersion } as const;

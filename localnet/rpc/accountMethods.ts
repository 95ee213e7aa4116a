// Methods that read one account or several.
import type { Method } from './method';
import { viewAt, withContext } from './method';
import { addressOf, configOf, positional } from './params';

const getBalance: Method = (service, params) => {
  const [address, config] = positional(params, 1, 2);
  const key = addressOf(address);
  const view = viewAt(service, configOf(config));
  return withContext(view, view.get(key)?.lamports ?? 0n);
};

export const accountMethods = { getBalance } as const;

// Every method the ledger answers, by name. A method is one function from parameters to a result; it throws RpcFailure.
import { accountMethods } from './accountMethods';
import { clusterMethods } from './clusterMethods';
import type { Method } from './method';

export const METHODS: ReadonlyMap<string, Method> = new Map([
  ...Object.entries(accountMethods),
  ...Object.entries(clusterMethods),
]);

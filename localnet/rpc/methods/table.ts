// Every method the ledger answers, by name. A method is one function from parameters to a result; it throws RpcFailure.
import { accountMethods } from './accountMethods';
import { addressMethods } from './addressMethods';
import { blockMethods } from './blockMethods';
import { clusterMethods } from './clusterMethods';
import { feeMethods } from './feeMethods';
import { historyMethods } from './historyMethods';
import type { Method } from './method';
import { nodeMethods } from './nodeMethods';
import { programMethods } from './programMethods';
import { sendMethods } from './sendMethods';
import { tokenMethods } from './tokenMethods';
import { voteMethods } from './voteMethods';

export const METHOD_HANDLERS: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    ...accountMethods,
    ...addressMethods,
    ...blockMethods,
    ...clusterMethods,
    ...feeMethods,
    ...historyMethods,
    ...nodeMethods,
    ...programMethods,
    ...sendMethods,
    ...tokenMethods,
    ...voteMethods,
  }),
);

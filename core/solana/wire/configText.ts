// A version 1 transaction's runtime configuration in words, including the meaning of unset values.
import { COMPUTE_BUDGET_PROGRAM } from '../chain/addresses';
import { formatSol, groupDigits } from '../chain/lamports';
import { MAX_COMPUTE_UNITS } from '../chain/limits';
import type { TransactionConfig } from './transactionTypes';

export interface ConfigLine {
  readonly name: string;
  readonly value: string;
}

const DEFAULT_HEAP = 32_768;

/** Note on a Compute Budget instruction of a version 1 transaction, whose configuration applies instead. */
export const withoutEffect = (version: 'legacy' | number, program: string): string =>
  version === 1 && program === COMPUTE_BUDGET_PROGRAM ? ' (no effect in version 1)' : '';

const bytes = (count: number): string => `${groupDigits(String(count))} bytes`;

/** Four lines, always in this order. */
export function configLines(config: TransactionConfig): readonly ConfigLine[] {
  const { priorityFee, computeUnitLimit, loadedAccountsDataSizeLimit, heapSize } = config;
  return [
    {
      name: 'priorityFee',
      value:
        priorityFee === undefined
          ? 'not set: none is paid'
          : `${groupDigits(priorityFee.toString())} lamports in total (${formatSol(priorityFee)})`,
    },
    {
      name: 'computeUnitLimit',
      value:
        computeUnitLimit === undefined
          ? 'not set: 0 compute units, so no program can run'
          : `${groupDigits(String(computeUnitLimit))} compute units${
              computeUnitLimit > MAX_COMPUTE_UNITS ? `, of which ${groupDigits(String(MAX_COMPUTE_UNITS))} count` : ''
            }`,
    },
    {
      name: 'loadedAccountsDataSizeLimit',
      value:
        loadedAccountsDataSizeLimit === undefined
          ? 'not set: 0 bytes, so no account can be loaded'
          : bytes(loadedAccountsDataSizeLimit),
    },
    { name: 'heapSize', value: heapSize === undefined ? `not set: ${bytes(DEFAULT_HEAP)}` : bytes(heapSize) },
  ];
}

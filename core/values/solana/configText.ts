// What a version 1 transaction asks of the runtime, in words; an unset value says what it means.
import { formatSol, groupDigits } from './lamports';
import type { TransactionConfig } from './transactionTypes';

export interface ConfigLine {
  readonly name: string;
  readonly value: string;
}

const DEFAULT_HEAP = 32_768;

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
          : `${groupDigits(String(computeUnitLimit))} compute units`,
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

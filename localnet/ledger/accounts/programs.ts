// The accounts of programs as the upgradeable loader keeps them: the account that is called, and the account with its code.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { BPF_LOADER_UPGRADEABLE } from './addresses';
import type { AccountState } from '../types';

export const PROGRAM_STATE = 2;
export const PROGRAM_BYTES = 36;
export const PROGRAM_DATA = 3;
/** State, the slot of the deployment, and the authority that may upgrade. */
export const PROGRAM_DATA_HEAD = 45;

/** Whether the account holds the code of a program of the upgradeable loader. */
export const isProgramCode = ({ owner, data }: AccountState): boolean =>
  owner === BPF_LOADER_UPGRADEABLE && data.length >= PROGRAM_DATA_HEAD && data[0] === PROGRAM_DATA;

/** Where a program of the upgradeable loader says that its code is; `undefined` for any other account. */
export function codeAddressOf(account: AccountState | undefined): string | undefined {
  if (account === undefined || account.owner !== BPF_LOADER_UPGRADEABLE) return undefined;
  const { data } = account;
  return data.length >= PROGRAM_BYTES && data[0] === PROGRAM_STATE
    ? encodeBase58(data.subarray(4, PROGRAM_BYTES))
    : undefined;
}

/** The account with a program's code, as if it had been deployed at slot 0. */
export function withoutSlot(code: AccountState): AccountState {
  if (!isProgramCode(code)) return code;
  const data = Uint8Array.from(code.data);
  new DataView(data.buffer).setBigUint64(4, 0n, true);
  return { ...code, data };
}

// A program from a file as the upgradeable loader keeps it: the account that is called, and the account with its code.
import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { decodeBase58, encodeBase58 } from '../../../core/values/encoding/base58';
import { BPF_LOADER_UPGRADEABLE, U64_MAX } from './addresses';
import type { AccountState, GenesisProgram } from '../types';

const PROGRAM = 2;
const PROGRAM_BYTES = 36;
const PROGRAM_DATA = 3;
/** State, the slot of the deployment, and the authority that may upgrade. */
const PROGRAM_DATA_HEAD = 45;

/** The account with the code first: the engine reads it at the moment the program is written. */
export function programAccounts(
  { address, elf, authority }: GenesisProgram,
  rent: (bytes: number) => bigint,
): readonly (readonly [address: string, account: AccountState])[] {
  const codeAddress = programDataAddress(address);
  const code = new Uint8Array(PROGRAM_DATA_HEAD + elf.length);
  const head = new DataView(code.buffer);
  head.setUint32(0, PROGRAM_DATA, true);
  code[12] = 1;
  code.set(decodeBase58(authority) ?? [], 13);
  code.set(elf, PROGRAM_DATA_HEAD);
  const program = new Uint8Array(PROGRAM_BYTES);
  new DataView(program.buffer).setUint32(0, PROGRAM, true);
  program.set(decodeBase58(codeAddress) ?? [], 4);
  const of = (data: Uint8Array, executable: boolean): AccountState => ({
    lamports: rent(data.length),
    owner: BPF_LOADER_UPGRADEABLE,
    data,
    executable,
    rentEpoch: U64_MAX,
  });
  return [
    [codeAddress, of(code, false)],
    [address, of(program, true)],
  ];
}

/** Whether the account holds the code of a program of the upgradeable loader. */
export const isProgramCode = ({ owner, data }: AccountState): boolean =>
  owner === BPF_LOADER_UPGRADEABLE && data.length >= PROGRAM_DATA_HEAD && data[0] === PROGRAM_DATA;

/** Where a program of the upgradeable loader says that its code is; `undefined` for any other account. */
export function codeAddressOf(account: AccountState | undefined): string | undefined {
  if (account === undefined || account.owner !== BPF_LOADER_UPGRADEABLE) return undefined;
  const { data } = account;
  return data.length >= PROGRAM_BYTES && data[0] === PROGRAM
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

/** Where the loader keeps a program's code: the first address derived from the program's that is nobody's public key. */
export function programDataAddress(program: string): string {
  const seeds = decodeBase58(program) ?? new Uint8Array();
  const loader = decodeBase58(BPF_LOADER_UPGRADEABLE) ?? new Uint8Array();
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256')
      .update(seeds)
      .update(Uint8Array.of(bump))
      .update(loader)
      .update('ProgramDerivedAddress')
      .digest();
    if (!isOnCurve(hash)) return encodeBase58(hash);
  }
  throw new RangeError('no address can be derived');
}

/** True if the bytes are a point of the Ed25519 curve, as validators decide it: in any encoding (ZIP 215). */
function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}

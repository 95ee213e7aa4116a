// A program from a file as if the upgradeable loader had deployed it. Loaded for a program alone: the address of its code needs
// the curve, whose arithmetic takes as long to load as the service's own code.
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { programAddress } from '../../../core/solana/chain/programAddress';
import { newAccount } from '../accounts/accounts';
import { BPF_LOADER_UPGRADEABLE } from '../accounts/addresses';
import { PROGRAM_STATE, PROGRAM_BYTES, PROGRAM_DATA, PROGRAM_DATA_HEAD } from '../accounts/programs';
import type { AccountState, GenesisProgram } from '../types';

/** The account with the code first: the engine reads it at the moment the program is written. */
export function programAccounts(
  { address, elf, authority }: GenesisProgram,
  rent: (bytes: number) => bigint,
): readonly (readonly [address: string, account: AccountState])[] {
  const codeAddress = codeAddressOfProgram(address);
  const code = new Uint8Array(PROGRAM_DATA_HEAD + elf.length);
  const head = new DataView(code.buffer);
  head.setUint32(0, PROGRAM_DATA, true);
  code[12] = 1;
  code.set(decodeBase58(authority) ?? [], 13);
  code.set(elf, PROGRAM_DATA_HEAD);
  const program = new Uint8Array(PROGRAM_BYTES);
  new DataView(program.buffer).setUint32(0, PROGRAM_STATE, true);
  program.set(decodeBase58(codeAddress) ?? [], 4);
  const of = (data: Uint8Array): AccountState => newAccount(BPF_LOADER_UPGRADEABLE, rent(data.length), data);
  return [
    [codeAddress, of(code)],
    [address, { ...of(program), executable: true }],
  ];
}

function codeAddressOfProgram(program: string): string {
  const derived = programAddress([decodeBase58(program) ?? new Uint8Array()], BPF_LOADER_UPGRADEABLE);
  if (derived === undefined) throw new RangeError(`No address can be derived from ${program}`);
  return derived.address;
}

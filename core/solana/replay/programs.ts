// The accounts that keep a program: the one that is called, and with the upgradeable loader the one with the code.
import { decodeBase58, encodeBase58 } from '../encoding/base58';
import { MAX_U64 } from '../chain/lamports';
import { programAddress } from '../chain/programAddress';
import type { ReplayAccounts } from './case';
import type { ChainAccount } from '../chain/accountJson';
import { viewOf } from '../encoding/bytes';

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
/** Loaders that keep the code in the account that is called. */
const PLAIN_LOADERS: readonly string[] = [
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
];
const NATIVE_LOADER = 'NativeLoader1111111111111111111111111111111';
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';

/** State and address of the code (Solana SDK, UpgradeableLoaderState::Program). */
const PROGRAM = 2;
const PROGRAM_BYTES = 36;
/** State, slot of the deployment and authority (UpgradeableLoaderState::ProgramData). */
const CODE = 3;
const CODE_HEAD = 45;
const SLOT_AT = 4;

/** Lamports of a program that is made here: what it has decides nothing. */
const PROGRAM_LAMPORTS = 10_000_000_000n;

/** The rent sysvar: the only sysvar that a case keeps, since the ledger takes its rent from there. */
export const RENT = 'SysvarRent111111111111111111111111111111111';

/** Sysvars and native programs: every engine brings its own. */
export const isOfEngine = ({ owner }: ChainAccount): boolean => owner === NATIVE_LOADER || owner === SYSVAR_OWNER;

/** Where the code of an upgradeable program is; undefined for any other account. */
export function programDataOf({ owner, data }: ChainAccount): string | undefined {
  const isProgram = owner === UPGRADEABLE_LOADER && data.length >= PROGRAM_BYTES && data[0] === PROGRAM;
  return isProgram ? encodeBase58(data.subarray(SLOT_AT, PROGRAM_BYTES)) : undefined;
}

const isCode = ({ owner, data }: ChainAccount): boolean =>
  owner === UPGRADEABLE_LOADER && data.length >= CODE_HEAD && data[0] === CODE;

/** The slot at which an account's code was deployed; undefined where it holds none. */
export function deploySlotOf(account: ChainAccount): bigint | undefined {
  if (!isCode(account)) return undefined;
  return viewOf(account.data).getBigUint64(SLOT_AT, true);
}

/** The same code, as if it had been deployed at slot 0: no program runs before its deployment. */
export function deployedBefore(account: ChainAccount): ChainAccount {
  const data = Uint8Array.from(account.data);
  viewOf(data).setBigUint64(SLOT_AT, 0n, true);
  return { ...account, data };
}

/** A program's code, and the account that holds it. */
export interface ProgramCode {
  readonly program: string;
  readonly account: string;
  /** Bytes of the account in front of the code. */
  readonly head: number;
  readonly elf: Uint8Array;
}

/** Every program whose code is among the accounts. */
export function programCodes(accounts: ReplayAccounts): readonly ProgramCode[] {
  return [...accounts].flatMap(([program, account]) => {
    if (account.executable && PLAIN_LOADERS.includes(account.owner))
      return [{ program, account: program, head: 0, elf: account.data }];
    const address = programDataOf(account);
    const code = address === undefined ? undefined : accounts.get(address);
    if (address === undefined || code === undefined || !isCode(code)) return [];
    return [{ program, account: address, head: CODE_HEAD, elf: code.data.subarray(CODE_HEAD) }];
  });
}

/** The accounts with other code for a program. A missing program becomes an upgradeable one. */
export function withProgram(accounts: ReplayAccounts, program: string, elf: Uint8Array): ReplayAccounts {
  const known = accounts.get(program);
  if (known !== undefined && PLAIN_LOADERS.includes(known.owner))
    return new Map([...accounts, [program, { ...known, data: elf, executable: true }]]);
  const address = (known === undefined ? undefined : programDataOf(known)) ?? codeAddressFor(program);
  const before = accounts.get(address);
  const head = before !== undefined && isCode(before) ? before.data.subarray(0, CODE_HEAD) : newHead();
  // An upgrade keeps the account's size and fills the rest with zeros.
  const data = new Uint8Array(Math.max(CODE_HEAD + elf.length, before?.data.length ?? 0));
  data.set(head);
  data.set(elf, CODE_HEAD);
  return new Map([
    ...accounts,
    [address, { ...(before ?? made(false)), owner: UPGRADEABLE_LOADER, data }],
    [program, known !== undefined && programDataOf(known) !== undefined ? known : newProgram(address)],
  ]);
}

const made = (executable: boolean): ChainAccount => ({
  lamports: PROGRAM_LAMPORTS,
  owner: UPGRADEABLE_LOADER,
  data: new Uint8Array(),
  executable,
  rentEpoch: MAX_U64,
});

function newHead(): Uint8Array {
  const head = new Uint8Array(CODE_HEAD);
  head[0] = CODE;
  return head;
}

function newProgram(code: string): ChainAccount {
  const data = new Uint8Array(PROGRAM_BYTES);
  data[0] = PROGRAM;
  data.set(decodeBase58(code) ?? [], SLOT_AT);
  return { ...made(true), data };
}

/** The address that the upgradeable loader derives. */
function codeAddressFor(program: string): string {
  const seed = decodeBase58(program) ?? new Uint8Array();
  return programAddress([seed], UPGRADEABLE_LOADER)?.address ?? program;
}

// The files that a ledger begins with, in the forms that solana-test-validator takes: accounts, folders of accounts,
// programs, keypairs. Reports every mistake with the file's name before anything is started. Writes nothing.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import { isJsonArray, member } from '../../core/solana/json/json';
import { isPublicKey } from '../../core/solana/chain/keys';
import { accountOf, readJsonFile, type FileAccount } from '../accountsFile';
import { readUpTo } from '../files';
import { SYSTEM_PROGRAM } from '../ledger/accounts/addresses';
import { MAX_ACCOUNT_BYTES } from '../ledger/bounds';
import type { GenesisProgram } from '../node/open';
import type { AccountFile, ProgramFile } from '../optionReads';
import type { Options } from '../optionTypes';
import { StateFileError } from '../state/error';

const ELF_MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
/** Whom "none" names as the one who may upgrade: an address that nobody can sign for. */
const NOBODY = SYSTEM_PROGRAM;

/** The accounts of --account and --account-dir. Throws StateFileError. */
export function readAccountFiles({ accountFiles, accountFolders }: Options): readonly FileAccount[] {
  const inFolders = accountFolders.flatMap((folder) =>
    jsonFilesOf(folder).map((file): AccountFile => ({ address: undefined, file })),
  );
  return [...inFolders, ...accountFiles].flatMap(readAccount);
}

/** The programs of --bpf-program and --upgradeable-program. Throws StateFileError. */
export function readProgramFiles({ programFiles }: Options): readonly GenesisProgram[] {
  return programFiles.map(({ address, file, authority }: ProgramFile) => ({
    address: addressOrKeypair(address),
    elf: readProgram(file),
    authority: authority === 'none' ? NOBODY : addressOrKeypair(authority),
    name: file,
  }));
}

function readAccount({ address, file }: AccountFile): readonly FileAccount[] {
  const value = readJsonFile(file);
  const account = accountOf(address ?? member(value, 'pubkey'), member(value, 'account'));
  if (typeof account === 'string')
    throw new StateFileError(
      `${file} is not an account as "solana account ADDRESS --output json" writes it: ${account}.`,
    );
  return account === undefined ? [] : [account];
}

function jsonFilesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => path.join(folder, name))
      .map(requireRegular);
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** A named pipe in a folder would be waited for. */
function requireRegular(file: string): string {
  if (!statSync(file).isFile()) throw new Error(`${file} is not a file`);
  return file;
}

function readProgram(file: string): Uint8Array {
  const bytes = readBytes(file);
  if (!bytes.subarray(0, ELF_MAGIC.length).equals(ELF_MAGIC))
    throw new StateFileError(`${file} is not a program: it does not begin like an ELF file.`);
  return new Uint8Array(bytes);
}

function readBytes(file: string): Buffer {
  try {
    return readUpTo(file, MAX_ACCOUNT_BYTES);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** An address as given, or that of a keypair file. */
function addressOrKeypair(text: string): string {
  if (isPublicKey(text)) return text;
  const keypair = readKeypairFile(text);
  if (keypair === undefined) throw new StateFileError(`${text} is neither an address nor a keypair file of 64 bytes.`);
  return encodeBase58(keypair.subarray(32));
}

/** The 64 bytes of a keypair file: a JSON array, seed and then public key. `undefined` for another file. */
export function readKeypairFile(file: string): Uint8Array | undefined {
  const value = readJsonFile(file);
  if (!isJsonArray(value) || value.length !== 64) return undefined;
  const numbers = value.map(Number);
  return numbers.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
    ? Uint8Array.from(numbers)
    : undefined;
}

function unreadable(file: string, error: unknown): StateFileError {
  return new StateFileError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
}

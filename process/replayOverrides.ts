// What a user gives a replay in place of what was there, as files: an account, or the code of a program.
import { namedAccount } from '../core/replay/accountText';
import type { ReplayAccounts } from '../core/replay/case';
import { CaseError, jsonIn, programIn } from '../core/replay/caseFiles';
import { withProgram } from '../core/replay/programs';
import { fileRefused, readRegular } from './files';

/** `shown`: how errors name the file at `path`. */
export interface OverrideFile {
  readonly path: string;
  readonly shown: string;
}

const MIB = 1024 * 1024;
/** An account of 10 MiB is a third larger in base64. */
const MAX_ACCOUNT = 16 * MIB;
const MAX_PROGRAM = 10 * MIB;

/** The accounts with the one of a file, or without it where the file says `null`. Throws CaseError. */
export async function withAccount(accounts: ReplayAccounts, file: OverrideFile): Promise<ReplayAccounts> {
  const read = namedAccount(jsonIn(file.shown, await contentOf(file, MAX_ACCOUNT)));
  if (typeof read === 'string') throw new CaseError(file.shown, read);
  const changed = new Map(accounts);
  if (read.account === undefined) changed.delete(read.address);
  else changed.set(read.address, read.account);
  return changed;
}

/** The accounts with the code of a file for `program`, an address. Throws CaseError. */
export async function withCode(accounts: ReplayAccounts, program: string, file: OverrideFile): Promise<ReplayAccounts> {
  return withProgram(accounts, program, programIn(file.shown, await contentOf(file, MAX_PROGRAM)));
}

async function contentOf({ path, shown }: OverrideFile, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readRegular(path, maxBytes);
  } catch (error) {
    throw new CaseError(shown, fileRefused(error, 'read').message);
  }
}

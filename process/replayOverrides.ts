// A user's replacements for a replay, from files: an account, or a program's code.
import { namedAccount } from '../core/solana/chain/accountJson';
import path from 'node:path';
import type { ReplayCase } from '../core/solana/replay/case';
import { CaseError, caseFileJson, programIn } from '../core/solana/replay/caseFiles';
import { withOverride } from '../core/solana/replay/overrides';
import { withProgram } from '../core/solana/replay/programs';
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

/** The case with the account of a file, or without it if the file contains `null`. Throws CaseError. */
export async function withAccount(replay: ReplayCase, file: OverrideFile): Promise<ReplayCase> {
  const read = namedAccount(caseFileJson(file.shown, await contentOf(file, MAX_ACCOUNT)));
  if (typeof read === 'string') throw new CaseError(file.shown, read);
  const accounts = new Map(replay.accounts);
  if (read.account === undefined) accounts.delete(read.address);
  else accounts.set(read.address, read.account);
  return withOverride({ ...replay, accounts }, { kind: 'account', address: read.address, file: nameOf(file) });
}

/** The case with the code of a file for `program`, an address. Throws CaseError. */
export async function withCode(replay: ReplayCase, program: string, file: OverrideFile): Promise<ReplayCase> {
  const accounts = withProgram(replay.accounts, program, programIn(file.shown, await contentOf(file, MAX_PROGRAM)));
  return withOverride({ ...replay, accounts }, { kind: 'program', address: program, file: nameOf(file) });
}

/** A case contains no paths of this machine. */
const nameOf = (file: OverrideFile): string => path.basename(file.path);

async function contentOf({ path, shown }: OverrideFile, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readRegular(path, maxBytes);
  } catch (error) {
    throw new CaseError(shown, fileRefused(error, 'read').message);
  }
}

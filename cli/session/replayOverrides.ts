// What a command line gives a replay in place of what was there: accounts, code of programs, slot and time.
import type { ReplayAccounts, ReplayCase } from '../../core/replay/case';
import { CaseError, jsonIn, programIn } from '../../core/replay/caseFiles';
import { namedAccount } from '../../core/replay/accountText';
import { withProgram } from '../../core/replay/programs';
import { isPublicKey } from '../../core/values/solana/keys';
import { fileRefused, readRegular } from '../../process/files';
import { UsageError } from '../exit';
import type { Given } from '../options';

const MIB = 1024 * 1024;
/** An account of 10 MiB is a third larger in base64. */
const MAX_ACCOUNT = 16 * MIB;
const MAX_PROGRAM = 10 * MIB;

/** Throws UsageError and CaseError. */
export async function overridden(replay: ReplayCase, given: Given): Promise<ReplayCase> {
  let { accounts } = replay;
  for (const file of given.list('account')) accounts = await withAccount(accounts, file);
  for (const pair of given.list('program')) accounts = await withCode(accounts, pair);
  const slot = wholeOption(given, 'slot') ?? replay.slot;
  const blockTime = wholeOption(given, 'unix-time') ?? replay.blockTime;
  return { ...replay, accounts, slot, blockTime };
}

async function withAccount(accounts: ReplayAccounts, file: string): Promise<ReplayAccounts> {
  const read = namedAccount(jsonIn(file, await contentOf(file, MAX_ACCOUNT)));
  if (typeof read === 'string') throw new CaseError(file, read);
  const changed = new Map(accounts);
  if (read.account === undefined) changed.delete(read.address);
  else changed.set(read.address, read.account);
  return changed;
}

async function withCode(accounts: ReplayAccounts, pair: string): Promise<ReplayAccounts> {
  const at = pair.indexOf('=');
  const [program, file] = [pair.slice(0, Math.max(at, 0)), pair.slice(at + 1)];
  if (!isPublicKey(program) || file === '')
    throw new UsageError('--program takes the address of a program and its file: ADDRESS=FILE.so.');
  return withProgram(accounts, program, programIn(file, await contentOf(file, MAX_PROGRAM)));
}

async function contentOf(file: string, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readRegular(file, maxBytes);
  } catch (error) {
    throw new CaseError(file, fileRefused(error, 'read').message);
  }
}

function wholeOption(given: Given, name: string): number | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,11}$/.test(text)) throw new UsageError(`--${name} takes a whole number.`);
  return Number(text);
}

// What a command line gives a replay in place of what was there: accounts, code of programs, slot and time.
import type { ReplayAccounts, ReplayCase } from '../../core/replay/case';
import { isPublicKey } from '../../core/values/solana/keys';
import { withAccount, withCode, type OverrideFile } from '../../process/replayOverrides';
import { UsageError } from '../exit';
import type { Given } from '../options';

/** Throws UsageError and CaseError. */
export async function overridden(replay: ReplayCase, given: Given): Promise<ReplayCase> {
  let { accounts } = replay;
  for (const file of given.list('account')) accounts = await withAccount(accounts, named(file));
  for (const pair of given.list('program')) accounts = await withProgramOf(accounts, pair);
  const slot = wholeOption(given, 'slot') ?? replay.slot;
  const blockTime = wholeOption(given, 'unix-time') ?? replay.blockTime;
  return { ...replay, accounts, slot, blockTime };
}

const named = (file: string): OverrideFile => ({ path: file, shown: file });

async function withProgramOf(accounts: ReplayAccounts, pair: string): Promise<ReplayAccounts> {
  const at = pair.indexOf('=');
  const [program, file] = [pair.slice(0, Math.max(at, 0)), pair.slice(at + 1)];
  if (!isPublicKey(program) || file === '')
    throw new UsageError('--program takes the address of a program and its file: ADDRESS=FILE.so.');
  return withCode(accounts, program, named(file));
}

function wholeOption(given: Given, name: string): number | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,11}$/.test(text)) throw new UsageError(`--${name} takes a whole number.`);
  return Number(text);
}

// A command line's replacements for a replay: accounts, their fields, code of programs, slot and time.
import type { ReplayCase } from '../../core/solana/replay/case';
import { withField, withOverride } from '../../core/solana/replay/overrides';
import { isPublicKey } from '../../core/solana/chain/keys';
import { withAccount, withCode, type OverrideFile } from '../../process/replayOverrides';
import { UsageError } from '../exit';
import type { Given } from '../options';

/** Throws UsageError and CaseError. */
export async function overridden(replay: ReplayCase, given: Given): Promise<ReplayCase> {
  let changed = replay;
  for (const file of given.list('account')) changed = await withAccount(changed, named(file));
  for (const words of given.list('set')) changed = withFieldOf(changed, words);
  for (const pair of given.list('program')) changed = await withProgramOf(changed, pair);
  const slot = wholeOption(given, 'slot');
  if (slot !== undefined) changed = withOverride({ ...changed, slot }, { kind: 'slot', slot });
  const unixTime = wholeOption(given, 'unix-time');
  if (unixTime !== undefined) changed = withOverride({ ...changed, blockTime: unixTime }, { kind: 'clock', unixTime });
  return changed;
}

const named = (file: string): OverrideFile => ({ path: file, shown: file });

function withFieldOf(replay: ReplayCase, words: string): ReplayCase {
  const [, address = '', field = '', value = ''] = /^([^.=]+)\.([^.=]+)=(.*)$/.exec(words) ?? [];
  if (!isPublicKey(address))
    throw new UsageError('--set takes an account, a field and a value: ADDRESS.lamports=5000.');
  const changed = withField(replay, { address, field, value });
  if (typeof changed === 'string') throw new UsageError(`--set: ${changed}.`);
  return changed;
}

async function withProgramOf(replay: ReplayCase, pair: string): Promise<ReplayCase> {
  const at = pair.indexOf('=');
  const [program, file] = [pair.slice(0, Math.max(at, 0)), pair.slice(at + 1)];
  if (!isPublicKey(program) || file === '')
    throw new UsageError('--program takes the address of a program and its file: ADDRESS=FILE.so.');
  return withCode(replay, program, named(file));
}

function wholeOption(given: Given, name: string): number | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,11}$/.test(text)) throw new UsageError(`--${name} takes a whole number.`);
  return Number(text);
}

// The compute units of each instruction of a transaction, as its log says them; builtin programs, which say nothing, use a
// fixed number.
import {
  BPF_LOADER_1,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  LOADER_V4,
  SYSTEM_PROGRAM,
  VOTE_PROGRAM,
} from '../accounts/addresses';
import type { InstructionProfile } from '../types';

const BUILTIN_UNITS: ReadonlyMap<string, number> = new Map([
  [SYSTEM_PROGRAM, 150],
  [COMPUTE_BUDGET_PROGRAM, 150],
  [VOTE_PROGRAM, 2_100],
  [BPF_LOADER_1, 1_140],
  [BPF_LOADER_2, 570],
  [BPF_LOADER_UPGRADEABLE, 2_370],
  [LOADER_V4, 2_000],
]);

const INVOKED = /^Program (\w{32,44}) invoke \[(\d+)\]$/;
const CONSUMED = /^Program (\w{32,44}) consumed (\d+) of \d+ compute units$/;
const ENDED = /^Program (\w{32,44}) (success|failed: .*)$/;

type Open = { -readonly [Key in keyof InstructionProfile]: InstructionProfile[Key] };

/** In the order in which they were called. A log that was cut off ends the list. */
export function profileOf(logs: readonly string[]): readonly InstructionProfile[] {
  const found: Open[] = [];
  const open: Open[] = [];
  let index = -1;
  for (const line of logs) {
    const [, program, depth] = INVOKED.exec(line) ?? [];
    if (program !== undefined && Number(depth) === open.length + 1) {
      if (open.length === 0) index++;
      const begun = { index, depth: open.length + 1, program, units: BUILTIN_UNITS.get(program), failed: false };
      found.push(begun);
      open.push(begun);
      continue;
    }
    const innermost = open.at(-1);
    const [, consumer, units] = CONSUMED.exec(line) ?? [];
    if (innermost !== undefined && consumer === innermost.program) innermost.units = Number(units);
    const [, ended, how] = ENDED.exec(line) ?? [];
    if (innermost === undefined || ended !== innermost.program) continue;
    innermost.failed = how !== 'success';
    open.pop();
  }
  return found;
}

// Measuring: things that are compared run interleaved in one run, each several times. A ratio is taken within each round,
// between neighbours in time, and its median over the rounds is the figure: a busy machine slows both.
import { spawn } from 'node:child_process';

/** One line of the table. */
export interface Row {
  /** As in the list of goals: "P6". */
  readonly goal: string;
  readonly name: string;
  /** The measured figure, a ratio unless `unit` says otherwise; undefined where it could not be measured. */
  readonly figure?: number;
  readonly unit?: string;
  /** The bound that the figure must keep. */
  readonly bound?: { readonly atMost: number } | { readonly atLeast: number };
  /** The compared values, or why nothing was compared. */
  readonly note: string;
}

export type Verdict = 'met' | 'missed' | 'no peer' | 'shown';

/** `absent` says why a row has no figure. */
export interface Measured extends Row {
  readonly absent?: 'no peer';
}

export function verdictOf(row: Measured): Verdict {
  if (row.figure === undefined) return row.absent ?? 'missed';
  if (row.bound === undefined) return 'shown';
  const met = 'atMost' in row.bound ? row.figure <= row.bound.atMost : row.figure >= row.bound.atLeast;
  return met ? 'met' : 'missed';
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** The result of each work in each round, in the order of the works; earlier rounds warm up. */
export async function interleaved(
  rounds: number,
  works: readonly (() => Promise<number>)[],
  warmUp = 1,
): Promise<readonly (readonly number[])[]> {
  const values = works.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const value = await work();
      if (round >= 0) values[index]?.push(value);
    }
  }
  return values;
}

/** The median of each work over the rounds; for figures that are no ratio of neighbours. */
export const medians = async (rounds: number, works: readonly (() => Promise<number>)[]): Promise<readonly number[]> =>
  (await interleaved(rounds, works)).map(median);

/** The median of the ratios of two works, round by round. */
export const ratioOf = (left: readonly number[], right: readonly number[]): number =>
  median(left.map((value, round) => value / (right[round] ?? NaN)));

/** Runs Node to its end and gives its stdout. Rejects with its stderr where it fails. */
export function node(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${args.join(' ')} ended with ${code}: ${errors}`)),
    );
  });
}

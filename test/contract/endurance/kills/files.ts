// Files that a kill may leave in a folder: whole files, and drafts that the next start removes.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from '../../../support/process/leaks';

const isDraft = (file: string): boolean => file.endsWith('.part');

/** Drafts below a folder, and everything in the folder for temporary files. */
export const leftIn = (folder: string, temporary: string): readonly string[] => [
  ...[...filesBelow(folder)].filter(isDraft),
  ...readdirSync(temporary).map((name) => path.join(temporary, name)),
];

/** Records the files seen so far: a file that was once whole must stay, and stay whole. */
export class WholeFiles {
  readonly #seen = new Set<string>();

  /** `isWhole` throws, or is false, for half a file. What must not be, a sentence each. */
  check(files: Iterable<string>, isWhole: (text: string, file: string) => boolean): readonly string[] {
    const failures: string[] = [];
    for (const file of files) {
      if (isDraft(file)) continue;
      this.#seen.add(file);
      const text = readFileSync(file, 'utf8');
      if (!holds(() => isWhole(text, file))) failures.push(`half a file: ${file} ends with ${text.slice(-60)}`);
    }
    for (const file of this.#seen) if (!existsSync(file)) failures.push(`lost: ${file}`);
    return failures;
  }
}

/** False where it throws. */
export function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

/** Every line of it is JSON, the last one too. */
export const areLines = (text: string): boolean =>
  text === '' || (text.endsWith('\n') && text.trimEnd().split('\n').every((line) => holds(() => JSON.parse(line) !== undefined))); // oxfmt-ignore

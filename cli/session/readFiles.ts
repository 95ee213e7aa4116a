// The files that one round of `--watch` reads. The state of a file is taken before it is read, so that any change after
// that counts; what the round writes itself does not.
import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** The state of a missing file. */
const NONE = '';

/** The files that one round read, and those that it would have read if they existed. */
export class ReadFiles {
  /** By absolute path: each file as it was before it was read. */
  readonly #states = new Map<string, string>();
  /** By absolute path of a folder that was listed: which of its names belong to the round. */
  readonly #listed = new Map<string, (name: string) => boolean>();
  /** The states of files just after the round itself wrote them. */
  readonly #written = new Set<string>();

  get count(): number {
    return this.#states.size;
  }

  /** The folders of all files, also those that are not there. */
  get folders(): ReadonlySet<string> {
    return new Set([...this.#states.keys()].map((file) => path.dirname(file)));
  }

  /** Whether it was read, or would have been had it been there. */
  has(file: string): boolean {
    return this.#states.has(file) || this.#listed.get(path.dirname(file))?.(path.basename(file)) === true;
  }

  /** To be called before a file is read; the first time counts. */
  reading(...files: readonly string[]): void {
    for (const file of files.map((one) => path.resolve(one)))
      if (!this.#states.has(file)) this.#states.set(file, stateOf(file));
  }

  /** To be called before the names of a folder are read. */
  listing(folder: string, isWanted: (name: string) => boolean): void {
    const place = path.resolve(folder);
    const earlier = this.#listed.get(place);
    this.#listed.set(place, (name) => earlier?.(name) === true || isWanted(name));
    this.reading(...this.#filesIn(place));
  }

  /** To be called when the round has written a file. */
  written(file: string): void {
    const state = stateOf(path.resolve(file));
    if (state !== NONE) this.#written.add(state);
  }

  /**
   * Takes over what an earlier round read: what is away now and may come back; all of it if this round could not read
   * everything.
   */
  addAll(earlier: ReadFiles, isWhole: boolean): void {
    for (const file of earlier.#states.keys()) {
      const state = stateOf(file);
      if (!this.#states.has(file) && (state === NONE || !isWhole)) this.#states.set(file, state);
    }
  }

  /** A file that is not what it was before it was read, or that was not there; or undefined. */
  changed(): string | undefined {
    const listed = [...this.#listed.keys()].flatMap((folder) => this.#filesIn(folder));
    return [...new Set([...this.#states.keys(), ...listed])].find((file) => {
      const state = stateOf(file);
      return state !== (this.#states.get(file) ?? NONE) && !this.#written.has(state);
    });
  }

  /** The files of a listed folder that belong to the round. */
  #filesIn(folder: string): readonly string[] {
    try {
      return readdirSync(folder)
        .map((name) => path.join(folder, name))
        .filter((file) => this.has(file));
    } catch {
      return [];
    }
  }
}

/** With its place: what was moved to another one is news there. */
function stateOf(file: string): string {
  try {
    const found = statSync(file);
    return found.isFile() ? `${found.mtimeMs} ${found.size} ${found.ino} ${realpathSync.native(file)}` : NONE;
  } catch {
    return NONE;
  }
}

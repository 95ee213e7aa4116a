// The endpoint chosen in this window. Lives in the window's own state, and in the extension's for the next window on the
// folder to begin with: choosing one writes neither settings nor a project.
import type { Memento } from 'vscode';
import { chosenName } from './profileList';

const KEY = 'solanaRpc.endpoint';
/** The last choice of each folder, the newest last. */
const FOLDERS_KEY = 'solanaRpc.endpoints.chosen';
const MAX_FOLDERS = 100;

/** `setting`: the value of `solanaRpc.endpoint` when the choice was made. */
interface Choice {
  readonly name: string;
  readonly setting: string;
}

type Memory = Pick<Memento, 'get' | 'update'>;

/** The memory that all windows on a folder share. */
export interface FolderMemory {
  /** The extension's own state, of every folder. */
  readonly memory: Memory;
  /** The same for all windows on the folder (`storageFor`). */
  readonly place: string;
}

export class EndpointChoice {
  readonly #memory: Memory;
  readonly #setting: () => string | undefined;
  readonly #folder: FolderMemory | undefined;
  /** The choice made in another window on the folder before this one opened, until a choice is made here. */
  #inherited: Choice | undefined;

  /** `setting` reads `solanaRpc.endpoint`. */
  constructor(memory: Memory, setting: () => string | undefined, folder?: FolderMemory) {
    this.#memory = memory;
    this.#setting = setting;
    this.#folder = folder;
    this.#inherited = folder === undefined ? undefined : choicesIn(folder.memory).get(folder.place);
  }

  /** The last choice: made here, or by a later edit of the setting; else the one of the previous window. */
  get name(): string | undefined {
    const choice = this.#choice;
    const setting = this.#setting();
    return chosenName(choice?.setting === (setting ?? '') ? choice.name : undefined, setting);
  }

  async choose(name: string): Promise<void> {
    await this.#keep({ name, setting: this.#setting() ?? '' });
  }

  /** The endpoint is gone: if it was chosen here, the setting applies again. */
  async forget(name: string): Promise<void> {
    if (this.#choice?.name === name) await this.#keep(undefined);
  }

  get #choice(): Choice | undefined {
    return this.#memory.get<Choice>(KEY) ?? this.#inherited;
  }

  async #keep(choice: Choice | undefined): Promise<void> {
    this.#inherited = undefined;
    await this.#memory.update(KEY, choice);
    if (this.#folder === undefined) return;
    const { memory, place } = this.#folder;
    const others = [...choicesIn(memory)].filter(([other]) => other !== place).slice(1 - MAX_FOLDERS);
    await memory.update(FOLDERS_KEY, choice === undefined ? others : [...others, [place, choice]]);
  }
}

const choicesIn = (memory: Memory): ReadonlyMap<string, Choice> =>
  new Map(memory.get<readonly (readonly [place: string, choice: Choice])[]>(FOLDERS_KEY, []));

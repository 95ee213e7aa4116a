// The endpoint chosen in this window. Lives in the window's own state: choosing one writes neither settings nor a project.
import type { Memento } from 'vscode';
import { chosenName } from './profileList';

const KEY = 'solanaRpc.endpoint';

/** `setting`: the value of `solanaRpc.endpoint` when the choice was made. */
interface Choice {
  readonly name: string;
  readonly setting: string;
}

export class EndpointChoice {
  readonly #memory: Pick<Memento, 'get' | 'update'>;
  readonly #setting: () => string | undefined;

  /** `setting` reads `solanaRpc.endpoint`. */
  constructor(memory: Pick<Memento, 'get' | 'update'>, setting: () => string | undefined) {
    this.#memory = memory;
    this.#setting = setting;
  }

  /** What was chosen last: here, or by an edit of the setting since then. */
  get name(): string | undefined {
    const choice = this.#memory.get<Choice>(KEY);
    const setting = this.#setting();
    return chosenName(choice?.setting === (setting ?? '') ? choice.name : undefined, setting);
  }

  async choose(name: string): Promise<void> {
    await this.#memory.update(KEY, { name, setting: this.#setting() ?? '' } satisfies Choice);
  }

  /** The endpoint is gone: if it was chosen here, the setting applies again. */
  async forget(name: string): Promise<void> {
    if (this.#memory.get<Choice>(KEY)?.name === name) await this.#memory.update(KEY, undefined);
  }
}

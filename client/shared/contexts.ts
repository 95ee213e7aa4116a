// The context keys of this extension: what the manifest's conditions ask for, and the steps of the tour. The editor lets no
// extension read them back, so what was set is kept here.
import * as vscode from 'vscode';

/** A list is what the manifest's `in` asks. */
export type ContextValue = string | boolean | readonly string[];

/** @param name the whole key, for example `solanaRpc.ran` */
export type SetContext = (name: string, value: ContextValue) => void;

export class Contexts implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #values = new Map<string, ContextValue>();

  readonly onDidChange = this.#changed.event;

  readonly set: SetContext = (name, value) => {
    if (isSame(this.#values.get(name), value)) return;
    this.#values.set(name, value);
    void vscode.commands.executeCommand('setContext', name, value);
    this.#changed.fire();
  };

  /** Clears what an earlier extension host of this window may have left, except keys that this one has set. */
  clearLeft(names: readonly string[]): void {
    for (const name of names)
      if (!this.#values.has(name)) void vscode.commands.executeCommand('setContext', name, undefined);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get(name: string): ContextValue | undefined {
    return this.#values.get(name);
  }
}

const isSame = (known: ContextValue | undefined, value: ContextValue): boolean =>
  known === value || (Array.isArray(known) && Array.isArray(value) && JSON.stringify(known) === JSON.stringify(value));

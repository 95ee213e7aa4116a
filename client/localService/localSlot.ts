// How far the local service's ledger is, for the places that show it: asked for now and then, and only while one of them
// can be seen.
import * as vscode from 'vscode';
import type { LocalServices } from './localService';

/** Between two questions, in milliseconds: a person sees that it goes on, and nothing flickers. */
const ASK_EVERY_MS = 2_000;

export class LocalSlot implements vscode.Disposable {
  readonly #local: LocalServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Whether each place can be seen. */
  readonly #seen = new Map<string, boolean>();
  #next: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #slot: number | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(local: LocalServices) {
    this.#local = local;
    const look = (): void => void this.#look();
    this.#subscriptions = [local.onDidChange(look), vscode.window.onDidChangeWindowState(look)];
  }

  dispose(): void {
    clearTimeout(this.#next);
    this.#subscriptions.forEach((one) => void one.dispose());
    this.#changed.dispose();
  }

  /** The newest slot that was told; undefined while the service does not run. */
  get slot(): number | undefined {
    return this.#slot;
  }

  /** The same for people: grouped digits; undefined as `slot` is. */
  get words(): string | undefined {
    return this.#slot === undefined
      ? undefined
      : vscode.l10n.t('slot {0}', this.#slot.toLocaleString(vscode.env.language));
  }

  /** A place that shows the slot can be seen from now on, or no longer. */
  shownIn(place: string, isSeen: boolean): void {
    if (this.#seen.get(place) === isSeen) return;
    this.#seen.set(place, isSeen);
    void this.#look();
  }

  /** Asks now, and again after a while, as long as somebody could see the answer. */
  async #look(): Promise<void> {
    clearTimeout(this.#next);
    if (this.#local.state.kind !== 'running') {
      this.#become(undefined);
      return;
    }
    const isSeen = vscode.window.state.focused && [...this.#seen.values()].includes(true);
    if (!isSeen || this.#isAsking) return;
    this.#isAsking = true;
    const slot = await this.#local.slot();
    this.#isAsking = false;
    // It may have ended meanwhile: then this says so.
    if (slot === undefined && this.#local.state.kind !== 'running') this.#become(undefined);
    else if (slot !== undefined) this.#become(slot);
    this.#next = setTimeout(() => void this.#look(), ASK_EVERY_MS);
  }

  #become(slot: number | undefined): void {
    if (slot === this.#slot) return;
    this.#slot = slot;
    this.#changed.fire();
  }
}

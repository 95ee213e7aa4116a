// How far the local service's ledger is, and how much a fork has fetched, for the places that show it: asked for now and
// then, and only while one of them can be seen.
import * as vscode from 'vscode';
import type { LedgerProgress } from '../../process/localService';
import type { LocalServices } from './localService';

/** Polling interval, in milliseconds: often enough to show progress, without flicker. */
const ASK_EVERY_MS = 2_000;

export class LocalSlot implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Whether each place can be seen. */
  readonly #seen = new Map<string, boolean>();
  #next: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #slot: number | undefined;
  #fetched: number | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(private readonly local: LocalServices) {
    const look = (): void => void this.#look();
    this.#subscriptions = [local.onDidChange(look), vscode.window.onDidChangeWindowState(look)];
  }

  dispose(): void {
    clearTimeout(this.#next);
    this.#subscriptions.forEach((one) => void one.dispose());
    this.#changed.dispose();
  }

  /** The newest slot received; undefined while the service does not run. */
  get slot(): number | undefined {
    return this.#slot;
  }

  /** The same for people: grouped digits; undefined as `slot` is. */
  get words(): string | undefined {
    return this.#slot === undefined
      ? undefined
      : vscode.l10n.t('slot {0}', this.#slot.toLocaleString(vscode.env.language));
  }

  /** How much a fork has fetched, as text; undefined if the ledger is not a fork. */
  get fetchedWords(): string | undefined {
    if (this.#slot === undefined || this.#fetched === undefined) return undefined;
    return vscode.l10n.t('{0} fetched', this.#fetched.toLocaleString(vscode.env.language));
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
    if (this.local.state.kind !== 'running') {
      this.#become({});
      return;
    }
    const isSeen = vscode.window.state.focused && [...this.#seen.values()].includes(true);
    if (!isSeen || this.#isAsking) return;
    this.#isAsking = true;
    const progress = await this.local.progress();
    this.#isAsking = false;
    // It may have ended meanwhile: then this says so.
    if (progress.slot !== undefined || this.local.state.kind !== 'running') this.#become(progress);
    this.#next = setTimeout(() => void this.#look(), ASK_EVERY_MS);
  }

  #become({ slot, fetched }: LedgerProgress): void {
    if (slot === this.#slot && fetched === this.#fetched) return;
    this.#slot = slot;
    this.#fetched = fetched;
    this.#changed.fire();
  }
}

// The usage of the loaded range over time, for the report: asked in parts by the user's gesture, for the account or for one
// key. Forgotten as soon as the report shows another range or endpoint, or newer numbers.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ServiceError } from '../../core/service/errors';
import { usageParts, type UsagePart } from '../../protocol/usage';
import { serverAnswer } from '../shared/refusal';
import type { UsageModel } from './usageModel';
import { partsOf, type RangeEnds } from './usageRange';

export type TimelineState =
  /** `idle`: nobody asked yet. */
  | { readonly kind: 'idle' | 'loading' }
  | {
      readonly kind: 'loaded';
      readonly keyId: string | undefined;
      readonly parts: readonly UsagePart[];
      /** Why later parts are missing. */
      readonly error?: ServiceError;
    };

export interface UsageTimelineDeps {
  readonly model: UsageModel;
  readonly server: () => Promise<LanguageClient>;
}

export class UsageTimeline implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #state: TimelineState = { kind: 'idle' };
  /** The account or key and the range that the parts belong to. */
  #subject: string | undefined;
  #asking: vscode.CancellationTokenSource | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(private readonly deps: UsageTimelineDeps) {
    this.#subscription = deps.model.onDidChange(() => this.#modelChanged());
  }

  dispose(): void {
    this.#asking?.cancel();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  get state(): TimelineState {
    return this.#state;
  }

  /** The parts in which the loaded range would be asked for; none before it was loaded. */
  get spans(): readonly RangeEnds[] {
    const { state } = this.deps.model;
    if (state.kind !== 'loaded') return [];
    const { from, to } = state.last;
    return partsOf({ from, to }, -60 * new Date(to * 1000).getTimezoneOffset());
  }

  /** Asks for every part, one after the other, of the account or of one of its keys. */
  async load(keyId: string | undefined): Promise<void> {
    const { spans } = this;
    if (spans.length === 0) return;
    this.#asking?.cancel();
    const asking = new vscode.CancellationTokenSource();
    this.#asking = asking;
    this.#subject = this.#subjectNow();
    this.#set({ kind: 'loading' });
    const params = { spans, ...(keyId !== undefined && { keyId }) };
    const result = await serverAnswer(async () =>
      (await this.deps.server()).sendRequest(usageParts, params, asking.token),
    );
    asking.dispose();
    if (this.#asking !== asking) return;
    this.#asking = undefined;
    this.#set({
      kind: 'loaded',
      keyId,
      parts: 'parts' in result ? result.parts : [],
      ...(result.kind === 'failed' && { error: result.error }),
    });
  }

  #subjectNow(): string | undefined {
    const { state, endpoint } = this.deps.model;
    return state.kind === 'loaded' ? JSON.stringify([endpoint, state.last.at]) : undefined;
  }

  #modelChanged(): void {
    if (this.#state.kind === 'idle' || this.#subject === this.#subjectNow()) return;
    this.#asking?.cancel();
    this.#asking = undefined;
    this.#set({ kind: 'idle' });
  }

  #set(state: TimelineState): void {
    this.#state = state;
    this.#changed.fire();
  }
}

// The transaction that a panel shows and its source: a simulation replaces what has not run. Pure.
import type { ExplainResult, TransactionSource, TransactionView } from '../../protocol/explain';

export class ShownTransaction {
  #view: TransactionView | undefined;

  /** `current`: where it is from since it was moved, in an earlier window. */
  constructor(
    private readonly original: TransactionSource,
    private readonly ask: (source: TransactionSource) => Promise<ExplainResult>,
    private current = original,
  ) {}

  get source(): TransactionSource {
    return this.current;
  }

  /** Undefined before the first answer, and if the answer has no view. */
  get view(): TransactionView | undefined {
    return this.#view;
  }

  /** Explains again what is shown; where that is kept no more, what was shown first. */
  async load(): Promise<ExplainResult> {
    const { source } = this;
    const result = await this.ask(source);
    if (result.kind === 'gone' && source === this.source && source !== this.original) {
      this.current = this.original;
      return this.load();
    }
    if (source === this.source) this.#view = result.kind === 'explained' ? result.view : undefined;
    return result;
  }

  /** Another place is shown from now on; what cannot be explained there changes nothing. */
  async move(source: TransactionSource): Promise<ExplainResult> {
    const result = await this.ask(source);
    if (result.kind === 'explained') [this.current, this.#view] = [source, result.view];
    return result;
  }
}

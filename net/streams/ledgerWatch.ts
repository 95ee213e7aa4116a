// Notices by its genesis hash that an endpoint serves another ledger than before. Asked on loopback alone, where ledgers begin
// again: a hosted cluster never does, and the question would count against its plan.
import { ok, type Result } from '../../core/service/errors';
import { isLoopback } from '../../core/service/profiles/origin';
import type { Net, SendTarget } from '../api';
import { readResult } from '../readResult';
import { settleInterface } from '../target/target';

/** The reason of a gap between two ledgers. */
export const ANOTHER_LEDGER = 'The endpoint serves another ledger now: further updates of the one before are lost.';

const TIMEOUT_MS = 2_000;
/** A hash is short. */
const MAX_ANSWER = 64 * 1024;
/** A service that starts may serve streams before it answers questions: so often it is given time. */
const PATIENCE = 5;

export class LedgerWatch {
  #known: string | undefined;
  #unanswered = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly net: Pick<Net, 'call'>,
    private readonly target: SendTarget,
  ) {}

  /**
   * Whether the ledger is another one than at the last look; undefined while that is not known. The error of a question that
   * was answered before and is not answered now.
   */
  look(signal: AbortSignal): Promise<Result<boolean | undefined>> {
    const looking = this.#last.then(() => this.#look(signal));
    this.#last = looking;
    return looking;
  }

  async #look(signal: AbortSignal): Promise<Result<boolean | undefined>> {
    const target = settleInterface(this.target.profile, 'rpc');
    if (!target.ok || !isLoopback(target.value.url) || !isLoopback(this.target.url)) return ok(undefined);
    const reading = { net: this.net, target: target.value, signal, maxBytes: MAX_ANSWER, timeoutMs: TIMEOUT_MS };
    const answer = await readResult(reading, 'getGenesisHash', []);
    const before = this.#known;
    if (!answer.ok) {
      const isStarting = before !== undefined && answer.error.kind === 'network' && this.#unanswered++ < PATIENCE;
      return isStarting ? answer : ok(undefined);
    }
    this.#unanswered = 0;
    if (typeof answer.value !== 'string') return ok(undefined);
    this.#known = answer.value;
    return ok(before === undefined ? undefined : before !== answer.value);
  }
}

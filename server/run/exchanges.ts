// What goes over the wire while a run goes on, by the block it belongs to.
import type { ServiceError } from '../../core/errors';
import type { KeyQuery } from '../../core/profile';
import type { Exchange, RequestReport } from '../../core/run/model';
import type { GrowingBody, Target } from '../../net/api';
import { queryFor } from '../../net/target/target';
import type { ResponsePlace } from '../../protocol/lsp';
import type { Results } from '../responses/results';
import { requestName, type LiveBlock, type LiveStream } from './live';

/** What a request asked for and what came back. */
interface Traffic {
  readonly origin?: string;
  readonly key?: KeyQuery;
  readonly exchange?: Exchange;
  /** No answer at all, and why. */
  readonly failure?: ServiceError;
}

/** Errors that a request may be refused with before it leaves; the service's own of these kinds are in an exchange. */
const REFUSED_HERE: ReadonlySet<string> = new Set([
  'invalidRequest',
  'noKey',
  'noEndpoint',
  'wrongKeyType',
  'suspended',
  'confirmation',
]);

/** Whether anything left for the service. */
export const wasSent = ({ exchange, origin }: Traffic, error: RequestReport['error']): boolean =>
  exchange !== undefined || (origin !== undefined && (error === undefined || !REFUSED_HERE.has(error.kind)));

/** What went over the wire for the request that is under way; a repeat replaces what the try before it brought. */
export class Exchanges {
  readonly #byLine = new Map<number, Traffic>();
  readonly #streams = new Map<string, LiveStream>();
  /** Where a response was shown before its request was done, by line. */
  readonly shown = new Map<number, ResponsePlace>();
  readonly #places = new Map<number, Promise<ResponsePlace>>();
  /** The block that is being sent. */
  block: LiveBlock = { file: '', name: null, title: '', line: 0, method: '' };

  constructor(
    private readonly results: Results,
    private readonly onGrowing: (block: LiveBlock, place: ResponsePlace) => void,
  ) {}

  goes(target: Target, label: string | undefined): void {
    const { origin } = target;
    this.#byLine.set(this.block.line, target.auth === 'none' ? { origin } : { origin, key: queryFor(target, label) });
  }

  opened(stream: LiveStream): void {
    this.#streams.set(requestName(this.block), stream);
  }

  came(what: Pick<Traffic, 'exchange' | 'failure'>): void {
    const { line } = this.block;
    this.#byLine.set(line, { ...this.#byLine.get(line), ...what });
  }

  /** What belongs to the block on this line; kept where the block goes on. */
  of(line: number, goesOn: boolean): Traffic {
    const traffic = this.#byLine.get(line);
    if (!goesOn) this.#byLine.delete(line);
    return traffic ?? {};
  }

  /** The body of the block that is being sent is a large one: it gets its place while it still comes in. */
  grows(body: GrowingBody): void {
    const { block } = this;
    const place = this.results.take(requestName(block)).then((taken) => {
      this.results.large.grows(taken, body);
      this.onGrowing(block, taken);
      return taken;
    });
    // Whoever saves it waits for the place, and is told there why it has none.
    place.catch(() => undefined);
    this.#places.set(block.line, place);
  }

  /** The place that a large body got; it can be paged there until the response is saved. */
  async placeOf(line: number): Promise<ResponsePlace | undefined> {
    const place = await this.#places.get(line);
    this.#places.delete(line);
    return place;
  }

  streamOf(report: RequestReport): LiveStream | undefined {
    return this.#streams.get(requestName({ ...report, line: report.line - 1 }));
  }
}

// The exchanges of a run, by block. The run's own requests belong to no block.
import type { ServiceError } from '../../core/service/errors';
import type { KeyQuery } from '../../core/service/profiles/profile';
import type { Exchange, RequestBlock, RequestReport } from '../../core/requests/run/model';
import type { GrowingBody, SendTarget } from '../../net/api';
import { queryFor } from '../../net/target/target';
import type { ResponsePlace } from '../../protocol/lsp';
import type { Results } from '../responses/results';
import { requestName, type LiveStream } from './live';

/** A request and its response. */
interface Traffic {
  readonly origin?: string;
  readonly ledger?: string;
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

/** The place of a block; of a report, whose lines count from 1, `blockOf`. */
type Place = Pick<RequestBlock, 'file' | 'line' | 'row'>;
type Reported = Pick<RequestReport, 'file' | 'line' | 'row'>;

const keyOf = ({ file, line, row }: Place): string => `${file}#${line}#${row ?? ''}`;
const blockOf = (report: Reported): Place => ({ ...report, line: report.line - 1 });

/** The exchange of each request of a run; a retry replaces the previous attempt's. */
export class Exchanges {
  readonly #traffic = new Map<string, Traffic>();
  readonly #streams = new Map<string, LiveStream>();
  readonly #shown = new Map<string, ResponsePlace>();
  readonly #places = new Map<string, Promise<ResponsePlace>>();

  constructor(
    private readonly results: Results,
    private readonly onGrowing: (block: RequestBlock, place: ResponsePlace) => void,
  ) {}

  goes(block: RequestBlock | undefined, target: SendTarget, label: string | undefined): void {
    const { origin, profile } = target;
    if (block === undefined) return;
    const { ledger } = profile.profile;
    this.#traffic.set(keyOf(block), {
      origin,
      ...(ledger !== undefined && { ledger }),
      ...(target.auth !== 'none' && { key: queryFor(target, target.keyType, label) }),
    });
  }

  opened(block: RequestBlock, stream: LiveStream): void {
    this.#streams.set(requestName(block), stream);
  }

  came(block: RequestBlock | undefined, what: Pick<Traffic, 'exchange' | 'failure'>): void {
    if (block !== undefined) this.#traffic.set(keyOf(block), { ...this.#traffic.get(keyOf(block)), ...what });
  }

  /** The exchanges of a report's block; kept if the block continues. */
  of(report: Reported, goesOn: boolean): Traffic {
    const key = keyOf(blockOf(report));
    const traffic = this.#traffic.get(key);
    if (!goesOn) this.#traffic.delete(key);
    return traffic ?? {};
  }

  /** Gives a large body its place while it is being received. */
  grows(block: RequestBlock, body: GrowingBody): void {
    const place = this.results.take(requestName(block)).then((taken) => {
      this.results.large.grows(taken, body);
      this.onGrowing(block, taken);
      return taken;
    });
    // Saving waits for the place, and reports the failure then.
    place.catch(() => undefined);
    this.#places.set(keyOf(block), place);
  }

  /** The place that a large body got; it can be paged there until the response is saved. */
  async placeOf(report: Reported): Promise<ResponsePlace | undefined> {
    const key = keyOf(blockOf(report));
    const place = await this.#places.get(key);
    this.#places.delete(key);
    return place;
  }

  /** A response was shown before its request was done. */
  show(report: Reported, place: ResponsePlace): void {
    this.#shown.set(keyOf(blockOf(report)), place);
  }

  shownAt(report: Reported): ResponsePlace | undefined {
    return this.#shown.get(keyOf(blockOf(report)));
  }

  streamOf(report: RequestReport): LiveStream | undefined {
    return this.#streams.get(requestName({ ...report, line: report.line - 1 }));
  }
}

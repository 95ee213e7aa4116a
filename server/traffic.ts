// Counts what is sent from here, by endpoint, and tells the client: how much in the last second, and in all. Counts
// only; knows no key and no address.
import type { Traffic } from '../net/api';
import type { TrafficParams } from '../protocol/lsp';

export interface MeterPorts {
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly later: (ms: number, run: () => void) => void;
  readonly tell: (counts: TrafficParams) => void;
}

const WINDOW_MS = 1_000;
/** Between two messages of one endpoint. */
const TELL_MS = 250;

interface Count {
  sent: number;
  throttled: number;
  /** What left within the last second, oldest first. */
  recent: { readonly at: number; readonly sent: number }[];
  told: string;
  isWaiting: boolean;
}

export class TrafficMeter {
  readonly #counts = new Map<string, Count>();

  constructor(private readonly ports: MeterPorts) {}

  count({ profile, sent, throttled }: Traffic): void {
    const count = this.#counts.get(profile) ?? { sent: 0, throttled: 0, recent: [], told: '', isWaiting: false };
    this.#counts.set(profile, count);
    count.sent += sent;
    count.throttled += throttled;
    if (sent > 0) count.recent.push({ at: this.ports.now(), sent });
    this.#tellSoon(profile, count);
  }

  /** The first message leaves at once; while something went out in the last second, another one follows. */
  #tellSoon(profile: string, count: Count): void {
    if (count.isWaiting) return;
    this.#tell(profile, count);
    count.isWaiting = true;
    this.ports.later(TELL_MS, () => {
      count.isWaiting = false;
      if (count.recent.length > 0 || count.told !== this.#key(count)) this.#tellSoon(profile, count);
    });
  }

  #tell(profile: string, count: Count): void {
    const since = this.ports.now() - WINDOW_MS;
    count.recent = count.recent.filter(({ at }) => at > since);
    const key = this.#key(count);
    if (key === count.told) return;
    count.told = key;
    const { sent, throttled } = count;
    this.ports.tell({ profile, lastSecond: inWindow(count), sent, throttled });
  }

  #key(count: Count): string {
    return `${inWindow(count)} ${count.sent} ${count.throttled}`;
  }
}

const inWindow = ({ recent }: Count): number => recent.reduce((sum, { sent }) => sum + sent, 0);

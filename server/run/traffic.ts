// Counts requests by endpoint and origin and reports the totals and the last second to the client. Knows no key and no
// path.
import type { Traffic } from '../../net/api';
import type { TrafficParams } from '../../protocol/lsp';

export interface MeterPorts {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly later: (ms: number, run: () => void) => void;
  readonly report: (counts: TrafficParams) => void;
}

const WINDOW_MS = 1_000;
/** Between two messages about one origin. */
const TELL_MS = 250;

interface Count {
  readonly place: Pick<Traffic, 'profile' | 'origin'>;
  sent: number;
  throttled: number;
  /** Requests sent within the last second, oldest first. */
  recent: { readonly at: number; readonly sent: number }[];
  reported: string;
  isWaiting: boolean;
}

export class TrafficMeter {
  readonly #counts = new Map<string, Count>();

  constructor(private readonly ports: MeterPorts) {}

  count({ profile, origin, sent, throttled }: Traffic): void {
    const name = `${origin} ${profile}`;
    const count = this.#counts.get(name) ?? {
      place: { profile, origin },
      sent: 0,
      throttled: 0,
      recent: [],
      reported: '',
      isWaiting: false,
    };
    this.#counts.set(name, count);
    count.sent += sent;
    count.throttled += throttled;
    if (sent > 0) count.recent.push({ at: this.ports.now(), sent });
    this.#reportSoon(count);
  }

  /** The first message leaves at once; while something went out in the last second, another one follows. */
  #reportSoon(count: Count): void {
    if (count.isWaiting) return;
    this.#report(count);
    count.isWaiting = true;
    this.ports.later(TELL_MS, () => {
      count.isWaiting = false;
      if (count.recent.length > 0 || count.reported !== this.#key(count)) this.#reportSoon(count);
    });
  }

  #report(count: Count): void {
    const since = this.ports.now() - WINDOW_MS;
    count.recent = count.recent.filter(({ at }) => at > since);
    const key = this.#key(count);
    if (key === count.reported) return;
    count.reported = key;
    const { place, sent, throttled } = count;
    this.ports.report({ ...place, lastSecond: inWindow(count), sent, throttled });
  }

  #key(count: Count): string {
    return `${inWindow(count)} ${count.sent} ${count.throttled}`;
  }
}

const inWindow = ({ recent }: Count): number => recent.reduce((sum, { sent }) => sum + sent, 0);

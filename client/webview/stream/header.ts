// The head of a stream's page: what it is, its state in words and colour, its counters and its rate over the last minute.
import type { StreamHello } from '../../../protocol/streamPanel';
import type { StreamTick } from '../../../protocol/streams';
import { definitions, div, element, paragraph } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted, digits, oneLineText, sized } from '../shared/format';
import { Sparkline } from '../shared/sparkline';
import { StateLine } from '../shared/stateLine';
import type { StreamExtension } from '../shared/streamState';
import { dotted } from '../../../core/solana/common/dotted';

interface Counter {
  readonly label: string;
  readonly read: (tick: StreamTick) => string | undefined;
  /** Marked where it is not zero. */
  readonly warns?: (tick: StreamTick) => boolean;
}

export class StreamHeader {
  readonly element: HTMLElement;
  readonly #title = element('h1');
  readonly #about = paragraph('about quiet');
  readonly state: StateLine;
  readonly #values: readonly (readonly [Counter, HTMLElement])[];
  readonly #spark: Sparkline;
  #rate = 0;

  constructor(extension: StreamExtension) {
    const { t } = extension;
    this.state = new StateLine(extension);
    this.#values = countersOf(t).map((counter) => [counter, element('dd', { class: 'mono' }, '–')] as const);
    const counters = definitions(
      'counters wraps',
      this.#values.map(([{ label }, value]) => [label, value]),
    );
    this.#spark = new Sparkline((now, most) =>
      t('Updates a second: {0} now, at most {1} in the last minute', counted(now), counted(most)),
    );
    this.element = element(
      'header',
      { class: 'stream-head wraps' },
      div('stream-what', this.#title, this.#about, this.state.element),
      div('stream-numbers wraps', counters, this.#spark.element),
    );
    setInterval(() => this.#spark.add(this.state.isRunning ? this.#rate : 0), 1_000);
  }

  setInfo({ info }: StreamHello): void {
    this.#title.textContent = oneLineText(info.title);
    this.#about.textContent = dotted([info.method, info.transport, oneLineText(info.endpoint)]);
  }

  setTick(tick: StreamTick): void {
    this.#rate = tick.rate;
    for (const [{ read, warns }, value] of this.#values) {
      const text = read(tick) ?? '–';
      if (value.textContent !== text) value.textContent = text;
      value.classList.toggle('warns', warns?.(tick) === true);
    }
  }
}

const countersOf = (t: PageTranslate): readonly Counter[] => [
  { label: t('Updates'), read: ({ total }) => counted(total) },
  { label: t('Per second'), read: ({ rate }) => counted(Math.round(rate)) },
  { label: t('Received'), read: ({ bytes }) => sized(bytes) },
  { label: t('Slot'), read: ({ slot }) => (slot === undefined ? undefined : digits(slot)) },
  { label: t('Slots behind'), read: ({ lag }) => (lag === undefined ? undefined : counted(lag)) },
  { label: t('Dropped'), read: ({ dropped }) => counted(dropped), warns: ({ dropped }) => dropped > 0 },
  {
    label: t('Abandoned'),
    read: ({ abandoned }) => (abandoned === undefined ? undefined : counted(abandoned)),
    warns: ({ abandoned }) => abandoned !== undefined,
  },
  { label: t('Reconnects'), read: ({ reconnects }) => counted(reconnects), warns: ({ reconnects }) => reconnects > 0 },
];

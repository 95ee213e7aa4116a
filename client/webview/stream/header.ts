// The head of a stream's page: what it is, its state in words and colour, its counters and its rate over the last minute.
import type { StateView, StreamHello } from '../../../protocol/streamPanel';
import type { StreamTick } from '../../../protocol/streams';
import { button, element } from '../shared/dom';
import type { Translate } from '../shared/extension';
import { counted, digits, sized } from '../shared/format';
import { Sparkline } from '../shared/sparkline';

export interface HeaderOptions {
  readonly t: Translate;
  readonly onMend: () => void;
}

interface Counter {
  readonly label: string;
  readonly read: (tick: StreamTick) => string | undefined;
  /** Marked where it is not zero. */
  readonly warns?: (tick: StreamTick) => boolean;
}

export class Header {
  readonly element: HTMLElement;
  readonly #t: Translate;
  readonly #title = element('h1');
  readonly #about = element('p', { class: 'about quiet' });
  readonly #mark = element('span', { class: 'state-mark', 'aria-hidden': 'true' });
  readonly #words = element('span', { class: 'state-words' });
  readonly #more = element('span', { class: 'state-more' });
  readonly #mend: HTMLButtonElement;
  readonly #state: HTMLElement;
  /** Speaks when the state changes, and at no other time. */
  readonly #spoken = element('p', { class: 'only-read', role: 'status' });
  readonly #values: readonly (readonly [Counter, HTMLElement])[];
  readonly #spark: Sparkline;
  #view: StateView | undefined;
  #toldAt = 0;
  #rate = 0;
  #isPaused = false;

  constructor({ t, onMend }: HeaderOptions) {
    this.#t = t;
    this.#mend = button('', onMend, { class: 'primary', hidden: true });
    this.#state = element('p', { class: 'state' }, this.#mark, this.#words, this.#more, this.#mend);
    this.#values = countersOf(t).map((counter) => [counter, element('dd', { class: 'mono' }, '–')] as const);
    const counters = element(
      'dl',
      { class: 'counters' },
      ...this.#values.map(([{ label }, value]) => element('div', {}, element('dt', {}, label), value)),
    );
    this.#spark = new Sparkline((now, most) =>
      t('Updates a second: {0} now, at most {1} in the last minute', counted(now), counted(most)),
    );
    this.element = element(
      'header',
      { class: 'stream-head' },
      element('div', { class: 'stream-what' }, this.#title, this.#about, this.#state),
      element('div', { class: 'stream-numbers' }, counters, this.#spark.element),
      this.#spoken,
    );
    setInterval(() => {
      this.#spark.add(this.#view?.canStop === true ? this.#rate : 0);
      if (this.#view?.nextInMs !== undefined) this.#drawState();
    }, 1_000);
  }

  setInfo({ info }: StreamHello): void {
    this.#title.textContent = info.title;
    this.#about.textContent = [info.method, info.transport, info.endpoint].join(' · ');
  }

  setState(view: StateView, isPaused: boolean): void {
    const before = this.#words.textContent;
    this.#view = view;
    this.#isPaused = isPaused;
    this.#toldAt = performance.now();
    this.#drawState();
    if (this.#words.textContent !== before) this.#spoken.textContent = `${this.#words.textContent} ${view.more ?? ''}`;
  }

  setTick(tick: StreamTick): void {
    this.#rate = tick.rate;
    for (const [{ read, warns }, value] of this.#values) {
      const text = read(tick) ?? '–';
      if (value.textContent !== text) value.textContent = text;
      value.classList.toggle('warns', warns?.(tick) === true);
    }
  }

  #drawState(): void {
    const view = this.#view;
    if (view === undefined) return;
    const t = this.#t;
    this.#state.dataset['tone'] = this.#isPaused && view.tone === 'good' ? 'quiet' : view.tone;
    this.#mark.textContent = this.#isPaused && view.tone === 'good' ? '‖' : view.mark;
    this.#words.textContent = this.#isPaused && view.canStop ? t('Paused · {0}', view.words) : view.words;
    const waits =
      view.nextInMs === undefined
        ? undefined
        : t('Next in {0} s.', Math.max(0, Math.ceil((view.nextInMs - (performance.now() - this.#toldAt)) / 1_000)));
    this.#more.textContent = [waits, view.more].filter((part) => part !== undefined).join(' ');
    this.#mend.hidden = view.mend === undefined;
    this.#mend.textContent = view.mend ?? '';
  }
}

const countersOf = (t: Translate): readonly Counter[] => [
  { label: t('Updates'), read: ({ total }) => counted(total) },
  { label: t('Per second'), read: ({ rate }) => counted(Math.round(rate)) },
  { label: t('Received'), read: ({ bytes }) => sized(bytes) },
  { label: t('Slot'), read: ({ slot }) => (slot === undefined ? undefined : digits(slot)) },
  { label: t('Slots behind'), read: ({ lag }) => (lag === undefined ? undefined : counted(lag)) },
  { label: t('Dropped'), read: ({ dropped }) => counted(dropped), warns: ({ dropped }) => dropped > 0 },
  { label: t('Reconnects'), read: ({ reconnects }) => counted(reconnects), warns: ({ reconnects }) => reconnects > 0 },
];

// A stream's state in a line: mark, words, what more there is to say, and the next step. Counts down where something waits.
// Has the buttons that end the stream and open it again.
import type { StateView } from '../../../protocol/streamPanel';
import { button, element, paragraph, span } from './dom';
import { oneLineText } from './format';
import type { StreamExtension } from './streamState';

export class StateLine {
  readonly element: HTMLElement;
  readonly stop: HTMLButtonElement;
  readonly reopen: HTMLButtonElement;
  readonly #mark = element('span', { class: 'state-mark', 'aria-hidden': 'true' });
  readonly #words = span('state-words strong');
  readonly #more = span('state-more breaks');
  readonly #mend: HTMLButtonElement;
  readonly #line: HTMLElement;
  /** Speaks when the state changes, and at no other time. */
  readonly #spoken = element('p', { class: 'only-read', role: 'status' });
  #view: StateView | undefined;
  #receivedAt = 0;
  #isPaused = false;

  constructor(private readonly extension: StreamExtension) {
    const { t, send } = extension;
    this.stop = button(t('Stop'), () => send({ kind: 'stop' }));
    this.reopen = button(t('Reopen'), () => send({ kind: 'reopen' }));
    this.#mend = button('', () => send({ kind: 'mend' }), { class: 'primary', hidden: true });
    this.#line = paragraph('state wraps', this.#mark, this.#words, this.#more, this.#mend);
    this.element = element('div', {}, this.#line, this.#spoken);
    setInterval(() => {
      if (this.#view?.nextInMs !== undefined) this.#draw();
    }, 1_000);
  }

  /** Whether something still comes. */
  get isRunning(): boolean {
    return this.#view?.canStop === true;
  }

  set(view: StateView, isPaused = false): void {
    const before = this.#words.textContent;
    this.#view = view;
    this.#isPaused = isPaused;
    this.#receivedAt = performance.now();
    this.#draw();
    if (this.#words.textContent !== before)
      this.#spoken.textContent = oneLineText(`${this.#words.textContent} ${view.more ?? ''}`);
  }

  #draw(): void {
    const view = this.#view;
    if (view === undefined) return;
    const { t } = this.extension;
    this.#line.dataset['tone'] = this.#isPaused && view.tone === 'good' ? 'quiet' : view.tone;
    this.#mark.textContent = this.#isPaused && view.tone === 'good' ? '‖' : view.mark;
    this.#words.textContent = this.#isPaused && view.canStop ? t('Paused · {0}', view.words) : view.words;
    const waits =
      view.nextInMs === undefined
        ? undefined
        : t('Next in {0} s.', Math.max(0, Math.ceil((view.nextInMs - (performance.now() - this.#receivedAt)) / 1_000)));
    this.#more.textContent = oneLineText([waits, view.more].filter((part) => part !== undefined).join(' '));
    this.#mend.hidden = view.mend === undefined;
    this.#mend.textContent = view.mend ?? '';
    this.stop.hidden = !view.canStop;
    this.reopen.hidden = !view.canReopen;
  }
}

// The page of the tour: its steps as a list with one of them open, which moves on by itself when that one is done. It says
// so to screen readers, and takes the focus from nothing outside it.
import type { TourCommand, TourStepView, TourView } from '../../../protocol/tourPage';
import { button, div, element, paragraph, showPage, span } from '../shared/dom';
import { connectPage, type Extension } from '../shared/extension';
import { moveFocus } from '../shared/moveFocus';
import '../shared/base.css';
import './main.css';

/** The elements of a step. */
interface Row {
  readonly item: HTMLElement;
  readonly head: HTMLButtonElement;
  readonly mark: HTMLElement;
  /** For screen readers, behind the title. */
  readonly state: HTMLElement;
  readonly body: HTMLElement;
}

class TourPage {
  /** The step count that the view's header shows: for screen readers. */
  readonly #count = paragraph('only-read');
  readonly #live = element('p', { class: 'only-read', role: 'status' });
  readonly #list = element('ol', {});
  readonly #end = paragraph('end');
  readonly #scrolled: HTMLElement;
  readonly #rows: readonly Row[];
  #view: TourView;
  /** Of a step; undefined where all are closed. */
  #open: number | undefined;

  constructor(
    view: TourView,
    private readonly extension: Extension<never, never, TourCommand>,
  ) {
    const { t, send } = extension;
    this.#view = view;
    this.#rows = view.steps.map((step, at) => this.#row(step, at));
    this.#list.append(...this.#rows.map(({ item }) => item));
    const heads = this.#rows.map(({ head }) => head);
    this.#list.addEventListener('keydown', (event) => moveFocus(event, heads, 'stop'));
    const end = button(t('End Tour'), () => send({ kind: 'end' }), { class: 'leave' });
    this.#scrolled = div('steps scrolls', this.#list, this.#end, end);
    const heading = element('h1', { class: 'only-read' }, view.title);
    showPage(heading, this.#count, this.#live, this.#scrolled);
    this.#open = this.#next();
    this.#draw();
    this.#show();
    const first = this.#title(this.#open);
    if (view.isNew && first !== undefined) this.#say(t('The tour is open in the side bar. It begins with: {0}', first));
  }

  update(view: TourView): void {
    const { t } = this.extension;
    const now = view.steps.filter(({ isDone }, at) => isDone && this.#view.steps[at]?.isDone !== true);
    const wasOpen = this.#open;
    this.#view = view;
    // A step that the user opened stays open; a finished one closes and the next opens.
    if (wasOpen === undefined || view.steps[wasOpen]?.isDone === true) if (now.length > 0) this.#open = this.#next();
    // The focus is not left in what closes, and is not fetched from elsewhere.
    const hadFocus = document.hasFocus() && (this.#bodyOf(wasOpen)?.contains(document.activeElement) ?? false);
    this.#draw();
    if (hadFocus && wasOpen !== this.#open) (this.#rows[this.#open ?? -1]?.head ?? this.#leave())?.focus();
    if (now.length === 0) return;
    const done = now.map(({ title }) => title).join(', ');
    const next = this.#title(this.#next());
    this.#say(
      next === undefined ? t('Done: {0}. That was the last step.', done) : t('Done: {0}. Next: {1}', done, next),
    );
    this.#show();
  }

  #row({ title, text, actions }: TourStepView, at: number): Row {
    const { send } = this.extension;
    const mark = element('span', { class: 'mark', 'aria-hidden': 'true' });
    const state = span('only-read');
    const bodyId = `step-${at}`;
    const head = button('', () => this.#toggle(at), { class: 'head bare', 'aria-controls': bodyId });
    head.append(mark, span('title', title), state);
    const body = element(
      'div',
      { id: bodyId, class: 'body column' },
      ...text.map((paragraph) => element('p', {}, paragraph)),
      ...actions.map((action, index) =>
        button(action, () => send({ kind: 'act', step: at, action: index }), { class: 'primary' }),
      ),
    );
    return { item: element('li', {}, element('h2', {}, head), body), head, mark, state, body };
  }

  #draw(): void {
    const { t } = this.extension;
    const { steps } = this.#view;
    this.#count.textContent = t('{0} of {1} done', steps.filter(({ isDone }) => isDone).length, steps.length);
    this.#rows.forEach(({ item, head, mark, state, body }, at) => {
      const isDone = steps[at]?.isDone === true;
      const isOpen = at === this.#open;
      item.className = `${isDone ? 'done' : ''} ${isOpen ? 'open' : ''}`.trim();
      mark.textContent = isDone ? '✓' : '';
      state.textContent = isDone ? t('done') : t('step {0} of {1}', at + 1, steps.length);
      head.setAttribute('aria-expanded', String(isOpen));
      body.hidden = !isOpen;
    });
    const isOver = this.#next() === undefined;
    this.#end.textContent = isOver ? t('You have done every step.') : '';
    this.#leave()?.classList.toggle('primary', isOver);
  }

  /** Of the first step that is not done. */
  #next(): number | undefined {
    const at = this.#view.steps.findIndex(({ isDone }) => !isDone);
    return at === -1 ? undefined : at;
  }

  #title(at: number | undefined): string | undefined {
    return this.#view.steps[at ?? -1]?.title;
  }

  #bodyOf(at: number | undefined): HTMLElement | undefined {
    return this.#rows[at ?? -1]?.body;
  }

  #leave(): HTMLButtonElement | null {
    return this.#scrolled.querySelector('.leave');
  }

  #toggle(at: number): void {
    this.#open = this.#open === at ? undefined : at;
    this.#draw();
    this.#show();
  }

  /** Scrolls what is open into the view, its title before all. The box alone: the editor's frames stay where they are. */
  #show(): void {
    const item = this.#rows[this.#open ?? -1]?.item.getBoundingClientRect();
    if (item === undefined) return;
    const box = this.#scrolled.getBoundingClientRect();
    if (item.top < box.top || item.height > box.height) this.#scrolled.scrollTop += item.top - box.top;
    else this.#scrolled.scrollTop += Math.max(0, item.bottom - box.bottom);
  }

  #say(sentence: string): void {
    this.#live.textContent = sentence;
  }
}

connectPage(TourPage);

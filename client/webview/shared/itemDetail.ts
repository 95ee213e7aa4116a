// The full detail of one item next to a list: its JSON as text, with search matches marked. Closed by Escape, in the list too.
import type { BodyAnswer, CopyCommand, TableAnswer } from '../../../protocol/responsePanels';
import { button, center, div, element, iconButton, scrollArea } from './dom';
import type { Extension, PageTranslate } from './extension';
import { visible } from './visible';

/** Places that are marked. */
const MAX_MARKS = 500;

export class ItemDetail {
  /** The list and the detail. */
  readonly split: HTMLElement;
  readonly #element: HTMLElement;
  readonly #empty = element('p', { class: 'empty quiet', role: 'status', hidden: true });
  readonly #heading = element('h2', { class: 'clipped', id: 'item-title' });
  readonly #text = scrollArea('mono', { 'aria-labelledby': 'item-title' }, 'pre');
  readonly #cut: HTMLElement;

  /** `list`: of the item; it gets the focus when the item is closed. */
  constructor(
    { t, send }: Pick<Extension<never, never, CopyCommand>, 't' | 'send'>,
    private readonly list: HTMLElement,
  ) {
    const close = (): void => {
      this.hide();
      list.focus();
    };
    this.#cut = element('p', { class: 'quiet', hidden: true }, t('Only the beginning is shown.'));
    const copy = button(t('Copy'), () => send({ kind: 'copy', text: this.#text.textContent ?? '' }));
    this.#element = element(
      'section',
      { class: 'item column', 'aria-labelledby': 'item-title', hidden: true },
      div('item-head', this.#heading, copy, iconButton('✕', t('Close detail'), close)),
      this.#cut,
      this.#text,
    );
    this.split = div('split', list, this.#empty, this.#element);
    for (const part of [this.#element, list])
      part.addEventListener('keydown', ({ key }) => {
        if (key === 'Escape' && !this.#element.hidden) close();
      });
  }

  /** A sentence in the place of the list; undefined shows the list. */
  sayInstead(words: string | undefined): void {
    this.#empty.hidden = words === undefined;
    this.#empty.textContent = words ?? '';
    this.list.hidden = words !== undefined;
  }

  show(title: string, text: string, isCut: boolean, marked = ''): void {
    this.#heading.textContent = title;
    this.#cut.hidden = !isCut;
    this.#text.replaceChildren(...marks(visible(text), visible(marked)));
    this.#element.hidden = false;
    this.#text.scrollTop = 0;
    this.#text.scrollLeft = 0;
    const found = this.#text.querySelector('mark');
    if (found !== null) center(this.#text, found);
  }

  hide(): void {
    this.#element.hidden = true;
    this.#text.replaceChildren();
  }
}

/** Why there is nothing to list of a response. */
export function absentText(answer: BodyAnswer | TableAnswer | undefined, t: PageTranslate): string {
  if (answer?.kind !== 'broken') return t('This response is no longer kept.');
  const { message, hint = '' } = answer;
  const sentences = [t('This response is incomplete: {0}', visible(message)), visible(hint)];
  return [...sentences, t('The part already received is not kept.')].filter((sentence) => sentence !== '').join(' ');
}

/** The text with each place of `wanted` as a mark; exact, as the search is. */
export function marks(text: string, wanted: string): (Node | string)[] {
  if (wanted === '') return [text];
  const parts: (Node | string)[] = [];
  let from = 0;
  for (let at = text.indexOf(wanted); at >= 0 && parts.length < MAX_MARKS; at = text.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), element('mark', {}, wanted));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}

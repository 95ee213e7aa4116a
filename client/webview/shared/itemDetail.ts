// The full detail of one item next to a list: its JSON as text, with search matches marked. Closed by Escape, in the list too.
import { button, center, element, iconButton, setAttributes } from './dom';
import type { PageTranslate } from './extension';
import { visible } from './visible';

export interface ItemDetailOptions {
  readonly t: PageTranslate;
  /** The list of the item, which gets the focus when the item is closed. */
  readonly list: HTMLElement;
  readonly onCopy: (text: string) => void;
}

/** Places that are marked. */
const MAX_MARKS = 500;

export class ItemDetail {
  readonly element: HTMLElement;
  readonly #heading = element('h2', { id: 'item-title' });
  readonly #text = element('pre', { class: 'mono', tabindex: 0, role: 'group', 'aria-labelledby': 'item-title' });
  readonly #cut: HTMLElement;

  constructor({ t, list, onCopy }: ItemDetailOptions) {
    const close = (): void => {
      this.hide();
      list.focus();
    };
    this.#cut = element('p', { class: 'quiet', hidden: true }, t('Only the beginning is shown.'));
    const copy = button(t('Copy'), () => onCopy(this.#text.textContent ?? ''));
    const head = element('div', { class: 'item-head' }, this.#heading, copy, iconButton('✕', t('Close detail'), close));
    this.element = element('section', { class: 'item', 'aria-labelledby': 'item-title', hidden: true });
    this.element.append(head, this.#cut, this.#text);
    for (const part of [this.element, list])
      part.addEventListener('keydown', ({ key }) => {
        if (key === 'Escape' && !this.element.hidden) close();
      });
  }

  show(title: string, text: string, isCut: boolean, marked = ''): void {
    this.#heading.textContent = title;
    this.#cut.hidden = !isCut;
    this.#text.replaceChildren(...marks(visible(text), visible(marked)));
    setAttributes(this.element, { hidden: false });
    this.#text.scrollTop = 0;
    this.#text.scrollLeft = 0;
    const found = this.#text.querySelector('mark');
    if (found !== null) center(this.#text, found);
  }

  hide(): void {
    this.element.hidden = true;
    this.#text.replaceChildren();
  }
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

// The filter's box: says at its place what of it cannot be read, and which fields there are. Reads no filter itself.
import type { StreamColumn } from '../../../protocol/streams';
import { MAX_FILTER } from '../../../protocol/streamPanel';
import { element, setAttributes } from '../shared/dom';
import type { Translate } from '../shared/extension';
import { shortened } from '../shared/format';

/** The user still types, in milliseconds. */
const TYPING_MS = 200;

export interface FilterFault {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export class FilterBox {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  readonly #fields = element('p', { class: 'filter-help quiet', id: 'filter-help' });
  readonly #fault = element('p', { class: 'filter-fault', id: 'filter-fault', role: 'alert', hidden: true });
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly t: Translate,
    onFilter: (filter: string) => void,
  ) {
    this.input = element('input', {
      type: 'search',
      class: 'mono',
      maxlength: MAX_FILTER,
      spellcheck: 'false',
      autocomplete: 'off',
      'aria-label': t('Filter'),
      'aria-describedby': 'filter-help',
      placeholder: t('Filter: a text, or field == value && …'),
    });
    const tell = (): void => {
      clearTimeout(this.#typing);
      onFilter(this.input.value.trim());
    };
    this.input.addEventListener('input', () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(tell, TYPING_MS);
    });
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') tell();
      if (event.key === 'Escape' && this.input.value !== '') {
        this.input.value = '';
        tell();
      }
    });
    this.element = element('div', { class: 'filter' }, this.input, this.#fault, this.#fields);
  }

  get isFaulty(): boolean {
    return !this.#fault.hidden;
  }

  setColumns(columns: readonly StreamColumn[]): void {
    this.#fields.textContent = this.t('Fields: {0}', columns.map(({ field }) => shortened(field)).join(', '));
  }

  setFilter(filter: string): void {
    this.input.value = filter;
  }

  /** Marks the part that cannot be read; undefined where all of it can. */
  setFault(fault: FilterFault | undefined): void {
    setAttributes(this.input, {
      'aria-invalid': fault === undefined ? undefined : 'true',
      'aria-describedby': fault === undefined ? 'filter-help' : 'filter-fault',
    });
    this.#fault.hidden = fault === undefined;
    if (fault === undefined) {
      this.#fault.replaceChildren();
      return;
    }
    const filter = this.input.value.trim();
    // A fault at the end has no characters of its own: the place after the last one is marked.
    const wrong = filter.slice(fault.start, Math.max(fault.end, fault.start + 1)) || '␣';
    this.#fault.replaceChildren(
      element(
        'span',
        { class: 'mono filter-place', 'aria-hidden': 'true' },
        filter.slice(0, fault.start),
        element('mark', {}, wrong),
        filter.slice(Math.max(fault.end, fault.start + 1)),
      ),
      element('span', {}, fault.message),
    );
  }
}

// The filter's box: says at its place what of it cannot be read, and offers the fields there are. Reads no filter itself.
import { trailingRun } from '../../../core/solana/common/ends';
import type { StreamColumn } from '../../../protocol/streams';
import { MAX_FILTER } from '../../../protocol/pageLimits';
import { button, div, element, setAttributes } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { oneLineText } from '../shared/format';
import { searchField } from '../shared/searchField';

/** The user still types, in milliseconds. */
const TYPING_MS = 200;

/** As core/service/streams/filter.ts reads them; `~` finds a part of a text. */
const COMPARING = ['==', '!=', '<', '<=', '>', '>=', '~'];
const JOINING = ['&&', '||'];

export interface FilterFault {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export class FilterBox {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  readonly #fields = element('p', { class: 'filter-help only-read quiet', id: 'filter-help' });
  readonly #fault = element('p', { class: 'filter-fault wraps', id: 'filter-fault', role: 'alert', hidden: true });
  #names: readonly string[] = [];

  constructor(
    private readonly t: PageTranslate,
    onFilter: (filter: string) => void,
  ) {
    const apply = (filter: string): void => onFilter(filter.trim());
    this.input = searchField({
      placeholder: t('Filter: a text, or field == value && …'),
      label: t('Filter'),
      longest: MAX_FILTER,
      pauseMs: TYPING_MS,
      onText: apply,
      onEnter: apply,
    });
    this.input.classList.add('mono');
    setAttributes(this.input, { autocomplete: 'off', 'aria-describedby': 'filter-help' });
    this.input.addEventListener('input', () => this.#offer());
    this.input.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.input.value === '') return;
      this.input.value = '';
      apply('');
    });
    this.element = div('filter', this.input, this.#fault, this.#fields);
  }

  get isFaulty(): boolean {
    return !this.#fault.hidden;
  }

  setColumns(columns: readonly StreamColumn[]): void {
    this.#names = columns.map(({ field }) => field);
    this.#offer();
  }

  /** Offers what can come next: an operator after a field, `&&` after a comparison, else the matching fields, or all. */
  #offer(): void {
    const next = this.#operators();
    if (next.length > 0) {
      const put = next.map((text) =>
        button(text, () => this.#insert(text), { class: 'link mono', title: this.t('Insert {0}', text) }),
      );
      this.#fields.replaceChildren(this.t('Operators:'), ...put.flatMap((each) => [' ', each]));
      return;
    }
    const { word } = this.#begun;
    const begun = this.#names.filter((name) => name.startsWith(word));
    const offered = begun.length === 0 ? this.#names : begun;
    const title = (name: string): string => this.t('Filter by {0}', oneLineText(name));
    const buttons = offered.map((name) =>
      button(oneLineText(name), () => this.#put(name), { class: 'link mono', title: title(name) }),
    );
    this.#fields.replaceChildren(this.t('Fields:'), ...buttons.flatMap((each) => [' ', each]));
  }

  #operators(): readonly string[] {
    const caret = this.input.selectionStart ?? this.input.value.length;
    const before = this.input.value.slice(0, caret);
    if (/(?:[=!<>]=|[<>~])\s*(?:"[^"]*"|[^\s"=<>~!&|]+)\s+$/.test(before)) return JOINING;
    const field = /(?:^|[\s(!&|])([A-Za-z]\w*)\s*$/.exec(before)?.[1];
    return field !== undefined && this.#names.includes(field) ? COMPARING : [];
  }

  /** Puts an operator at the caret, one space around it. */
  #insert(operator: string): void {
    const caret = this.input.selectionStart ?? this.input.value.length;
    const gap = /\s$/.test(this.input.value.slice(0, caret)) ? '' : ' ';
    this.#replace(caret, caret, `${gap}${operator} `);
  }

  get #begun(): { readonly start: number; readonly caret: number; readonly word: string } {
    const caret = this.input.selectionStart ?? this.input.value.length;
    const word = /[A-Za-z]\w*/.exec(trailingRun(this.input.value.slice(0, caret), /\w/))?.[0] ?? '';
    return { start: caret - word.length, caret, word };
  }

  #put(name: string): void {
    const { start, caret } = this.#begun;
    this.#replace(start, caret, `${name} `);
  }

  /** As if the user had typed it. */
  #replace(start: number, end: number, text: string): void {
    this.input.setRangeText(text, start, end, 'end');
    this.input.focus();
    this.input.dispatchEvent(new Event('input'));
  }

  setFilter(filter: string): void {
    this.input.value = filter;
    this.#offer();
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
    // A fault at the end spans no characters: the place after the last one is marked.
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

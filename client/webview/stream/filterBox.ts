// The filter's box: says at its place what of it cannot be read, and offers the fields there are. Reads no filter itself.
import { trailingRun } from '../../../core/solana/common/ends';
import type { StreamColumn } from '../../../protocol/streams';
import { MAX_FILTER } from '../../../protocol/pageLimits';
import { button, element, setAttributes } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { cutText } from '../shared/format';

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
  readonly #fields = element('p', { class: 'filter-help quiet', id: 'filter-help' });
  readonly #fault = element('p', { class: 'filter-fault', id: 'filter-fault', role: 'alert', hidden: true });
  readonly #later: () => void;
  #names: readonly string[] = [];
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly t: PageTranslate,
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
    this.#later = () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(tell, TYPING_MS);
      this.#offer();
    };
    this.input.addEventListener('input', this.#later);
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
    const title = (name: string): string => this.t('Filter by {0}', cutText(name));
    const buttons = offered.map((name) =>
      button(cutText(name), () => this.#put(name), { class: 'link mono', title: title(name) }),
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
    this.input.setRangeText(`${gap}${operator} `, caret, caret, 'end');
    this.input.focus();
    this.#later();
  }

  get #begun(): { readonly start: number; readonly caret: number; readonly word: string } {
    const caret = this.input.selectionStart ?? this.input.value.length;
    const word = /[A-Za-z]\w*/.exec(trailingRun(this.input.value.slice(0, caret), /\w/))?.[0] ?? '';
    return { start: caret - word.length, caret, word };
  }

  #put(name: string): void {
    const { start, caret } = this.#begun;
    this.input.setRangeText(`${name} `, start, caret, 'end');
    this.input.focus();
    this.#later();
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

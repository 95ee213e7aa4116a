// A report: a head, tools, and what scrolls under them. Drawn again whole with each message; the focus stays on an element
// with an id.
import { type Child, element, fill, showPage, toolbar } from './dom';

export interface ReportView {
  readonly title: string;
  readonly about: HTMLElement;
  /** For screen readers. */
  readonly spoken: string;
  /** More is to come. */
  readonly isBusy: boolean;
  readonly content: Child;
}

export class Report {
  readonly #head = element('header', {});
  readonly #live = element('p', { class: 'only-read', role: 'status' });
  readonly #body = element('div', { class: 'body scrolls', tabindex: 0 });

  constructor(...tools: readonly HTMLElement[]) {
    showPage(this.#head, toolbar(undefined, ...tools), this.#live, this.#body);
  }

  draw({ title, about, spoken, isBusy, content }: ReportView): void {
    const focused = document.activeElement?.id ?? '';
    fill(this.#head, element('h1', {}, title), about);
    this.#live.textContent = spoken;
    this.#body.setAttribute('aria-busy', String(isBusy));
    fill(this.#body, content);
    document.getElementById(focused)?.focus();
  }
}

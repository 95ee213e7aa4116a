// Tabs with their panels: arrow keys move between tabs, and only the chosen panel is there.
import type { TransactionTab } from '../../../protocol/transactionPanel';
import { button, div, element, setAttributes } from '../shared/dom';
import { moveFocus } from '../shared/moveFocus';

interface Tab {
  readonly id: TransactionTab;
  readonly title: string;
  readonly panel: HTMLElement;
}

export class Tabs {
  readonly element: HTMLElement;
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #panels: readonly HTMLElement[];

  constructor(
    label: string,
    private readonly tabs: readonly Tab[],
    private readonly onChoose: (tab: TransactionTab) => void,
  ) {
    this.#buttons = tabs.map(({ id, title }) =>
      button(title, () => this.#take(id), {
        role: 'tab',
        id: `tab-${id}`,
        'aria-controls': `panel-${id}`,
        class: 'tab bare',
      }),
    );
    this.#panels = tabs.map(({ id, panel }) =>
      element(
        'div',
        { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, class: 'tab-panel column' },
        panel,
      ),
    );
    const bar = element('div', { role: 'tablist', 'aria-label': label, class: 'tabs wraps' }, ...this.#buttons);
    bar.addEventListener('keydown', (event) => this.#onKey(event));
    this.element = div('tabbed column', bar, ...this.#panels);
  }

  choose(wanted: TransactionTab): void {
    for (const [at, { id }] of this.tabs.entries()) {
      const isChosen = id === wanted;
      const [tab, panel] = [this.#buttons[at], this.#panels[at]];
      if (tab !== undefined) setAttributes(tab, { 'aria-selected': String(isChosen), tabindex: isChosen ? 0 : -1 });
      if (panel !== undefined) panel.hidden = !isChosen;
    }
  }

  #take(id: TransactionTab): void {
    this.choose(id);
    this.onChoose(id);
  }

  #onKey(event: KeyboardEvent): void {
    // The other arrows scroll.
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') return;
    const tab = this.tabs[moveFocus(event, this.#buttons, 'around') ?? -1];
    if (tab !== undefined) this.#take(tab.id);
  }
}

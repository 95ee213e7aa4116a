// The choice of what is exported and how, and how far the writing is. The file itself is asked for by the extension.
import type { StreamAsk } from '../../../protocol/streamPanel';
import type { ExportState } from '../../../protocol/streams';
import { button, element, setAttributes } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted, cutText, sized } from '../shared/format';

type Choice = Pick<Extract<StreamAsk, { kind: 'export' }>, 'format' | 'what'>;

export interface ExportBoxOptions {
  readonly t: PageTranslate;
  readonly onExport: (choice: Choice) => void;
  readonly onStop: () => void;
}

export class ExportBox {
  /** Opens and closes the choice. */
  readonly toggle: HTMLButtonElement;
  readonly element: HTMLElement;
  readonly #form: HTMLElement;
  readonly #progress: HTMLElement;
  readonly #words = element('span');
  readonly #stop: HTMLButtonElement;

  constructor(private readonly options: ExportBoxOptions) {
    const { t } = options;
    const what = element(
      'select',
      { 'aria-label': t('What to export') },
      element('option', { value: 'kept' }, t('All kept updates')),
      element('option', { value: 'fromNow' }, t('Updates from now on')),
    );
    const format = element(
      'select',
      { 'aria-label': t('Format') },
      element('option', { value: 'ndjson' }, 'NDJSON'),
      element('option', { value: 'csv' }, 'CSV'),
    );
    const save = button(t('Choose File…'), () => {
      this.#open(false);
      options.onExport({
        what: what.value === 'kept' ? 'kept' : 'fromNow',
        format: format.value === 'csv' ? 'csv' : 'ndjson',
      });
    });
    save.classList.add('primary');
    const note = element('span', { class: 'quiet' }, t('The filter also applies to the file.'));
    this.#form = element(
      'div',
      { class: 'export-form', id: 'export-form', role: 'group', 'aria-label': t('Export'), hidden: true },
      what,
      format,
      save,
      note,
    );
    this.#form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      this.#open(false);
      this.toggle.focus();
    });
    this.toggle = button(t('Export…'), () => this.#open(this.#form.hidden === true), {
      'aria-expanded': 'false',
      'aria-controls': 'export-form',
    });
    this.#stop = button(t('Stop Writing'), options.onStop);
    this.#progress = element('p', { class: 'export-progress', hidden: true }, this.#words, this.#stop);
    this.element = element('div', { class: 'export' }, this.#form, this.#progress);
  }

  setState(state: ExportState | undefined): void {
    this.#progress.hidden = state === undefined;
    if (state === undefined) return;
    const text = cutText(textOf(state, this.options.t));
    if (this.#words.textContent !== text) this.#words.textContent = text;
    this.#words.classList.toggle('bad', state.kind === 'failed');
    this.#stop.hidden = state.kind !== 'writing';
    this.toggle.disabled = state.kind === 'writing';
  }

  #open(isOpen: boolean): void {
    this.#form.hidden = !isOpen;
    setAttributes(this.toggle, { 'aria-expanded': String(isOpen) });
    if (isOpen) this.#form.querySelector('select')?.focus();
  }
}

function textOf(state: ExportState, t: PageTranslate): string {
  switch (state.kind) {
    case 'writing':
      return t('Writing {0}: {1} rows, {2}', state.file, counted(state.rows), sized(state.bytes));
    case 'written':
      return t('Written to {0}: {1} rows, {2}', state.file, counted(state.rows), sized(state.bytes));
    case 'failed':
      return t('Not written to {0}: {1}', state.file, state.message);
  }
}

// The choice of what is exported and how, and how far the writing is. The file itself is asked for by the extension.
import type { ExportState } from '../../../protocol/streams';
import { Disclosure } from '../shared/disclosure';
import { button, choice, div, element, span } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted, oneLineText, sized } from '../shared/format';
import type { StreamExtension } from '../shared/streamState';

export class ExportBox {
  /** Opens and closes the choice. */
  readonly toggle: HTMLButtonElement;
  readonly element: HTMLElement;
  readonly #progress: HTMLElement;
  readonly #words = span('breaks');
  readonly #stop: HTMLButtonElement;

  /** `filter`: of the rows that are shown. */
  constructor(
    private readonly extension: StreamExtension,
    filter: () => string,
  ) {
    const { t, send } = extension;
    const what = choice({ 'aria-label': t('What to export') }, [
      ['kept', t('All kept updates')],
      ['fromNow', t('Updates from now on')],
    ]);
    const format = choice({ 'aria-label': t('Format') }, [
      ['ndjson', 'NDJSON'],
      ['csv', 'CSV'],
    ]);
    const save = (): void => {
      box.open(false);
      void extension.ask({
        kind: 'export',
        filter: filter(),
        what: what.value === 'kept' ? 'kept' : 'fromNow',
        format: format.value === 'csv' ? 'csv' : 'ndjson',
      });
    };
    const form = element(
      'div',
      { class: 'export-form strip', id: 'export-form', role: 'group', 'aria-label': t('Export') },
      what,
      format,
      button(t('Choose File…'), save, { class: 'primary' }),
      span('quiet', t('The filter also applies to the file.')),
    );
    const box = new Disclosure(t('Export…'), form);
    this.toggle = box.toggle;
    this.#stop = button(t('Stop Writing'), () => send({ kind: 'stopExport' }));
    this.#progress = element('p', { class: 'export-progress strip', hidden: true }, this.#words, this.#stop);
    this.element = div('export', form, this.#progress);
  }

  setState(state: ExportState | undefined): void {
    this.#progress.hidden = state === undefined;
    if (state === undefined) return;
    const text = oneLineText(textOf(state, this.extension.t));
    if (this.#words.textContent !== text) this.#words.textContent = text;
    this.#words.classList.toggle('bad', state.kind === 'failed');
    this.#stop.hidden = state.kind !== 'writing';
    this.toggle.disabled = state.kind === 'writing';
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

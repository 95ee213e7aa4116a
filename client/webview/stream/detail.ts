// One update in full: what changed since the last one of its account, the decoded value, and the JSON as it came.
import type { StreamRow, StreamRowResult } from '../../../protocol/streams';
import type { DecodedTreeOptions } from '../shared/decodedTree';
import { button, element } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { clock, counted, cutText, sized } from '../shared/format';
import { updateData } from '../shared/updateData';

export interface DetailOptions extends DecodedTreeOptions {
  readonly onClose: () => void;
  readonly onExplain: (number: number) => void;
}

export class Detail {
  readonly element: HTMLElement;
  readonly #heading = element('h2', { id: 'detail-title' });
  readonly #when = element('p', { class: 'quiet' });
  readonly #body = element('div', {
    class: 'detail-body',
    tabindex: 0,
    role: 'group',
    'aria-labelledby': 'detail-title',
  });
  #number: number | undefined;

  constructor(private readonly options: DetailOptions) {
    const { t, onClose } = options;
    const close = button('✕', onClose, {
      class: 'link close',
      'aria-label': t('Close detail'),
      title: t('Close detail'),
    });
    const head = element('div', { class: 'detail-head' }, this.#heading, close);
    this.element = element(
      'section',
      { class: 'detail', 'aria-labelledby': 'detail-title', hidden: true },
      head,
      this.#when,
      this.#body,
    );
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') onClose();
    });
  }

  /** The row that is shown, or is on its way. */
  get number(): number | undefined {
    return this.#number;
  }

  close(): void {
    this.#number = undefined;
    this.element.hidden = true;
    this.#body.replaceChildren();
  }

  /** Opens for a row whose full text is still to come. */
  open(row: StreamRow): void {
    const { t } = this.options;
    const isOther = this.#number !== row.number;
    this.#number = row.number;
    this.element.hidden = false;
    this.#heading.textContent =
      row.kind === 'gap' ? t('Gap {0}', counted(row.number)) : t('Update {0}', counted(row.number));
    this.#when.textContent = row.kind === 'gap' ? clock(row.time) : `${clock(row.time)} · ${sized(row.bytes)}`;
    if (isOther)
      this.#body.replaceChildren(element('p', { class: 'quiet' }, row.kind === 'gap' ? cutText(row.reason) : '…'));
  }

  show(result: StreamRowResult | undefined): void {
    const { t } = this.options;
    switch (result?.kind) {
      case 'row':
        this.#body.replaceChildren(...this.#parts(result));
        break;
      case 'dropped':
        this.#say(t('This row was dropped to make room for newer ones.'));
        break;
      case 'gone':
        this.#say(t('The stream is gone; only what the list shows is kept of it.'));
        break;
      case undefined:
        this.#say(t('There was no answer.'));
    }
  }

  #say(text: string): void {
    this.#body.replaceChildren(element('p', { class: 'quiet' }, text));
  }

  #parts(row: Extract<StreamRowResult, { kind: 'row' }>): HTMLElement[] {
    const { t, onExplain } = this.options;
    const { changes, since } = row;
    const parts: HTMLElement[] = [];
    if (row.isTransaction === true) parts.push(button(t('Explain Transaction'), () => onExplain(row.number)));
    if (since !== undefined && changes !== undefined)
      parts.push(
        element(
          'section',
          { class: 'changes' },
          element('h3', {}, t('Changed since update {0}', counted(since))),
          changes.length === 0
            ? element('p', { class: 'quiet' }, t('Nothing decoded.'))
            : element('ul', {}, ...changes.map((change) => changeLine(change.path, change.before, change.after, t))),
        ),
      );
    return [...parts, ...updateData(row, this.options, t('Decoded'))];
  }
}

function changeLine(path: readonly string[], before: string, after: string, t: PageTranslate): HTMLElement {
  return element(
    'li',
    {},
    element('span', { class: 'decoded-name' }, cutText(path.join(' › '))),
    element('del', { class: 'mono', title: t('before') }, before === '' ? '–' : cutText(before)),
    ' → ',
    element('ins', { class: 'mono', title: t('now') }, after === '' ? '–' : cutText(after)),
  );
}

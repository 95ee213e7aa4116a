// One update in full: what changed since the last one of its account, the decoded value, and the JSON as it came.
import type { DetailChange, StreamRow, StreamRowResult } from '../../../protocol/streams';
import { button, type Child, div, element, fill, paragraph, scrollArea, span } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { clock, counted, oneLineText, sized } from '../shared/format';
import type { StreamExtension } from '../shared/streamState';
import { updateData } from '../shared/updateData';

export class Detail {
  readonly element: HTMLElement;
  readonly #heading = element('h2', { id: 'detail-title' });
  readonly #when = paragraph('quiet');
  readonly #body = scrollArea('detail-body', { 'aria-labelledby': 'detail-title' });
  #number: number | undefined;

  constructor(
    private readonly extension: StreamExtension,
    onClose: () => void,
  ) {
    const { t } = extension;
    const close = button('✕', onClose, {
      class: 'link close',
      'aria-label': t('Close detail'),
      title: t('Close detail'),
    });
    this.element = element(
      'section',
      { class: 'detail column', 'aria-labelledby': 'detail-title', hidden: true },
      div('detail-head', this.#heading, close),
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
    const { t } = this.extension;
    const isOther = this.#number !== row.number;
    this.#number = row.number;
    this.element.hidden = false;
    this.#heading.textContent =
      row.kind === 'gap' ? t('Gap {0}', counted(row.number)) : t('Update {0}', counted(row.number));
    this.#when.textContent = row.kind === 'gap' ? clock(row.time) : `${clock(row.time)} · ${sized(row.bytes)}`;
    if (isOther) this.#body.replaceChildren(paragraph('quiet', row.kind === 'gap' ? oneLineText(row.reason) : '…'));
  }

  show(result: StreamRowResult | undefined): void {
    const { t } = this.extension;
    switch (result?.kind) {
      case 'row':
        fill(this.#body, this.#parts(result));
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
    this.#body.replaceChildren(paragraph('quiet', text));
  }

  #parts(row: Extract<StreamRowResult, { kind: 'row' }>): readonly Child[] {
    const { t, send } = this.extension;
    const { changes, since } = row;
    return [
      row.isTransaction === true &&
        button(t('Explain Transaction'), () => send({ kind: 'explain', number: row.number })),
      since !== undefined &&
        changes !== undefined &&
        element(
          'section',
          { class: 'changes' },
          element('h3', {}, t('Changed since update {0}', counted(since))),
          changes.length === 0
            ? paragraph('quiet', t('Nothing decoded.'))
            : element('ul', { class: 'breaks' }, ...changes.map((change) => changeLine(change, t))),
        ),
      updateData(row, this.extension, t('Decoded')),
    ];
  }
}

function changeLine({ path, before, after }: DetailChange, t: PageTranslate): HTMLElement {
  return element(
    'li',
    {},
    span('decoded-name', oneLineText(path.join(' › '))),
    element('del', { class: 'mono', title: t('before') }, before === '' ? '–' : oneLineText(before)),
    ' → ',
    element('ins', { class: 'mono', title: t('now') }, after === '' ? '–' : oneLineText(after)),
  );
}

// The calls of a transaction as a list, indented by their depth: what failed is marked, and what each used is at its end.
import { callTitle } from '../../../protocol/callTitle';
import type { CallView, TransactionView } from '../../../protocol/explain';
import { element, fill, span } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted } from '../shared/format';
import { VirtualList } from '../shared/virtualList';

const ROW_HEIGHT = 26;
/** Pixels for each depth. */
const INDENT = 14;
/** Deeper calls are not indented further: their places say how deep they are. */
const MAX_STEPS = 10;

export class CallTree {
  readonly #list: VirtualList;
  #calls: readonly CallView[] = [];

  constructor(
    private readonly t: PageTranslate,
    onChoose: (path: string) => void,
  ) {
    this.#list = new VirtualList({
      label: t('Calls'),
      rowHeight: ROW_HEIGHT,
      draw: (row, index) => this.#draw(row, index),
      onActive: (index) => {
        const call = this.#calls[index];
        if (call !== undefined) onChoose(call.path);
      },
    });
    this.#list.element.dataset['place'] = 'calls';
  }

  get element(): HTMLElement {
    return this.#list.element;
  }

  show({ calls }: TransactionView): void {
    this.#calls = calls;
    this.#list.element.style.setProperty('--rows', String(calls.length));
    this.#list.setCount(calls.length);
  }

  mark(path: string): void {
    const at = this.#calls.findIndex((call) => call.path === path);
    this.#list.markActive(at);
    if (at >= 0) this.#list.show(at);
  }

  focus(): void {
    this.#list.element.focus({ preventScroll: true });
  }

  #draw(row: HTMLElement, index: number): void {
    const call = this.#calls[index];
    if (call === undefined) return;
    const { path, depth, units, failure, isSkipped } = call;
    row.classList.toggle('failed', failure !== undefined);
    row.style.paddingInlineStart = `${12 + Math.min(depth, MAX_STEPS) * INDENT}px`;
    fill(
      row,
      span('call-path quiet', path),
      element('span', { class: 'clipped', title: callTitle(call) }, callTitle(call)),
      failure !== undefined && span('call-failed strong', this.t('failed')),
      isSkipped === true && span('quiet', this.t('did not run')),
      units !== undefined && span('call-units number quiet', this.t('{0} CU', counted(units))),
    );
  }
}

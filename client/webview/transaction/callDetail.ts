// The selected call: what it was called with, its accounts by their roles, and its own lines of the logs, folded unless it
// failed. However long the logs are, only the lines in view exist.
import type { CallView } from '../../../protocol/explain';
import { decodedTree, type DecodedTreeOptions } from '../shared/decodedTree';
import { button, element } from '../shared/dom';
import { counted } from '../shared/format';
import { VirtualList } from '../shared/virtualList';
import { callTitle } from './words';

const LINE_HEIGHT = 20;
/** Lines that are seen at once. */
const MAX_LINES = 16;

export class CallDetail {
  readonly element: HTMLElement;
  readonly #title = element('h2', { id: 'call-title' });
  readonly #body = element('div', {
    class: 'call-body',
    tabindex: 0,
    role: 'group',
    'aria-labelledby': 'call-title',
  });

  constructor(private readonly options: DecodedTreeOptions) {
    this.element = element(
      'section',
      { class: 'item call', 'aria-labelledby': 'call-title' },
      element('div', { class: 'item-head' }, this.#title),
      this.#body,
    );
  }

  show(call: CallView): void {
    const { t } = this.options;
    const { path, program, failure, parts, accounts, logs, units, ownUnits, isCut } = call;
    this.#title.textContent = `${path}  ${callTitle(call)}`;
    const used =
      units === undefined
        ? undefined
        : ownUnits === undefined || ownUnits === units
          ? t('{0} compute units', counted(units))
          : t('{0} compute units, {1} without the calls it made', counted(units), counted(ownUnits));
    this.#body.replaceChildren(
      ...(failure === undefined ? [] : [element('p', { class: 'call-failure' }, t('Failed: {0}', failure))]),
      ...(used === undefined ? [] : [element('p', {}, used)]),
      this.#tree('', [{ name: t('program'), text: program, address: program }]),
      ...(parts.length === 0 ? [] : [element('h3', {}, t('Arguments and results')), this.#tree('', parts)]),
      ...(accounts.length === 0 ? [] : [element('h3', {}, t('Accounts')), this.#tree('', accounts)]),
      ...this.#logs(logs, failure !== undefined),
      ...(isCut === true ? [element('p', { class: 'quiet' }, t('The node cut the logs here.'))] : []),
    );
    this.#body.scrollTop = 0;
  }

  #tree(name: string, parts: CallView['parts']): HTMLElement {
    const trees = parts.map((part) => decodedTree(part, this.options));
    return element('div', { class: 'call-part', 'aria-label': name === '' ? undefined : name }, ...trees);
  }

  #logs(logs: CallView['logs'], isOpen: boolean): readonly HTMLElement[] {
    const { t, onCopy } = this.options;
    if (logs.length === 0) return [];
    const list = new VirtualList({
      label: t('Log of this call'),
      rowHeight: LINE_HEIGHT,
      draw: (row, index) => row.append(element('span', { class: 'mono' }, logs[index] ?? '')),
    });
    list.element.style.height = `${Math.min(MAX_LINES, logs.length) * LINE_HEIGHT + 2}px`;
    list.setCount(logs.length);
    const title = logs.length === 1 ? t('Log, 1 line') : t('Log, {0} lines', counted(logs.length));
    return [
      element(
        'details',
        { class: 'raw logs', open: isOpen },
        element('summary', {}, title),
        list.element,
        button(t('Copy Log'), () => onCopy(logs.join('\n'))),
      ),
    ];
  }
}

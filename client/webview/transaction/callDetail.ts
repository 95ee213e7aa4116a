// The selected call: what it was called with, its accounts by their roles, and its own lines of the logs, folded unless it
// failed. However long the logs are, only the lines in view exist.
import { callTitle } from '../../../protocol/callTitle';
import type { CallView } from '../../../protocol/explain';
import { decodedTree, type DecodedTreeOptions } from '../shared/decodedTree';
import { button, element } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted } from '../shared/format';
import { VirtualList } from '../shared/virtualList';

const LINE_HEIGHT = 20;
/** Lines that are seen at once. */
const MAX_LINES = 16;

export interface CallDetailOptions extends DecodedTreeOptions {
  /** `path`: of a call. */
  readonly onCopyLog: (path: string) => void;
  /** Left out where the whole log cannot be opened as a text. */
  readonly onOpenLog?: () => void;
}

export class CallDetail {
  readonly element: HTMLElement;
  readonly #title = element('h2', { id: 'call-title' });
  readonly #body = element('div', {
    class: 'call-body',
    tabindex: 0,
    role: 'group',
    'aria-labelledby': 'call-title',
    'data-place': 'call',
  });

  constructor(private readonly options: CallDetailOptions) {
    this.element = element(
      'section',
      { class: 'item call', 'aria-labelledby': 'call-title' },
      element('div', { class: 'item-head' }, this.#title),
      this.#body,
    );
  }

  show(call: CallView): void {
    const { t } = this.options;
    const { path, program, isUnknown, failure, isSkipped, parts, accounts, units, ownUnits } = call;
    this.#title.textContent = `${path}  ${callTitle(call)}`;
    const used =
      units === undefined
        ? undefined
        : ownUnits === undefined || ownUnits === units
          ? t('{0} compute units', counted(units))
          : t('{0} compute units, {1} without the calls it made', counted(units), counted(ownUnits));
    this.#body.replaceChildren(
      ...(failure === undefined ? [] : [element('p', { class: 'call-failure' }, t('Failed: {0}', failure))]),
      ...(isSkipped === true ? [element('p', {}, t('Did not run: an instruction before it failed.'))] : []),
      ...(used === undefined ? [] : [element('p', {}, used)]),
      this.#tree('', [
        { name: t('program'), text: program, address: program, ...(isUnknown === true && { idl: program }) },
      ]),
      ...(parts.length === 0 ? [] : [element('h3', {}, t('Arguments and results')), this.#tree('', parts)]),
      ...(accounts.length === 0 ? [] : [element('h3', {}, t('Accounts')), this.#tree('', accounts)]),
      ...this.#logs(call),
    );
    this.#body.scrollTop = 0;
  }

  #tree(name: string, parts: CallView['parts']): HTMLElement {
    const trees = parts.map((part) => decodedTree(part, this.options));
    return element('div', { class: 'call-part', 'aria-label': name === '' ? undefined : name }, ...trees);
  }

  #logs(call: CallView): readonly HTMLElement[] {
    const { logs, isCut } = call;
    const { t, onOpenLog } = this.options;
    if (logs.length === 0 && isCut !== true) return [];
    const opens = onOpenLog === undefined ? [] : [button(t('Open Whole Log as Text'), onOpenLog)];
    const cut = isCut === true ? [element('p', { class: 'log-cut quiet' }, cutWords(call, t))] : [];
    if (logs.length === 0) return [...cut, element('div', { class: 'steps' }, ...opens)];
    const list = new VirtualList({
      label: t('Log of this call'),
      rowHeight: LINE_HEIGHT,
      draw: (row, index) => row.append(element('span', { class: 'mono' }, logs[index] ?? '')),
    });
    list.element.dataset['place'] = 'log';
    list.element.style.height = `${Math.min(MAX_LINES, logs.length) * LINE_HEIGHT + 2}px`;
    list.setCount(logs.length);
    const title = logs.length === 1 ? t('Log, 1 line') : t('Log, {0} lines', counted(logs.length));
    return [
      element(
        'details',
        { class: 'raw logs', open: call.failure !== undefined },
        element('summary', {}, title),
        list.element,
        element(
          'div',
          { class: 'steps' },
          button(t('Copy Log'), () => this.options.onCopyLog(call.path)),
          ...opens,
        ),
      ),
      ...cut,
    ];
  }
}

const cutWords = ({ unreadLines }: CallView, t: PageTranslate): string =>
  unreadLines === undefined
    ? t('The node cut the logs here.')
    : unreadLines === 1
      ? t('1 more line of the log is not shown.')
      : t('{0} more lines of the log are not shown.', counted(unreadLines));

// The selected call: what it was called with, its accounts by their roles, and its own lines of the logs, folded unless it
// failed. However long the logs are, only the lines in view exist.
import { callTitle } from '../../../protocol/callTitle';
import type { CallView } from '../../../protocol/explain';
import { decodedTree } from '../shared/decodedTree';
import { button, type Child, div, element, fill, paragraph, scrollArea } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted } from '../shared/format';
import { LINE_HEIGHT, LineList } from './lineList';
import type { TransactionExtension } from './place';

/** Lines that are seen at once. */
const MAX_LINES = 16;

export class CallDetail {
  readonly element: HTMLElement;
  readonly #title = element('h2', { class: 'clipped', id: 'call-title' });
  readonly #body = scrollArea('call-body', { 'aria-labelledby': 'call-title', 'data-place': 'call' });

  /** `hasLog`: the whole log can be opened as a text. */
  constructor(
    private readonly extension: TransactionExtension,
    private readonly hasLog: boolean,
  ) {
    this.element = element(
      'section',
      { class: 'item call column', 'aria-labelledby': 'call-title' },
      div('item-head', this.#title),
      this.#body,
    );
  }

  show(call: CallView): void {
    const { t } = this.extension;
    const { path, program, isUnknown, failure, isSkipped, parts, accounts, units, ownUnits } = call;
    this.#title.textContent = `${path}  ${callTitle(call)}`;
    const used =
      units === undefined
        ? undefined
        : ownUnits === undefined || ownUnits === units
          ? t('{0} compute units', counted(units))
          : t('{0} compute units, {1} without the calls it made', counted(units), counted(ownUnits));
    fill(
      this.#body,
      failure !== undefined && paragraph('strong', t('Failed: {0}', failure)),
      isSkipped === true && element('p', {}, t('Did not run: an instruction before it failed.')),
      used !== undefined && element('p', {}, used),
      this.#tree([
        { name: t('program'), text: program, address: program, ...(isUnknown === true && { idl: program }) },
      ]),
      parts.length > 0 && [element('h3', {}, t('Arguments and results')), this.#tree(parts)],
      accounts.length > 0 && [element('h3', {}, t('Accounts')), this.#tree(accounts)],
      this.#logs(call),
    );
    this.#body.scrollTop = 0;
  }

  #tree(parts: CallView['parts']): HTMLElement {
    return element(
      'div',
      {},
      parts.map((part) => decodedTree(part, this.extension)),
    );
  }

  #logs(call: CallView): Child {
    const { logs, isCut, path, failure } = call;
    const { t, send } = this.extension;
    if (logs.length === 0 && isCut !== true) return undefined;
    const opens = this.hasLog && button(t('Open Whole Log as Text'), () => send({ kind: 'openLog' }));
    const cut = isCut === true && paragraph('quiet', cutWords(call, t));
    if (logs.length === 0) return [cut, div('steps wraps', opens)];
    const list = new LineList(t('Log of this call'), 'log');
    list.element.style.height = `${Math.min(MAX_LINES, logs.length) * LINE_HEIGHT + 2}px`;
    list.show(logs);
    const title = logs.length === 1 ? t('Log, 1 line') : t('Log, {0} lines', counted(logs.length));
    return [
      element(
        'details',
        { class: 'raw logs', open: failure !== undefined },
        element('summary', {}, title),
        list.element,
        div(
          'steps wraps',
          button(t('Copy Log'), () => send({ kind: 'copyLog', path })),
          opens,
        ),
      ),
      cut,
    ];
  }
}

const cutWords = ({ unreadLines }: CallView, t: PageTranslate): string =>
  unreadLines === undefined
    ? t('The node cut the logs here.')
    : unreadLines === 1
      ? t('1 more line of the log is not shown.')
      : t('{0} more lines of the log are not shown.', counted(unreadLines));

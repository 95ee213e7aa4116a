// The page of a transaction: outcome and facts above, compute units as a flame, and in tabs its calls, accounts, balances
// and the explanation as JSON. Asks once for what it shows.
import type { FeesResult, TransactionView } from '../../../protocol/explain';
import { MAX_KEPT_TEXT } from '../../../protocol/pageLimits';
import type {
  TransactionAnswer,
  TransactionAsk,
  TransactionCommand,
  TransactionHello,
  TransactionKept,
  TransactionUpdate,
} from '../../../protocol/transactionPanel';
import { button, element } from '../shared/dom';
import { connectPage, type Extension } from '../shared/extension';
import { visible } from '../shared/visible';
import { CallDetail } from './callDetail';
import { CallTree } from './callTree';
import { Flame } from './flame';
import { outcomeHead } from './head';
import { PagePlace } from './place';
import { ReplayPart } from './replay';
import { Suggestions } from './suggestions';
import { accountTable, balanceTable, RawText } from './tables';
import { writtenPart } from './written';
import { Tabs } from './tabs';
import './main.css';

/** While the user scrolls. */
const KEEP_AFTER_MS = 250;

class TransactionPage {
  readonly #head = element('header', { class: 'transaction-head' });
  readonly #words = element('p', { class: 'quiet', role: 'status' });
  readonly #status = element('p', { class: 'quiet', role: 'status' });
  readonly #empty: HTMLElement;
  /** Of a replay that is not kept any more. */
  readonly #renew: HTMLElement;
  readonly #replay: ReplayPart;
  readonly #suggestions: Suggestions;
  readonly #flame: Flame;
  readonly #tree: CallTree;
  readonly #detail: CallDetail;
  readonly #raw: RawText;
  readonly #tabs: Tabs;
  readonly #accounts: HTMLElement;
  readonly #balances: HTMLElement;
  readonly #place: PagePlace;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #kept: TransactionKept;
  #view: TransactionView | undefined;

  constructor(
    hello: TransactionHello,
    private readonly extension: Extension<TransactionAsk, TransactionAnswer, TransactionCommand>,
  ) {
    const { t, send } = extension;
    this.#kept = { ...(extension.kept as TransactionKept | undefined), ...keepable(hello) };
    const root = document.querySelector<HTMLElement>('#page') ?? document.body;
    root.dataset['place'] = 'page';
    this.#place = new PagePlace(root, this.#kept, {
      onScroll: () => this.#keepSoon(),
      // At once: what a page that is hidden says last is lost.
      onFold: () => this.#keep({}),
    });
    window.addEventListener('pagehide', () => this.#keep({}));
    const actions = {
      t,
      onCopy: (text: string) => send({ kind: 'copy', text }),
      onWatch: (address: string) => send({ kind: 'watch', address }),
      onFetchIdl: (program: string) => send({ kind: 'fetchIdl', program }),
    };
    this.#replay = new ReplayPart({
      t,
      onAgain: () => send({ kind: 'replayAgain' }),
      onSave: () => send({ kind: 'saveReplay' }),
    });
    this.#suggestions = new Suggestions({
      t,
      onUse: (member, value) => send({ kind: 'use', member, value }),
      askFees: () => this.#fees(),
    });
    this.#flame = new Flame(t, (path) => this.#choose(path, true));
    this.#tree = new CallTree(t, (path) => this.#choose(path, false));
    this.#detail = new CallDetail({
      ...actions,
      onCopyLog: (path) => send({ kind: 'copyLog', path }),
      // A row of a stream does not come from a node's answer.
      ...(hello.source.kind !== 'row' && { onOpenLog: () => send({ kind: 'openLog' }) }),
    });
    this.#raw = new RawText(t);
    this.#accounts = scrolled(t('Accounts'), 'accounts');
    this.#balances = scrolled(t('Balances'), 'balances');
    this.#renew = button(t('Replay Again'), () => send({ kind: 'renewReplay' }), { class: 'primary' });
    this.#empty = element(
      'div',
      { class: 'empty' },
      element('h1', { class: 'only-read' }, visible(hello.title)),
      this.#words,
      this.#renew,
    );
    const calls = element('div', { class: 'split' }, this.#tree.element, this.#detail.element);
    this.#tabs = new Tabs(
      t('Parts of the transaction'),
      [
        { id: 'calls', title: t('Calls'), panel: calls },
        { id: 'accounts', title: t('Accounts'), panel: this.#accounts },
        { id: 'balances', title: t('Balances'), panel: this.#balances },
        { id: 'raw', title: t('Raw'), panel: this.#raw.element },
      ],
      (tab) => {
        this.#place.scrollShown();
        this.#keep({ tab });
      },
    );
    root.append(
      this.#head,
      this.#status,
      this.#replay.element,
      this.#suggestions.element,
      this.#flame.element,
      this.#tabs.element,
      this.#empty,
    );
    this.#say(t('Reading the transaction…'));
    this.#keep({});
    void this.load();
  }

  /** Asks what there is to show, also when more is known than before. */
  async load(): Promise<void> {
    const { t } = this.extension;
    const answer = await this.extension.ask({ kind: 'explain' });
    switch (answer?.kind) {
      case 'explained':
        this.#show(answer.view);
        break;
      case 'none':
        this.#say(answer.reason);
        break;
      case 'gone':
        this.#sayGone();
        break;
      case 'fees':
      case 'simulated':
      case undefined:
        this.#say(t('There was no answer.'));
    }
  }

  #sayGone(): void {
    const { t } = this.extension;
    const { source } = this.#kept;
    const isRenewable = source.kind === 'replay' && source.of !== undefined;
    this.#say(
      isRenewable
        ? t('This replay is no longer kept. Replaying it again starts without your changes.')
        : t('This transaction is no longer kept.'),
    );
    this.#renew.hidden = !isRenewable;
  }

  /** A sentence in the place of everything. */
  #say(words: string | undefined): void {
    const isEmpty = words !== undefined;
    this.#empty.hidden = !isEmpty;
    this.#renew.hidden = true;
    this.#words.textContent = words ?? '';
    this.#head.hidden = isEmpty;
    this.#replay.element.hidden = isEmpty;
    this.#suggestions.element.hidden = isEmpty;
    this.#flame.element.hidden = isEmpty;
    this.#tabs.element.hidden = isEmpty;
  }

  #show(view: TransactionView): void {
    const { t, send } = this.extension;
    this.#view = view;
    this.#say(undefined);
    this.#head.replaceChildren(
      ...outcomeHead(view, {
        t,
        onCall: (path) => this.#choose(path, true),
        onCompare: () => send({ kind: 'compare' }),
        onCopy: (text) => send({ kind: 'copy', text }),
        onLookUp: (signature) => send({ kind: 'lookUp', signature }),
        onSimulate: () => void this.#simulate(),
        onReplay: (signature) => send({ kind: 'replay', signature }),
      }),
    );
    this.#replay.show(view);
    this.#suggestions.show(view, this.#kept.fees);
    this.#flame.show(view);
    this.#tree.show(view);
    this.#accounts.replaceChildren(...writtenPart(view, t), accountTable(view.accounts, t));
    this.#balances.replaceChildren(balanceTable(view.balances, t));
    this.#raw.show(view);
    const [first] = view.calls;
    const wanted = this.#kept.call ?? view.outcome.at ?? first?.path;
    if (wanted !== undefined)
      this.#choose(view.calls.some(({ path }) => path === wanted) ? wanted : first?.path, false);
    this.#tabs.choose(this.#kept.tab ?? 'calls');
    this.#place.restore();
  }

  /** `isJump`: from elsewhere than the tree, which is brought up. */
  #choose(path: string | undefined, isJump: boolean): void {
    const call = this.#view?.calls.find((one) => one.path === path);
    if (call === undefined) return;
    if (this.#kept.call !== undefined && this.#kept.call !== call.path) this.#place.forgetCall();
    this.#tree.mark(call.path);
    this.#flame.mark(call.path);
    this.#detail.show(call);
    this.#keep({ call: call.path });
    if (!isJump) return;
    this.#tabs.choose('calls');
    this.#place.scrollShown();
    this.#tree.focus();
  }

  /** Shows a simulation in place of what was shown; if it fails, that stays. */
  async #simulate(): Promise<void> {
    const { t } = this.extension;
    this.#status.className = 'quiet';
    this.#status.textContent = t('Simulating…');
    const answer = await this.extension.ask({ kind: 'simulate' });
    if (answer?.kind === 'simulated') {
      const { fees: _earlier, ...kept } = this.#kept;
      this.#kept = kept;
      this.#keep({ shown: answer.source, tab: answer.view.written === undefined ? 'calls' : 'accounts' });
      this.#show(answer.view);
      // People who see the page read it in the head.
      this.#status.className = 'only-read';
      this.#status.textContent = t('Simulated. Nothing was sent.');
    } else this.#status.textContent = answer?.kind === 'none' ? answer.reason : t('There was no answer.');
    this.#head.querySelector<HTMLElement>('.simulate')?.focus();
  }

  async #fees(): Promise<FeesResult | undefined> {
    const answer = await this.extension.ask({ kind: 'fees' });
    if (answer?.kind === 'fees') this.#keep({ fees: answer });
    return answer?.kind === 'fees' || answer?.kind === 'none' ? answer : undefined;
  }

  #keepSoon(): void {
    this.#keeping ??= setTimeout(() => this.#keep({}), KEEP_AFTER_MS);
  }

  #keep(more: Pick<TransactionKept, 'shown' | 'fees' | 'tab' | 'call'>): void {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    this.#kept = { ...this.#kept, ...more, ...this.#place.kept };
    this.extension.keep(this.#kept);
  }
}

/** A part that is scrolled with the keyboard too. */
const scrolled = (label: string, place: string): HTMLElement =>
  element('div', { class: 'scrolled', tabindex: 0, role: 'group', 'aria-label': label, 'data-place': place });

/** A long text is not kept: a window that is loaded again does not restore its panel. */
const keepable = ({ source, ...hello }: TransactionHello): TransactionHello =>
  source.kind === 'text' && source.text.length > MAX_KEPT_TEXT
    ? { ...hello, source: { kind: 'text', text: '' } }
    : { ...hello, source };

connectPage<TransactionHello, TransactionAsk, TransactionAnswer, TransactionUpdate, TransactionCommand>(
  (hello, extension) => {
    const page = new TransactionPage(hello, extension);
    return () => void page.load();
  },
);

// The page of a transaction: outcome and facts above, compute units as a flame, and in tabs its calls, accounts, balances
// and the explanation as JSON. Asks once for what it shows.
import type { FeesResult, TransactionView } from '../../../protocol/explain';
import { MAX_KEPT_TEXT } from '../../../protocol/pageLimits';
import type { TransactionHello, TransactionKept } from '../../../protocol/transactionPanel';
import { button, div, element, fill, scrollArea, showPage } from '../shared/dom';
import { connectPage } from '../shared/extension';
import { keeper, type Keeper } from '../shared/keeper';
import { visible } from '../shared/visible';
import { CallDetail } from './callDetail';
import { CallTree } from './callTree';
import { Flame } from './flame';
import { outcomeHead } from './head';
import { PagePlace, type TransactionExtension } from './place';
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
  /** All but the sentence in their place. */
  readonly #parts: readonly HTMLElement[];
  readonly #keeper: Keeper;
  #kept: TransactionKept;
  #view: TransactionView | undefined;

  constructor(
    hello: TransactionHello,
    private readonly extension: TransactionExtension,
  ) {
    const { t, send } = extension;
    this.#kept = { ...(extension.kept as TransactionKept | undefined), ...keepable(hello) };
    const root = document.querySelector<HTMLElement>('#page') ?? document.body;
    root.dataset['place'] = 'page';
    this.#place = new PagePlace(root, this.#kept, {
      onScroll: () => this.#keeper.soon(),
      // At once: what a page that is hidden says last is lost.
      onFold: () => this.#keeper.keep(),
    });
    this.#keeper = keeper(extension, () => ({ ...this.#kept, ...this.#place.kept }), KEEP_AFTER_MS);
    this.#replay = new ReplayPart(extension);
    this.#suggestions = new Suggestions(extension, () => this.#fees());
    this.#flame = new Flame(t, (path) => this.#choose(path, true));
    this.#tree = new CallTree(t, (path) => this.#choose(path, false));
    // A row of a stream does not come from a node's answer.
    this.#detail = new CallDetail(extension, hello.source.kind !== 'row');
    this.#raw = new RawText(t);
    this.#accounts = scrollArea('scrolled', { 'aria-label': t('Accounts'), 'data-place': 'accounts' });
    this.#balances = scrollArea('scrolled', { 'aria-label': t('Balances'), 'data-place': 'balances' });
    this.#renew = button(t('Replay Again'), () => send({ kind: 'renewReplay' }), { class: 'primary' });
    const title = element('h1', { class: 'only-read' }, visible(hello.title));
    this.#empty = div('empty', title, this.#words, this.#renew);
    const calls = div('split', this.#tree.element, this.#detail.element);
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
    const shown = [this.#replay, this.#suggestions, this.#flame, this.#tabs].map((part) => part.element);
    this.#parts = [this.#head, ...shown];
    showPage(this.#head, this.#status, ...shown, this.#empty);
    this.#say(t('Reading the transaction…'));
    this.#keeper.keep();
    this.update();
  }

  /** Asks what there is to show, also when more is known than before. */
  update(): void {
    void this.#load();
  }

  async #load(): Promise<void> {
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
    for (const part of this.#parts) part.hidden = isEmpty;
  }

  #show(view: TransactionView): void {
    const { t } = this.extension;
    this.#view = view;
    this.#say(undefined);
    fill(
      this.#head,
      outcomeHead(view, {
        extension: this.extension,
        onCall: (path) => this.#choose(path, true),
        onSimulate: () => void this.#simulate(),
      }),
    );
    this.#replay.show(view);
    this.#suggestions.show(view, this.#kept.fees);
    this.#flame.show(view);
    this.#tree.show(view);
    fill(this.#accounts, writtenPart(view, t), accountTable(view.accounts, t));
    fill(this.#balances, balanceTable(view.balances, t));
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

  #keep(more: Pick<TransactionKept, 'shown' | 'fees' | 'tab' | 'call'>): void {
    this.#kept = { ...this.#kept, ...more };
    this.#keeper.keep();
  }
}

/** A long text is not kept: a window that is loaded again does not restore its panel. */
const keepable = ({ source, ...hello }: TransactionHello): TransactionHello =>
  source.kind === 'text' && source.text.length > MAX_KEPT_TEXT
    ? { ...hello, source: { kind: 'text', text: '' } }
    : { ...hello, source };

connectPage(TransactionPage);

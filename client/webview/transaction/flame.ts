// Compute units of each call as a flame: a call is as wide as what it used, and what it called lies under it. One stop of the
// Tab key; arrow keys move between calls. Absent where the logs say no units.
import { callTitle } from '../../../protocol/callTitle';
import type { CallView, TransactionView } from '../../../protocol/explain';
import { button, element, setAttributes } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted } from '../shared/format';
import { moveFocus } from '../shared/moveFocus';

interface Bar {
  readonly call: CallView;
  /** Compute units before it, and of it. */
  readonly from: number;
  readonly units: number;
}

/** An instruction and eight calls within each other; deeper ones are in the tree. */
const MAX_ROWS = 9;
const ROW_HEIGHT = 22;

export class Flame {
  readonly element: HTMLElement;
  readonly #bars = element('div', { class: 'flame-bars' });
  readonly #title = element('h2', { id: 'flame-title' });
  #buttons: readonly HTMLButtonElement[] = [];
  #paths: readonly string[] = [];

  constructor(
    private readonly t: PageTranslate,
    private readonly onChoose: (path: string) => void,
  ) {
    setAttributes(this.#bars, { role: 'toolbar', 'aria-labelledby': 'flame-title' });
    this.element = element('section', { class: 'flame', hidden: true }, this.#title, this.#bars);
    this.#bars.addEventListener('keydown', (event) => moveFocus(event, this.#buttons, 'stop'));
  }

  show({ calls }: TransactionView): void {
    const { bars, total } = layOut(calls);
    this.element.hidden = total === 0;
    this.#title.textContent = this.t('Compute units of the calls: {0}', counted(total));
    const rows = Math.min(MAX_ROWS, Math.max(0, ...bars.map(({ call }) => call.depth)) + 1);
    this.#bars.style.height = `${rows * ROW_HEIGHT}px`;
    const shown = bars.filter(({ call }) => call.depth < MAX_ROWS);
    this.#paths = shown.map(({ call }) => call.path);
    this.#buttons = shown.map(({ call, from, units }) => this.#bar(call, from / total, units / total));
    this.#bars.replaceChildren(...this.#buttons);
  }

  mark(path: string): void {
    const marked = this.#paths.indexOf(path);
    for (const [at, bar] of this.#buttons.entries()) {
      const isMarked = at === marked;
      setAttributes(bar, { 'aria-pressed': String(isMarked), tabindex: isMarked || (marked < 0 && at === 0) ? 0 : -1 });
    }
  }

  #bar(call: CallView, from: number, share: number): HTMLButtonElement {
    const { t } = this;
    const words = t('{0}, {1} compute units', `${call.path} ${callTitle(call)}`, counted(call.units ?? 0));
    const bar = button(callTitle(call), () => this.onChoose(call.path), {
      class: call.failure === undefined ? 'flame-bar clipped' : 'flame-bar clipped failed',
      title: words,
      'aria-label': words,
      tabindex: -1,
    });
    bar.style.left = `${from * 100}%`;
    bar.style.width = `${share * 100}%`;
    bar.style.top = `${call.depth * ROW_HEIGHT}px`;
    return bar;
  }
}

/** Calls that say what they used, each within the one that called it. */
function layOut(calls: readonly CallView[]): { readonly bars: readonly Bar[]; readonly total: number } {
  const bars: Bar[] = [];
  /** Where the next call begins, by the depth. */
  const next: number[] = [0];
  for (const call of calls) {
    const { depth, units } = call;
    const from = next[depth];
    if (units === undefined || units === 0 || from === undefined) {
      next.length = Math.min(next.length, depth + 1);
      continue;
    }
    bars.push({ call, from, units });
    next.length = depth;
    next.push(from + units, from);
  }
  return { bars, total: next[0] ?? 0 };
}

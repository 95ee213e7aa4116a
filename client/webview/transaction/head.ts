// The head of a transaction: its outcome in words with the next step, and the facts of the whole.
import type { FactName, OutcomeView, TransactionView } from '../../../protocol/explain';
import { button, element } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';

export interface HeadOptions {
  readonly t: PageTranslate;
  readonly onCall: (path: string) => void;
  readonly onCopy: (text: string) => void;
  readonly onCompare: () => void;
  /** Left out where it is on the chain, or its bytes are not known. */
  readonly onSimulate: () => void;
  /** Left out where what is shown is what the chain has. */
  readonly onLookUp: (signature: string) => void;
  /** Left out where it has not landed, and where this is its replay. */
  readonly onReplay: (signature: string) => void;
}

const TONES: Readonly<Record<OutcomeView['kind'], { readonly tone: string; readonly mark: string }>> = {
  succeeded: { tone: 'good', mark: '✓' },
  failed: { tone: 'bad', mark: '✕' },
  notExecuted: { tone: 'quiet', mark: '○' },
};

export function outcomeHead(view: TransactionView, options: HeadOptions): readonly HTMLElement[] {
  const { t, onCall, onCompare, onCopy, onLookUp, onReplay, onSimulate } = options;
  const { outcome, signature, facts, notes } = view;
  const { at } = outcome;
  const { tone, mark } = TONES[outcome.kind];
  const title = element(
    'h1',
    { class: 'state', 'data-tone': tone },
    element('span', { class: 'state-mark', 'aria-hidden': 'true' }, mark),
    element('span', { class: 'state-words' }, outcomeWords(outcome.kind, t)),
  );
  const hasRun = outcome.kind !== 'notExecuted';
  const hasLanded = facts.some(({ name }) => name === 'slot') && view.replay === undefined;
  const steps = [
    ...(at === undefined ? [] : [button(t('Show the Call That Failed'), () => onCall(at), { class: 'primary' })]),
    ...(signature === undefined || hasRun
      ? []
      : [button(t('Look It Up on the Chain'), () => onLookUp(signature), { class: 'primary' })]),
    ...(signature === undefined || !hasLanded ? [] : [button(t('Replay Locally'), () => onReplay(signature))]),
    ...(view.wire === undefined ? [] : [button(simulateWords(view, t), onSimulate, { class: 'simulate' })]),
    button(t('Compare With…'), onCompare),
    ...(signature === undefined ? [] : [button(t('Copy Signature'), () => onCopy(signature))]),
  ];
  return [
    title,
    ...(outcome.ranIn === undefined ? [] : [element('p', { class: 'quiet' }, ranInWords(outcome.ranIn, t))]),
    ...(outcome.text === undefined ? [] : [element('p', { class: 'outcome-text' }, failedWords(outcome.text, at, t))]),
    ...cluesList(outcome, t),
    ...(outcome.next === undefined ? [] : [element('p', {}, t('Next: {0}', outcome.next))]),
    ...(signature === undefined ? [] : [element('p', { class: 'mono quiet signature' }, signature)]),
    element('div', { class: 'steps' }, ...steps),
    element(
      'dl',
      { class: 'facts' },
      ...facts.map(({ name, text }) =>
        element('div', {}, element('dt', {}, factTitle(name, t)), element('dd', {}, text)),
      ),
    ),
    ...(notes.length === 0
      ? []
      : [element('ul', { class: 'notes', 'aria-label': t('Notes') }, ...notes.map((note) => element('li', {}, note)))]),
  ];
}

const failedWords = (text: string, at: string | undefined, t: PageTranslate): string =>
  at === undefined ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : t('At call {0}: {1}', at, text);

/** Whose error it is, and what it is about. */
function cluesList({ source, clues = [] }: OutcomeView, t: PageTranslate): readonly HTMLElement[] {
  const rows = [
    ...(source === undefined ? [] : [[t('Source of the error'), source] as const]),
    ...clues.map(({ name, text }) => [clueTitle(name, t), text] as const),
  ];
  if (rows.length === 0) return [];
  const parts = rows.flatMap(([title, text]) => [
    element('dt', { class: 'quiet' }, title),
    element('dd', { class: 'mono' }, text),
  ]);
  return [element('dl', { class: 'clues' }, ...parts)];
}

function clueTitle(name: NonNullable<OutcomeView['clues']>[number]['name'], t: PageTranslate): string {
  switch (name) {
    case 'account':
      return t('Account');
    case 'line':
      return t('Line of its source');
    case 'left':
      return t('Left value');
    case 'right':
      return t('Right value');
  }
}

function outcomeWords(kind: OutcomeView['kind'], t: PageTranslate): string {
  switch (kind) {
    case 'succeeded':
      return t('Succeeded');
    case 'failed':
      return t('Failed');
    case 'notExecuted':
      return t('Outcome unknown');
  }
}

function simulateWords({ outcome, written }: TransactionView, t: PageTranslate): string {
  if (outcome.kind === 'notExecuted') return t('Simulate');
  return outcome.kind === 'succeeded' && written === undefined ? t('Simulate with Accounts') : t('Simulate Again');
}

const ranInWords = (ranIn: NonNullable<OutcomeView['ranIn']>, t: PageTranslate): string =>
  ranIn === 'simulation'
    ? t('In a simulation: nothing was sent.')
    : t('In the preflight of the node: nothing reached the chain.');

function factTitle(name: FactName, t: PageTranslate): string {
  switch (name) {
    case 'fee':
      return t('Fee');
    case 'baseFee':
      return t('For signatures');
    case 'priorityFee':
      return t('For priority');
    case 'tip':
      return t('Tip, on top of the fee');
    case 'price':
      return t('Price of a compute unit, micro-lamports');
    case 'computeUnits':
      return t('Compute units');
    case 'loadedAccountsData':
      return t('Loaded account data, bytes');
    case 'heap':
      return t('Heap, bytes');
    case 'version':
      return t('Version');
    case 'size':
      return t('Size, bytes');
    case 'sizeLeft':
      return t('Size left, bytes');
    case 'signatures':
      return t('Valid signatures');
    case 'slot':
      return t('Slot');
    case 'time':
      return t('Time');
    case 'blockhash':
      return t('Blockhash');
  }
}

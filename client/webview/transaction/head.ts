// The head of a transaction: its outcome in words with the next step, and the facts of the whole.
import type { FactName, OutcomeView, TransactionView } from '../../../protocol/explain';
import { bulletList, button, type Child, definitions, div, element, paragraph, span } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import type { TransactionExtension } from './place';

export interface HeadOptions {
  readonly extension: TransactionExtension;
  readonly onCall: (path: string) => void;
  readonly onSimulate: () => void;
}

const outcomesOf = (
  t: PageTranslate,
): Readonly<Record<OutcomeView['kind'], { readonly tone: string; readonly mark: string; readonly words: string }>> => ({
  succeeded: { tone: 'good', mark: '✓', words: t('Succeeded') },
  failed: { tone: 'bad', mark: '✕', words: t('Failed') },
  notExecuted: { tone: 'quiet', mark: '○', words: t('Outcome unknown') },
});

export function outcomeHead(view: TransactionView, { extension, onCall, onSimulate }: HeadOptions): readonly Child[] {
  const { t, send } = extension;
  const { outcome, signature, facts, notes, wire } = view;
  const { at, ranIn, text, next } = outcome;
  const { tone, mark, words } = outcomesOf(t)[outcome.kind];
  const primary = { class: 'primary' };
  const isOpen = outcome.kind === 'notExecuted';
  const hasLanded = facts.some(({ name }) => name === 'slot') && view.replay === undefined;
  const titles = factTitles(t);
  return [
    element(
      'h1',
      { class: 'state wraps', 'data-tone': tone },
      element('span', { class: 'state-mark', 'aria-hidden': 'true' }, mark),
      span('state-words strong', words),
    ),
    ranIn !== undefined && paragraph('quiet', ranInWords(ranIn, t)),
    text !== undefined && paragraph('outcome-text strong', failedWords(text, at, t)),
    cluesList(outcome, t),
    next !== undefined && element('p', {}, t('Next: {0}', next)),
    signature !== undefined && paragraph('mono quiet signature', signature),
    div(
      'steps wraps',
      at !== undefined && button(t('Show the Call That Failed'), () => onCall(at), primary),
      signature !== undefined &&
        isOpen &&
        button(t('Look It Up on the Chain'), () => send({ kind: 'lookUp', signature }), primary),
      signature !== undefined && hasLanded && button(t('Replay Locally'), () => send({ kind: 'replay', signature })),
      wire !== undefined && button(simulateWords(view, t), onSimulate, { class: 'simulate' }),
      button(t('Compare With…'), () => send({ kind: 'compare' })),
      signature !== undefined && button(t('Copy Signature'), () => send({ kind: 'copy', text: signature })),
    ),
    definitions(
      'facts wraps',
      facts.map(({ name, text }) => [titles[name], text]),
    ),
    notes.length > 0 && bulletList(t('Notes'), notes),
  ];
}

const failedWords = (text: string, at: string | undefined, t: PageTranslate): string =>
  at === undefined ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : t('At call {0}: {1}', at, text);

/** Whose error it is, and what it is about. */
function cluesList({ source, clues = [] }: OutcomeView, t: PageTranslate): HTMLElement | undefined {
  const titles = clueTitles(t);
  const rows = clues.map(({ name, text }): readonly [string, string] => [titles[name], text]);
  if (source !== undefined) rows.unshift([t('Source of the error'), source]);
  if (rows.length === 0) return undefined;
  const parts = rows.map(([title, text]) => [
    element('dt', { class: 'quiet' }, title),
    element('dd', { class: 'mono' }, text),
  ]);
  return element('dl', { class: 'clues' }, parts);
}

const clueTitles = (t: PageTranslate): Readonly<Record<NonNullable<OutcomeView['clues']>[number]['name'], string>> => ({
  account: t('Account'),
  line: t('Line of its source'),
  left: t('Left value'),
  right: t('Right value'),
});

function simulateWords({ outcome, written }: TransactionView, t: PageTranslate): string {
  if (outcome.kind === 'notExecuted') return t('Simulate');
  return outcome.kind === 'succeeded' && written === undefined ? t('Simulate with Accounts') : t('Simulate Again');
}

const ranInWords = (ranIn: NonNullable<OutcomeView['ranIn']>, t: PageTranslate): string =>
  ranIn === 'simulation'
    ? t('In a simulation: nothing was sent.')
    : t('In the preflight of the node: nothing reached the chain.');

const factTitles = (t: PageTranslate): Readonly<Record<FactName, string>> => ({
  fee: t('Fee'),
  baseFee: t('For signatures'),
  priorityFee: t('For priority'),
  tip: t('Tip, on top of the fee'),
  price: t('Price of a compute unit, micro-lamports'),
  computeUnits: t('Compute units'),
  loadedAccountsData: t('Loaded account data, bytes'),
  heap: t('Heap, bytes'),
  version: t('Version'),
  size: t('Size, bytes'),
  sizeLeft: t('Size left, bytes'),
  signatures: t('Valid signatures'),
  slot: t('Slot'),
  time: t('Time'),
  blockhash: t('Blockhash'),
});

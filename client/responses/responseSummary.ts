// The texts of a response's lenses: the outcome of the request, the status of its transaction, its assertion results. Each fits
// an editor of 340 px. Pure: texts go through `t`.
import type { AssertionOutcome, ExecuteOutcome } from '../../protocol/lsp';
import { plain, sizeText, type Translate } from '../shared/words';
import { stateText, type HistoryRun } from './historyRows';
import { dotted } from '../../core/solana/common/dotted';
import { shortened } from '../../core/solana/common/ends';

/** A lens that does nothing; `tooltip` has one line for each thing it says. */
export interface SummaryRow {
  readonly text: string;
  readonly tooltip: readonly string[];
}

/** The rows above a response: outcome, then the transaction's way, then the assertions. */
export function summaryRows(outcome: SummaryRun, t: Translate): readonly SummaryRow[] {
  return [outcomeRow(outcome, t), ...landingRows(outcome, t), ...assertionRows(outcome.assertions, t)];
}

/** An outcome, and whether this window knows that it is in progress. */
export type SummaryRun = ExecuteOutcome & Pick<HistoryRun, 'state'>;

/** "✓ 200 · 12 ms · 104 B · slot 350123456". */
function outcomeRow(outcome: SummaryRun, t: Translate): SummaryRow {
  const { status, state, httpStatus, durationMs, bytes, slot, stream, method, transport, endpoint } = outcome;
  const isOpen = stream?.isOpen === true;
  const parts = [
    isOpen
      ? state === 'running'
        ? t('● live')
        : `○ ${stateText('unfinished', t)}`
      : `${status === 'passed' ? '✓' : '✗'} ${httpStatus ?? statusText(status, t)}`,
    stream === undefined ? '' : stream.count === 1 ? t('1 message') : t('{0} messages', stream.count),
    stream === undefined || stream.dropped === 0 ? '' : t('{0} dropped', stream.dropped),
    isOpen ? '' : durationText(durationMs),
    isOpen ? '' : sizeText(bytes),
    slot === undefined ? '' : t('slot {0}', slot),
  ];
  const text = dotted(parts);
  return { text, tooltip: [text, plain(dotted([method, transport, endpoint]))] };
}

export const statusText = (status: ExecuteOutcome['status'], t: Translate): string =>
  status === 'passed' ? t('passed') : status === 'failed' ? t('failed') : t('skipped');

/** "0.8 ms", "12 ms", "13.2 s". */
export function durationText(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

/**
 * The way of a sent transaction, in the order of its steps; two on a row, so that a narrow editor shows them all. `confirmed` is a step
 * where it was reached before `finalized`.
 */
function landingRows({ landing }: ExecuteOutcome, t: Translate): readonly SummaryRow[] {
  if (landing === undefined) return [];
  const { text, level, times, atMost = [], finalizedSlot, failure } = landing;
  // Kept by a version that knew only the sentence.
  if (level === undefined || times === undefined) return [{ text: plain(text), tooltip: [plain(text)] }];
  const step = (name: keyof typeof times, words: string, next?: number): string => {
    const ms = times[name];
    if (ms === undefined) return `○ ${words}`;
    // Passed over, and seen with the next level.
    if (ms === next) return `✓ ${words}`;
    return `✓ ${words} ${atMost.includes(name) ? '≤ ' : ''}${durationText(ms)}`;
  };
  const { confirmed, finalized } = times;
  const last = step('finalized', t('finalized'));
  const isStep = confirmed !== undefined && confirmed !== finalized;
  const rows = [
    `✓ ${t('sent')} ─ ${step('processed', t('processed'), confirmed ?? finalized)}`,
    isStep ? `${step('confirmed', t('confirmed'))} ─ ${last}` : last,
  ];
  if (level === 'expired') rows.splice(1, 1, `✗ ${t('expired: it can no longer land')}`);
  if (finalizedSlot !== undefined) rows.push(`✗ ${t('nothing finalized after slot {0}', finalizedSlot)}`);
  if (failure !== undefined) rows.push(`✗ ${t('failed on the ledger: {0}', plain(failure))}`);
  return rows.map((row) => ({ text: row, tooltip: [plain(text)] }));
}

/** Passing assertions are counted like failing ones; the tooltip has them all. */
function assertionRows(assertions: readonly AssertionOutcome[], t: Translate): readonly SummaryRow[] {
  if (assertions.length === 0) return [];
  const text = assertionsText(assertions, t);
  return [{ text, tooltip: assertions.map((assertion) => assertionText(assertion, t)) }];
}

/** "✓ 2 assertions hold", "✗ 1 of 2 assertions failed". */
export function assertionsText(assertions: readonly AssertionOutcome[], t: Translate): string {
  const all = assertions.length;
  const failing = assertions.filter(({ passed }) => !passed).length;
  if (failing === 0) return `✓ ${all === 1 ? t('1 assertion holds') : t('{0} assertions hold', all)}`;
  return `✗ ${all === 1 ? t('1 assertion failed') : t('{0} of {1} assertions failed', failing, all)}`;
}

/** One assertion with what was found: "✗ result < 0 (it is 350)". */
export function assertionText({ text, passed, actual }: AssertionOutcome, t: Translate): string {
  if (passed) return `✓ ${plain(text)}`;
  const found =
    actual === undefined ? t('there is no such value') : t('it is {0}', plain(shortened(actual, LONGEST_VALUE)));
  return `✗ ${plain(text)} (${found})`;
}

/** A value inside a sentence. UTF-16 units. */
const LONGEST_VALUE = 200;

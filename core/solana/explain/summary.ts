// An explanation in three to six lines, for a hover: the outcome, what it cost, its first calls.
import { visibleText } from '../decode/decodedText';
import { formatSol, groupDigits } from '../chain/lamports';
import { wholeFee } from './costs';
import type { ExplainedCall, Explanation } from './explanation';
import { failedText, placeText } from './text';

/** More calls are counted. */
const MAX_CALLS = 3;

export function summaryLines(explanation: Explanation): readonly string[] {
  const { outcome, calls } = explanation;
  const more = calls.length - MAX_CALLS;
  const next = outcome.kind === 'failed' ? outcome.failure.next : undefined;
  const shown = calls.slice(0, MAX_CALLS).map(callText);
  if (more > 0) shown[MAX_CALLS - 1] += `; and ${more} more`;
  return [outcomeText(explanation), ...(next === undefined ? [] : [`Next: ${next}.`]), costText(explanation), ...shown];
}

function outcomeText({ outcome, slot }: Explanation): string {
  const where = slot === undefined ? '' : ` in slot ${groupDigits(slot.toString())}`;
  switch (outcome.kind) {
    case 'succeeded':
      return `Succeeded${where}`;
    case 'notExecuted':
      return 'Outcome unknown: what is here does not say whether it ran';
    case 'failed':
      return failedText(`Failed${where}`, outcome);
  }
}

function costText({ outcome, fee: parts, limits: { computeUnits } }: Explanation): string {
  if (outcome.kind === 'failed' && outcome.isUnpaid === true) return 'Did not run, paid nothing';
  const whole = wholeFee(parts);
  const fee = `Fee ${groupDigits(whole.toString())} lamports (${formatSol(whole)})`;
  const { used, asked } = computeUnits;
  const units = used === undefined ? '' : `, ${groupDigits(used.toString())} compute units used`;
  return `${fee}${units}${asked === undefined ? '' : `${used === undefined ? ', ' : ' of '}${groupDigits(asked.toString())} asked for`}`;
}

function callText({ path, program, programName, name, failure, calls }: ExplainedCall): string {
  const what = `${visibleText(programName ?? program)}${name === undefined ? '' : `: ${visibleText(name)}`}`;
  const inside = calls.length === 0 ? '' : `, calls ${calls.length === 1 ? '1 program' : `${calls.length} programs`}`;
  return `${placeText(path)}. ${what}${inside}${failure === undefined ? '' : ' (failed)'}`;
}

// What the page of the usage report may say, read before it is believed. Pure.
import type { ReportStep, UsageCommand } from '../../protocol/usagePanel';

const STEPS: readonly ReportStep[] = ['refresh', 'range', 'export', 'addKey', 'next'];

/** A message of the page as one of its own; undefined for anything else. */
export function readCommand(body: unknown): UsageCommand | undefined {
  if (typeof body !== 'object' || body === null || !('step' in body)) return undefined;
  const step = STEPS.find((known) => known === body.step);
  return step === undefined ? undefined : { step };
}

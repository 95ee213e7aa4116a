// What the page of the usage report may say, read before it is believed. Pure.
import type { ReportStep, UsageCommand } from '../../protocol/usagePanel';

const STEPS: readonly ReportStep[] = ['refresh', 'range', 'export', 'addKey', 'next', 'timeline'];

/** Of a key. UTF-16 units. */
const LONGEST_ID = 200;

/** Parses a message from the page; undefined if it is not one of ours. */
export function readCommand(body: unknown): UsageCommand | undefined {
  if (typeof body !== 'object' || body === null || !('step' in body)) return undefined;
  const step = STEPS.find((known) => known === body.step);
  if (step === undefined) return undefined;
  const keyId = 'keyId' in body && typeof body.keyId === 'string' ? body.keyId.slice(0, LONGEST_ID) : undefined;
  return { step, ...(keyId !== undefined && { keyId }) };
}

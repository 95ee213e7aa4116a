// Reads a message from the page of the usage report before it is trusted. Pure.
import type { ReportStep, UsageCommand } from '../../protocol/usagePanel';

const STEPS: readonly ReportStep[] = ['refresh', 'range', 'export', 'addKey', 'next', 'timeline'];

/** Of a key. UTF-16 units. */
const LONGEST_ID = 200;

/** Parses a message from the page; undefined if it is invalid. */
export function readCommand(body: unknown): UsageCommand | undefined {
  if (typeof body !== 'object' || body === null || !('step' in body)) return undefined;
  const step = STEPS.find((known) => known === body.step);
  if (step === undefined) return undefined;
  const keyId = 'keyId' in body && typeof body.keyId === 'string' ? body.keyId.slice(0, LONGEST_ID) : undefined;
  return { step, ...(keyId !== undefined && { keyId }) };
}

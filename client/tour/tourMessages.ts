// Reads a message from the tour's page before it is trusted. It names an action by its place: no command comes from a page.
// Pure.
import type { TourCommand } from '../../protocol/tourPage';

/** No tour has more steps, and no step more actions. */
const MOST = 100;

/** The page's message as a command; undefined for anything else. */
export function readTourCommand(body: unknown): TourCommand | undefined {
  if (typeof body !== 'object' || body === null || !('kind' in body)) return undefined;
  if (body.kind === 'end') return { kind: 'end' };
  if (body.kind !== 'act' || !('step' in body) || !('action' in body)) return undefined;
  const { step, action } = body;
  return isPlace(step) && isPlace(action) ? { kind: 'act', step, action } : undefined;
}

const isPlace = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < MOST;

// Finds the first block of a run whose endpoint does not exist, before anything is asked, read or sent.
import type { RequestDocument } from '../../core/requests/document/model';
import type { ServiceError } from '../../core/service/errors';
import type { Plan } from '../../core/requests/run/plan';
import { settingsOf } from '../../core/requests/run/source';
import { profileNamed } from '../profiles';
import type { Window } from '../window';

/**
 * `endpoint`: for all requests, overriding the file's; `line`: zero-based, of the block. Undefined also for a file with
 * faults: the run reports those.
 */
export function missingEndpoint(
  window: Window,
  document: RequestDocument,
  plan: Plan,
  endpoint: string | undefined,
): { readonly error: ServiceError; readonly line: number } | undefined {
  // Variables may be those of the endpoint that is missing.
  if (plan.problems.some(({ code }) => code !== 'unresolved-variable')) return undefined;
  const lacking = plan.steps.find(
    ({ at, skip }) =>
      !skip &&
      at.block.requestLine?.url === undefined &&
      profileNamed(window, endpoint ?? settingsOf(at).endpoint) === undefined,
  );
  if (lacking === undefined) return undefined;
  const isHere = lacking.at.scope.document === document;
  return {
    error: noEndpoint(endpoint ?? settingsOf(lacking.at).endpoint),
    line: isHere ? lacking.at.placed.line : 0,
  };
}

/** `name`: the endpoint that is named and does not exist; undefined if none is active. */
export const noEndpoint = (name: string | undefined): ServiceError => ({
  kind: 'noEndpoint',
  ...(name !== undefined && { name }),
  message: name === undefined ? 'No endpoint is active.' : `There is no endpoint named “${name}”.`,
  hint: 'Start the local service, or add an endpoint, and send again.',
});

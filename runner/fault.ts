// Turns anything that a row or a port throws into an error of the report, so that every run ends in a report.
import type { ServiceError } from '../core/service/errors';
import type { RunPorts } from './ports';

/** The error of a request during which something was thrown; `thrown` goes to the log alone. Never throws. */
export function faultOf(thrown: unknown, { onFault }: Pick<RunPorts, 'onFault'>): ServiceError {
  try {
    onFault?.(thrown);
  } catch {
    // Without a log, the report still says that there was a fault.
  }
  return {
    kind: 'internal',
    message: 'The request ended in an internal error of the workbench. It may have been sent.',
    hint: 'Report the error with what the log or standard error says of it.',
  };
}

/** The time of the clock, 0 if that throws. ms */
export function clockTime(ports: Pick<RunPorts, 'clock' | 'onFault'>): number {
  try {
    return ports.clock.now();
  } catch (error) {
    faultOf(error, ports);
    return 0;
  }
}

// Writes a row of a report; where that throws, the row without its values: the rest of the report is not lost.
import { withoutValues } from '../../core/requests/run/report';
import type { RequestReport } from '../../core/requests/run/model';
import { faultOf } from '../../runner/fault';
import { faultText } from '../refusal';

let hasFailed = false;

/** Whether a row of this process could not be written: its exit code is then not 0. */
export const isIncomplete = (): boolean => hasFailed;

/** The result of `write` for the row; if it throws, for a row that reports an internal error. */
export function written<T>(row: RequestReport, write: (row: RequestReport) => T): T {
  try {
    return write(row);
  } catch (thrown) {
    hasFailed = true;
    const error = faultOf(thrown, { onFault: (fault) => void process.stderr.write(faultText(fault)) });
    return write(
      withoutValues(row, { ...error, message: 'An internal error kept what this request met out of the report.' }),
    );
  }
}

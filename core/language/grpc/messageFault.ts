// A fault in the message of a gRPC call, as the checks of its types and of its rules report it.
import type { Severity } from '../../document/model';
import type { Code } from '../checks/codes';
import type { CallPath } from '../checks/problem';

/** A fault in a message: at the value of `path`, or at its key. */
export interface MessageFault {
  readonly code: Code;
  readonly message: string;
  readonly path: CallPath;
  readonly target: 'value' | 'key';
  readonly severity?: Severity;
  /** Nearest names, if one is wrong. */
  readonly names?: readonly string[];
}

// A fault in the message of a gRPC call, as the checks of its types and of its rules report it.
import type { Severity, Code } from '../diagnostics/codes';
import type { CallPath } from '../document/call';

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

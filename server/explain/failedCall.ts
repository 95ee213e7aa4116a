// Finds the call that failed a kept response's transaction, and where its block writes that instruction. Sends nothing.
import { failedInstructionAt } from '../../core/requests/language/features/failedInstruction';
import type { RequestDocument } from '../../core/requests/document/model';
import { known } from '../../core/solana/common/known';
import { callTitle } from '../../protocol/callTitle';
import type { ExplainResult, FailedCallView } from '../../protocol/explain';

/** `document`: contains the block at the zero-based `line`, if it is open. */
export function failedCallOf(
  result: ExplainResult,
  document: RequestDocument | undefined,
  line: number,
): FailedCallView | null {
  if (result.kind !== 'explained') return null;
  const { outcome, calls } = result.view;
  const { text, next, at } = outcome;
  if (outcome.kind !== 'failed' || text === undefined) return null;
  const call = calls.find(({ path }) => path === at);
  const outer = calls.filter(({ depth }) => depth === 0);
  const index = outer.findIndex(({ path }) => path === at?.split('.')[0]);
  const place =
    document === undefined || index < 0
      ? undefined
      : failedInstructionAt(document, line, { index, count: outer.length });
  return known({ text, next, call: call && `${call.path} ${callTitle(call)}`, ...place });
}

// The outcome of a request that passed.
import type { ExecuteOutcome } from '../../../protocol/lsp';

export const OUTCOME: ExecuteOutcome = {
  uri: 'untitled:Untitled-1',
  line: 0,
  title: 'slot',
  status: 'passed',
  assertions: [],
  durationMs: 1,
  bytes: 1,
  transport: 'POST',
  method: 'getSlot',
  endpoint: 'local',
};

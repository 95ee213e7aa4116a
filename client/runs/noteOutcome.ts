// Records what the answer to a request says about its key, its ledger, and the transaction in it.
import type { ExecuteOutcome } from '../../protocol/lsp';
import { noteState, stateAfterRun } from '../keys/keyStates';
import type { KeyVault } from '../keys/keyVault';
import type { ProfilesArea } from '../profiles/area';
import { answeringAddress } from '../profiles/clusters';
import type { SetContext } from '../shared/contexts';

export interface OutcomeDeps extends ProfilesArea {
  readonly vault: KeyVault;
  readonly setContext: SetContext;
}

export function noteOutcome({ vault, profiles, clusters, setContext }: OutcomeDeps, outcome: ExecuteOutcome): void {
  void noteState(vault, outcome.key, stateAfterRun(outcome, Date.now()));
  const { address } = answeringAddress(outcome, profiles.find(outcome.endpoint)?.profile);
  if (address !== undefined && outcome.genesisHash !== undefined) void clusters.note(address, outcome.genesisHash);
  if (hasLanded(outcome)) setContext('solanaRpc.landed', true);
}

/** A transaction was seen on the ledger: by the watch over a priority send, or by a subscription. */
function hasLanded({ status, method, landing }: ExecuteOutcome): boolean {
  if (status !== 'passed') return false;
  return landing === undefined ? method === 'signatureSubscribe' : landing.isLanded;
}

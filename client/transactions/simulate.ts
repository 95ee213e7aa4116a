// Simulates a transaction that a panel shows: asks for its accounts as they are, then for a simulation that answers with
// them. Only where the user asks for it.
import * as vscode from 'vscode';
import { simulationRequests } from '../../core/solana/explain/simulationRequests';
import type { TransactionSource, TransactionView } from '../../protocol/explain';
import type { Runs } from '../runs/runs';
import { askNode } from './askNode';

/** Returns the kept simulation with the accounts before it, or the reason for its failure. `endpoint`: its name. */
export async function simulated(
  runs: Runs,
  { wire, accounts }: TransactionView,
  endpoint: string,
): Promise<Extract<TransactionSource, { kind: 'response' }> | string> {
  if (wire === undefined) return vscode.l10n.t('The bytes of this transaction are not known.');
  const { before, simulation } = simulationRequests(wire, accounts);
  const asked = { endpoint, progress: vscode.l10n.t('Simulating the transaction') };
  const held = await askNode(runs, { ...before, ...asked });
  if (held === undefined || typeof held === 'string') return held ?? '';
  const run = await askNode(runs, { ...simulation, ...asked });
  if (run === undefined || typeof run === 'string') return run ?? '';
  return { kind: 'response', place: run.response, before: held.response };
}

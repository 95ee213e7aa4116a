// The two requests that show what a transaction would do before it is sent: its accounts as they are, then a simulation that
// answers with them. core/solana/explain/simulation.ts reads the answers.
import type { JsonValue } from '../json/json';
import { MULTIPLE_ACCOUNTS } from '../chain/limits';

/** With the age of its blockhash: its entries are the blockhashes that are accepted. */
export const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111';

const CONFIG = { encoding: 'base64', commitment: 'confirmed' } as const;

export interface SimulationRequest {
  readonly method: string;
  readonly params: readonly JsonValue[];
}

/** `wire`: base64. `accounts`: as far as their addresses are known. */
export function simulationRequests(
  wire: string,
  accounts: readonly { readonly address?: string | undefined; readonly isWritable: boolean }[],
): { readonly before: SimulationRequest; readonly simulation: SimulationRequest } {
  const addresses = accounts
    .flatMap(({ address, isWritable }) => (isWritable && address !== undefined ? [address] : []))
    .slice(0, MULTIPLE_ACCOUNTS - 1);
  const config = { ...CONFIG, sigVerify: false, replaceRecentBlockhash: true, innerInstructions: true };
  return {
    before: { method: 'getMultipleAccounts', params: [[...addresses, RECENT_BLOCKHASHES], CONFIG] },
    simulation: {
      method: 'simulateTransaction',
      params: [wire, { ...config, accounts: { encoding: 'base64', addresses } }],
    },
  };
}

// The commitment at which a request has its transactions checked before they go further. The check knows no blockhash that
// is newer than its commitment, so one to sign with is taken at the same.
import { isJsonArray, member, type JsonValue } from '../../solana/json/json';

/** The config fields for the preflight commitment and for skipping preflight. */
const CHECKS: ReadonlyMap<JsonValue | undefined, { readonly commitment: string; readonly without: string }> = new Map([
  ['sendTransaction', { commitment: 'preflightCommitment', without: 'skipPreflight' }],
  ['simulateTransaction', { commitment: 'commitment', without: 'replaceRecentBlockhash' }],
]);

/** `body`: a call or a batch. Confirmed unless a check is at finalized: a confirmed blockhash survives any fork. */
export function blockhashCommitment(body: JsonValue): 'confirmed' | 'finalized' {
  const calls = isJsonArray(body) ? body : [body];
  return calls.some(isCheckedAtFinalized) ? 'finalized' : 'confirmed';
}

function isCheckedAtFinalized(call: JsonValue): boolean {
  const check = CHECKS.get(member(call, 'method'));
  if (check === undefined) return false;
  const params = member(call, 'params');
  const config = isJsonArray(params) ? params[1] : undefined;
  // A node's own default is finalized.
  return member(config, check.without) !== true && (member(config, check.commitment) ?? 'finalized') === 'finalized';
}

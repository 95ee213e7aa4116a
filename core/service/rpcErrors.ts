// JSON-RPC error codes of Solana nodes: what each means and what to do next. One table for messages, hover and docs.

import { member, variantName, type JsonValue } from '../solana/json/json';

export interface RpcErrorFacts {
  readonly name: string;
  /** The cause, as part of a sentence: "The service answered CODE: MEANING." */
  readonly meaning: string;
  /** The next step, one sentence. */
  readonly next: string;
}

const PREFLIGHT_FAILURE = -32002;

/** Standard codes (JSON-RPC 2.0, section 5.1), those of Agave and @solana/errors, and two seen at providers. */
const ROWS: readonly (readonly [code: number, name: string, meaning: string, next: string])[] = [
  [-32700, 'Parse error', 'the body it read is not JSON', 'Correct the JSON of the request.'],
  [
    -32600,
    'Invalid request',
    'the body is not a request it can serve',
    'Ask for base64 or a dataSlice where account data is larger than base58 allows; an airdrop needs a cluster with a faucet.',
  ],
  [
    -32601,
    'Method not found',
    'it does not offer this method',
    'Check the spelling, or ask the provider to enable it.',
  ],
  [-32602, 'Invalid params', 'a parameter is wrong', 'Compare the parameters with the documentation of the method.'],
  [-32603, 'Internal error', 'the node failed', 'Try again after a pause, or use another node.'],
  [-32001, 'Block cleaned up', 'the node has deleted this block', 'Ask for a later block, or use an archive node.'],
  [
    PREFLIGHT_FAILURE,
    'Preflight failure',
    'the simulation before sending failed, so the transaction was not sent',
    'Read the error and the program logs in error.data.',
  ],
  [
    -32003,
    'Signature verification failure',
    'a signature does not fit the transaction',
    'Sign again after the last change to the message.',
  ],
  [-32004, 'Block not available', 'the node does not have this block yet', 'Try again in a moment.'],
  [-32005, 'Node unhealthy', 'the node is behind the cluster', 'Try again in a moment, or use another node.'],
  [
    -32006,
    'Precompile verification failure',
    'an ed25519 or secp256k1 instruction does not verify',
    'Check the data of the precompile instruction.',
  ],
  [-32007, 'Slot skipped', 'no block was produced in this slot', 'Ask for the next slot; this one stays empty.'],
  [-32008, 'No snapshot', 'the node holds no snapshot', 'Use another node.'],
  [
    -32009,
    'Slot skipped in the archive',
    'the long-term archive has no block for this slot',
    'Ask for the next slot; this one stays empty.',
  ],
  [
    -32010,
    'Excluded from the index',
    'the node does not index this program or key',
    'Narrow the query, or use a provider that indexes it.',
  ],
  [-32011, 'No transaction history', 'the node keeps no history', 'Use a node with transaction history.'],
  [-32012, 'Scan error', 'the node gave up scanning accounts', 'Narrow the filters.'],
  [
    -32013,
    'Wrong number of signatures',
    'the transaction does not carry the signatures its message names',
    'Build and sign the transaction again.',
  ],
  [-32014, 'Block status not available', 'the status of this block is not written yet', 'Try again in a moment.'],
  [
    -32015,
    'Unsupported transaction version',
    'it met a transaction of a newer version than the request allows',
    'Set "maxSupportedTransactionVersion": 1 in the config.',
  ],
  [
    -32016,
    'Minimum context slot not reached',
    'the node has not reached minContextSlot',
    'Try again in a moment, or lower minContextSlot.',
  ],
  [
    -32017,
    'Epoch rewards period active',
    'rewards of the epoch are being paid out',
    'Try again at the block height given in error.data.',
  ],
  [-32018, 'Slot not at the epoch boundary', 'blocks at the epoch boundary are missing', 'Use an archive node.'],
  [-32019, 'Archive unreachable', 'the long-term archive did not answer', 'Try again in a moment.'],
  [
    -32020,
    'Filter transaction not found',
    'the signature in "before" or "until" is unknown to it',
    'Check the signature and the cluster.',
  ],
  [-32021, 'No slot history', 'the node keeps no slot history', 'Use another node.'],
  [
    -32022,
    'No leader slots',
    'the validator that the request names has no leader slots in this schedule',
    'Check the identity or vote account, and the epoch.',
  ],
  [-32029, 'Rate limit', 'requests come faster than the provider allows', 'Wait, then send fewer per second.'],
  [429, 'Rate limit', 'requests come faster than the provider allows', 'Wait, then send fewer per second.'],
  [-32052, 'Key not accepted', 'the provider does not accept the key', 'Check the key and what it is for.'],
];

export const RPC_ERRORS: ReadonlyMap<number, RpcErrorFacts> = new Map(
  ROWS.map(([code, name, meaning, next]) => [code, { name, meaning, next }]),
);

/** The next steps after a failed simulation before sending, by the name of its error. */
const PREFLIGHT_STEPS: ReadonlyMap<string, string> = new Map([
  ['AccountNotFound', 'Fund the account that pays the fee: the check finds nothing in it at its commitment.'],
  ['AlreadyProcessed', 'It has landed already: look its signature up.'],
  [
    'BlockhashNotFound',
    'Sign with a blockhash younger than 150 blocks that is known at the commitment of the check: "preflightCommitment", finalized where it is not set.',
  ],
  ['InsufficientFundsForFee', 'Fund the account that pays the fee.'],
  [
    'InsufficientFundsForRent',
    'The account that error.data names must hold nothing, or its rent-exempt minimum: ask getMinimumBalanceForRentExemption.',
  ],
  // Since Agave 3.1; older nodes answer -32003.
  ['SignatureFailure', 'Sign again after the last change to the message.'],
]);

/** The next step after an error with this code and `error.data`; undefined for a code that nobody knows. */
export function nextStep(code: number, data: JsonValue | undefined): string | undefined {
  const cause = code === PREFLIGHT_FAILURE ? variantName(member(data, 'err')) : undefined;
  return (cause === undefined ? undefined : PREFLIGHT_STEPS.get(cause)) ?? RPC_ERRORS.get(code)?.next;
}

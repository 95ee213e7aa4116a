// Methods people may ask for that this node does not answer, each with the sentence that goes into -32601.

const REMOVED: Readonly<Record<string, string>> = {
  confirmTransaction: 'getSignatureStatuses',
  getConfirmedBlock: 'getBlock',
  getConfirmedBlocks: 'getBlocks',
  getConfirmedBlocksWithLimit: 'getBlocksWithLimit',
  getConfirmedSignaturesForAddress: 'getSignaturesForAddress',
  getConfirmedSignaturesForAddress2: 'getSignaturesForAddress',
  getConfirmedTransaction: 'getTransaction',
  getFeeCalculatorForBlockhash: 'getFeeForMessage',
  getFeeRateGovernor: 'getFeeForMessage',
  getFees: 'getFeeForMessage',
  getRecentBlockhash: 'getLatestBlockhash',
  getSignatureConfirmation: 'getSignatureStatuses',
  getSignatureStatus: 'getSignatureStatuses',
  getSnapshotSlot: 'getHighestSnapshotSlot',
  getStakeActivation: 'getAccountInfo',
  getTotalSupply: 'getSupply',
};

const UNANSWERED: Readonly<Record<string, string>> = {
  getRankMap: 'nobody is ranked on a ledger of one node.',
};

/** The message of -32601 for a method: "Method not found" first, as on nodes, then the reason if there is one. */
export function notFoundText(method: string): string {
  if (Object.hasOwn(REMOVED, method)) return `Method not found: nodes dropped it; use ${REMOVED[method]}.`;
  if (Object.hasOwn(UNANSWERED, method)) return `Method not found: ${UNANSWERED[method]}`;
  return 'Method not found';
}

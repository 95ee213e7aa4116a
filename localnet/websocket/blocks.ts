// Block notifications: sent to a subscription when a block reaches its commitment.
import type { LedgerBlock } from '../node/open';
import { encodeBlock, type BlockFormat } from '../rpc/format/blockJson';
import { isSupported } from '../rpc/format/transactionJson';
import { RpcFailure } from '../rpc/failure';

const UNSUPPORTED_VERSION = -32015;

interface BlockWanted {
  /** Only blocks with a transaction that names this account, and of them only such; `undefined` for all of all. */
  readonly mentions: string | undefined;
  readonly format: BlockFormat;
}

/**
 * The `value` of a notification, `isLast` where a node sends no block after it; `undefined` when the block holds nothing
 * the subscription wants.
 */
export function blockUpdate(block: LedgerBlock, { mentions, format }: BlockWanted) {
  const { slot, transactions } = block;
  const wanted =
    mentions === undefined ? transactions : transactions.filter(({ accountKeys }) => accountKeys.includes(mentions));
  if (mentions !== undefined && wanted.length === 0) return undefined;
  try {
    return { value: { slot, err: null, block: encodeBlock(block, format, wanted) }, isLast: false };
  } catch (error) {
    if (!(error instanceof RpcFailure) || error.code !== UNSUPPORTED_VERSION) throw error;
    const versions = wanted.map(({ transaction }) => transaction.message.version);
    const refused = versions.find((version) => !isSupported(version, format.maxVersion)) ?? null;
    return { value: { slot, err: { UnsupportedTransactionVersion: refused }, block: null }, isLast: true };
  }
}

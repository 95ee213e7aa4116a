// Methods about blocks: one block, lists of slots, times, the newest blockhash.
import { isJsonObject, member, type JsonValue } from '../../../core/solana/json/json';
import type { LedgerBlock } from '../../ledger/types';
import { detailsOf, encodeBlockInSlices } from '../format/blockJson';
import { RpcFailure, invalidParams } from '../failure';
import { transactionFormatOf } from '../format/transactionJson';
import { commitmentConfig, fixed, stateAt, viewAt, withContext, type Method, type MethodService } from './method';
import {
  addressParam,
  boolOf,
  commitmentOf,
  completeLevel,
  configOf,
  confirmedCommitmentOf,
  optionalParam,
  positional,
  slotOf,
  u64Param,
  usizeOf,
} from '../format/params';

const MAX_RANGE = 500_000;

const getLatestBlockhash: Method = (service, params) => {
  const config = commitmentConfig(params);
  const view = viewAt(service, config, completeLevel(commitmentOf(config)));
  return withContext(view, service.state.chain.latestBlockhash(view.height));
};

const isBlockhashValid: Method = (service, params) => {
  const [hash, config] = positional(params, 1, 2);
  const blockhash = addressParam(hash);
  const view = viewAt(service, configOf(config));
  return withContext(view, service.state.chain.isBlockhashValid(blockhash, view.height));
};

const getBlock: Method = (service, params) => {
  const [first, second] = positional(params, 1, 2);
  const slot = u64Param(first);
  const config = typeof second === 'string' ? {} : configOf(second);
  const commitment = confirmedCommitmentOf(config);
  const format = {
    details: detailsOf(config),
    rewards: optionalParam(config, 'rewards', boolOf) ?? true,
    ...transactionFormatOf(second, service.state.release.line),
  };
  const view = stateAt(service, commitment);
  return encodeBlockInSlices(blockAt(service, slot, view.height), format);
};

/**
 * The block of a slot at a height or below; throws what a node says of a slot without one. Skipped is what lies between
 * final blocks: of a later slot a node does not say yet whether a block comes (Agave, `get_block` in rpc/src/rpc.rs).
 */
function blockAt({ state }: MethodService, slot: bigint, height: number): LedgerBlock {
  const { chain } = state;
  if (slot < chain.first.slot)
    throw new RpcFailure(
      -32001,
      `Block ${slot} cleaned up, does not exist on node. First available block: ${chain.first.slot}`,
    );
  const block = chain.atSlot(Number(slot));
  if (block !== undefined && block.height <= height) return block;
  if (block === undefined && slot < chain.tip('finalized').slot)
    throw new RpcFailure(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
  throw new RpcFailure(-32004, `Block not available for slot ${slot}`);
}

/** A node looks at every bank that it has, at any commitment. */
const getBlockTime: Method = (service, params) => {
  const [slot] = positional(params, 1, 1);
  return blockAt(service, u64Param(slot), service.state.chain.height('processed')).blockTime;
};

const getBlocks: Method = (service, params) => {
  const [first, second, third] = positional(params, 1, 3);
  const start = slotOf(first);
  const config = isJsonObject(second) ? second : configOf(third);
  const view = viewAt(service, config, confirmedCommitmentOf(config));
  const end = second === undefined || second === null || isJsonObject(second) ? view.slot : slotOf(second);
  if (end < start) return [];
  if (end - start > MAX_RANGE) throw invalidParams(`Slot range too large; max ${MAX_RANGE}`);
  return service.state.chain.slots(start, Math.min(end, view.slot), MAX_RANGE + 1);
};

const getBlocksWithLimit: Method = (service, params) => {
  const [first, second, third] = positional(params, 2, 3);
  const start = slotOf(first);
  const limit = usizeOf(second);
  if (limit > BigInt(MAX_RANGE)) throw invalidParams(`Limit too large; max ${MAX_RANGE}`);
  const config = configOf(third);
  const view = viewAt(service, config, confirmedCommitmentOf(config));
  return service.state.chain.slots(start, view.slot, Number(limit));
};

const firstAvailable = fixed(({ state }) => state.chain.first.slot);

/** The one node leads every slot; skipped ones are those time travel jumped over. */
const getBlockProduction: Method = (service, params) => {
  const config = commitmentConfig(params);
  const view = stateAt(service, commitmentOf(config));
  const range = member(config, 'range');
  const identity = optionalParam(config, 'identity', addressParam) ?? service.identity;
  const { chain, slotsPerEpoch } = service.state;
  const epochStart = view.slot - (view.slot % slotsPerEpoch);
  const { firstSlot, lastSlot } = rangeOf(range, epochStart, view.slot);
  const produced = chain.slots(firstSlot, lastSlot, lastSlot - firstSlot + 1).length;
  const own = { [service.identity]: [lastSlot - firstSlot + 1, produced] };
  return withContext(view, {
    byIdentity: identity === service.identity ? own : {},
    range: { firstSlot, lastSlot },
  });
};

function rangeOf(
  value: JsonValue | undefined,
  epochStart: number,
  newest: number,
): { readonly firstSlot: number; readonly lastSlot: number } {
  if (value === undefined || value === null) return { firstSlot: epochStart, lastSlot: newest };
  const range = configOf(value);
  const firstSlot = u64Param(member(range, 'firstSlot'));
  const lastSlot = optionalParam(range, 'lastSlot', u64Param) ?? BigInt(newest);
  if (lastSlot < firstSlot) throw invalidParams(`lastSlot, ${lastSlot}, cannot be less than firstSlot, ${firstSlot}`);
  if (firstSlot > newest) throw invalidParams(`firstSlot, ${firstSlot}, is too large; max ${newest}`);
  if (lastSlot > newest) throw invalidParams(`lastSlot, ${lastSlot}, is too large; max ${newest}`);
  return { firstSlot: Number(firstSlot), lastSlot: Number(lastSlot) };
}

export const blockMethods = {
  getBlock,
  getBlockProduction,
  getBlockTime,
  getBlocks,
  getBlocksWithLimit,
  getFirstAvailableBlock: firstAvailable,
  getLatestBlockhash,
  isBlockhashValid,
  minimumLedgerSlot: firstAvailable,
} as const;

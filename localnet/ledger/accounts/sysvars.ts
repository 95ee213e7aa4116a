// The sysvars that move with every slot, as bytes at any block: reads at a commitment see the clock of that commitment.
import { decodeBase58 } from '../../../core/values/encoding/base58';
import { SYSVAR_CLOCK, SYSVAR_OWNER, SYSVAR_SLOT_HASHES, U64_MAX } from './addresses';
import type { Chain } from '../chain/chain';
import type { AccountState, Block } from '../types';

const SLOT_HASHES = 512;
const RENT_CLOCK = 1_169_280n;
const RENT_SLOT_HASHES = 143_487_360n;

/** The account at a block, or `undefined` when the address is no moving sysvar. */
export function sysvarsAt(
  chain: Chain,
  block: Block,
  address: string,
  slotsPerEpoch: number,
): AccountState | undefined {
  if (address === SYSVAR_CLOCK) return sysvar(RENT_CLOCK, clock(block, slotsPerEpoch));
  if (address === SYSVAR_SLOT_HASHES) return sysvar(RENT_SLOT_HASHES, slotHashes(chain, block));
  return undefined;
}

function sysvar(lamports: bigint, data: Uint8Array): AccountState {
  return { lamports, owner: SYSVAR_OWNER, data, executable: false, rentEpoch: U64_MAX };
}

/** slot, epoch start time, epoch, leader schedule epoch, unix time: 8 bytes each. */
function clock(block: Block, slotsPerEpoch: number): Uint8Array {
  const epoch = Math.floor(block.slot / slotsPerEpoch);
  return words([block.slot, block.epochStartTime, epoch, epoch + 1, block.blockTime]);
}

/** A count, then slot and hash per earlier block, newest first. */
function slotHashes(chain: Chain, block: Block): Uint8Array {
  const data = new Uint8Array(8 + SLOT_HASHES * 40);
  const view = new DataView(data.buffer);
  let count = 0;
  for (let height = block.height - 1; count < SLOT_HASHES; height--, count++) {
    const earlier = chain.atHeight(height);
    if (earlier === undefined) break;
    view.setBigUint64(8 + count * 40, BigInt(earlier.slot), true);
    data.set(decodeBase58(earlier.blockhash) ?? [], 16 + count * 40);
  }
  view.setBigUint64(0, BigInt(count), true);
  return data;
}

function words(values: readonly number[]): Uint8Array {
  const data = new Uint8Array(values.length * 8);
  const view = new DataView(data.buffer);
  values.forEach((value, i) => view.setBigInt64(i * 8, BigInt(value), true));
  return data;
}

// What the answers to the two requests of a simulation say beyond a landed transaction's meta: its writable accounts before
// and after, and how long its blockhash is good.
import type { Programs } from '../values/decode/decoded';
import { encodeBase58 } from '../values/encoding/base58';
import { decodeBase64 } from '../values/encoding/base64';
import { isJsonArray, member, type JsonValue } from '../values/json/json';
import { BLOCKHASH_BLOCKS } from '../values/solana/limits';
import type { Explanation } from './explanation';
import { writtenAccounts, type WrittenAccount } from './written';

/** An entry of the sysvar RecentBlockhashes: a hash and a fee, after a count of 8 bytes; the newest is first. Bytes. */
const ENTRY_BYTES = 40;

/** An explanation whose transaction can be simulated: its bytes are known, and it is not on the chain. */
export const isSimulatable = ({ wire, slot }: Explanation): boolean => wire !== undefined && slot === undefined;

export interface SimulationEvidence {
  /** Accounts that it writes, before and after. */
  readonly written?: readonly WrittenAccount[];
  /** That the node accepts, the newest first. Base58. */
  readonly recentBlockhashes?: readonly string[];
}

/** `config`: of the simulation; `run`: its value; `before`: the whole answer of the other request. */
export function simulationEvidence(
  config: JsonValue | undefined,
  run: JsonValue | undefined,
  before: JsonValue,
  programs: Programs,
): SimulationEvidence {
  const addresses = member(member(config, 'accounts'), 'addresses');
  const [was, is] = [member(member(before, 'result'), 'value'), member(run, 'accounts')];
  if (!isJsonArray(addresses) || !isJsonArray(was)) return {};
  const known = addresses.filter((address) => typeof address === 'string');
  const recentBlockhashes = blockhashesIn(was[known.length]);
  return {
    // Of a run that failed nodes answer accounts that are not there: nothing is written.
    ...(member(run, 'err') === null && isJsonArray(is) && { written: writtenAccounts(known, was, is, programs) }),
    ...(recentBlockhashes !== undefined && { recentBlockhashes }),
  };
}

function blockhashesIn(account: JsonValue | undefined): readonly string[] | undefined {
  const data = member(account, 'data');
  const [text] = isJsonArray(data) ? data : [];
  const bytes = typeof text === 'string' ? decodeBase64(text) : undefined;
  if (bytes === undefined || bytes.length < 8) return undefined;
  const count = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const entries = Math.min(count, Math.floor((bytes.length - 8) / ENTRY_BYTES), BLOCKHASH_BLOCKS);
  return Array.from({ length: entries }, (_, at) => {
    const from = 8 + at * ENTRY_BYTES;
    return encodeBase58(bytes.subarray(from, from + 32));
  });
}

/** Blocks until a blockhash is too old; 0: it is, or the node does not know it. `recent`: the newest first. */
export function blocksLeft(blockhash: string, recent: readonly string[]): number {
  const age = recent.indexOf(blockhash);
  return age < 0 ? 0 : BLOCKHASH_BLOCKS - age;
}

// Reads what the two answers of a simulation add to a landed transaction's meta: the writable accounts before and
// after, and how long the blockhash remains valid.
import { decodeSysvar } from '../decode/accounts/sysvars';
import type { Programs } from '../decode/decoded';
import { decodeBase64 } from '../encoding/base64';
import { isJsonArray, member, type JsonValue } from '../json/json';
import { BLOCKHASH_BLOCKS } from '../chain/limits';
import type { Explanation } from './explanation';
import { RECENT_BLOCKHASHES } from './simulationRequests';
import { writtenAccounts, type WrittenAccount } from './written';

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

/** In a sysvar the newest is first. */
function blockhashesIn(account: JsonValue | undefined): readonly string[] | undefined {
  const encoded = member(account, 'data');
  const [text] = isJsonArray(encoded) ? encoded : [];
  const data = typeof text === 'string' ? decodeBase64(text) : undefined;
  if (data === undefined) return undefined;
  const sysvar = decodeSysvar({ address: RECENT_BLOCKHASHES, owner: '', lamports: 0n, data, executable: false });
  const entries = sysvar?.fields[0]?.value;
  if (entries?.kind !== 'list') return undefined;
  return entries.items.slice(0, BLOCKHASH_BLOCKS).flatMap((entry) => {
    const blockhash = entry.kind === 'fields' ? entry.fields[0]?.value : undefined;
    return blockhash?.kind === 'text' ? [blockhash.text] : [];
  });
}

/** Blocks until a blockhash is too old; 0: it is, or the node does not know it. `recent`: the newest first. */
export function blocksLeft(blockhash: string, recent: readonly string[]): number {
  const age = recent.indexOf(blockhash);
  return age < 0 ? 0 : BLOCKHASH_BLOCKS - age;
}

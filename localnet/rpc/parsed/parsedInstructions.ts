// Instructions the node can explain (`jsonParsed`): which parser belongs to which program, and the form of the answer.
// An instruction no parser understands is shown with its program, accounts and bytes, as nodes do.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { WireJson } from '../../api';
import {
  ATA_PROGRAM,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAMS,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  VOTE_PROGRAM,
} from '../../ledger/accounts/addresses';
import type { AgaveLine, CompiledInstruction } from '../../ledger/types';
import { ParsedCursor, type ParsedInstruction } from './parsedCursor';
import { attempt } from './parsedFields';
import {
  parseAssociatedToken,
  parseLoader,
  parseLookupTableInstruction,
  parseSystem,
  parseUpgradeableLoader,
} from './parsedPrograms';
import { parseStakeInstruction } from './parsedStake';
import { parseToken } from './parsedToken';
import { parseVoteInstruction } from './parsedVote';

type Parser = (cursor: ParsedCursor) => ParsedInstruction | string;

/** As on nodes: the compute budget program's instructions, for one, stay as bytes. */
const PARSERS: ReadonlyMap<string, { readonly program: string; readonly parse: Parser }> = new Map([
  [SYSTEM_PROGRAM, { program: 'system', parse: parseSystem }],
  [TOKEN_PROGRAM, { program: 'spl-token', parse: parseToken }],
  [TOKEN_2022_PROGRAM, { program: 'spl-token', parse: parseToken }],
  [ATA_PROGRAM, { program: 'spl-associated-token-account', parse: parseAssociatedToken }],
  [LOOKUP_TABLE_PROGRAM, { program: 'address-lookup-table', parse: parseLookupTableInstruction }],
  [STAKE_PROGRAM, { program: 'stake', parse: parseStakeInstruction }],
  [VOTE_PROGRAM, { program: 'vote', parse: parseVoteInstruction }],
  [BPF_LOADER_2, { program: 'bpf-loader', parse: parseLoader }],
  [BPF_LOADER_UPGRADEABLE, { program: 'bpf-upgradeable-loader', parse: parseUpgradeableLoader }],
  ...Array.from(MEMO_PROGRAMS, (address): [string, { readonly program: string; readonly parse: Parser }] => [
    address,
    { program: 'spl-memo', parse: (cursor) => cursor.text('rest') },
  ]),
]);

/** `keys` are all accounts of the transaction: what the indexes of the instruction point into. */
export function parseInstruction(
  instruction: CompiledInstruction,
  keys: readonly string[],
  { stackHeight, line }: { readonly stackHeight: number | null; readonly line: AgaveLine },
): WireJson {
  const programId = keys[instruction.programIdIndex] ?? '';
  const accounts = Array.from(instruction.accounts, (index) => keys[index] ?? '');
  const parser = PARSERS.get(programId);
  const parsed =
    parser === undefined
      ? undefined
      : attempt(() => shown(parser.parse(new ParsedCursor(instruction.data, accounts, line))));
  if (parser === undefined || parsed === undefined)
    return { accounts, data: encodeBase58(instruction.data), programId, stackHeight };
  return { parsed, program: parser.program, programId, stackHeight };
}

function shown(parsed: ParsedInstruction | string): WireJson {
  if (typeof parsed === 'string') return parsed;
  return { ...(parsed.info === undefined ? {} : { info: parsed.info }), type: parsed.type };
}

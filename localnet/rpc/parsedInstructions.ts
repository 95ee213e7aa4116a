// Instructions the node can explain (`jsonParsed`): which parser belongs to which program, and the form of the answer.
// An instruction no parser understands is shown with its program, accounts and bytes, as nodes do.
import { encodeBase58 } from '../../core/values/base58';
import type { WireJson } from '../api';
import {
  ATA_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../ledger/addresses';
import type { CompiledInstruction } from '../ledger/types';
import { parseAssociatedToken } from './parsedAta';
import { Cursor, NotParsed, type ParsedInstruction } from './parsedCursor';
import { parseLookupTableInstruction } from './parsedLookupTable';
import { parseSystem } from './parsedSystem';
import { parseToken } from './parsedToken';

type Parser = (cursor: Cursor) => ParsedInstruction | string;

const PARSERS: ReadonlyMap<string, { readonly program: string; readonly parse: Parser }> = new Map([
  [SYSTEM_PROGRAM, { program: 'system', parse: parseSystem }],
  [TOKEN_PROGRAM, { program: 'spl-token', parse: parseToken }],
  [TOKEN_2022_PROGRAM, { program: 'spl-token', parse: parseToken }],
  [ATA_PROGRAM, { program: 'spl-associated-token-account', parse: parseAssociatedToken }],
  [LOOKUP_TABLE_PROGRAM, { program: 'address-lookup-table', parse: parseLookupTableInstruction }],
  ...Array.from(MEMO_PROGRAMS, (address): [string, { readonly program: string; readonly parse: Parser }] => [
    address,
    { program: 'spl-memo', parse: (cursor) => cursor.text() },
  ]),
]);

/** `keys` are all accounts of the transaction: what the indexes of the instruction point into. */
export function parseInstruction(
  instruction: CompiledInstruction,
  keys: readonly string[],
  stackHeight: number,
): WireJson {
  const programId = keys[instruction.programIdIndex] ?? '';
  const accounts = Array.from(instruction.accounts, (index) => keys[index] ?? '');
  const parser = PARSERS.get(programId);
  const parsed = parser === undefined ? undefined : attempt(parser.parse, new Cursor(instruction.data, accounts));
  if (parser === undefined || parsed === undefined)
    return { accounts, data: encodeBase58(instruction.data), programId, stackHeight };
  return { parsed, program: parser.program, programId, stackHeight };
}

function attempt(parse: Parser, cursor: Cursor): WireJson | undefined {
  try {
    const parsed = parse(cursor);
    return typeof parsed === 'string' ? parsed : { info: parsed.info, type: parsed.type };
  } catch (error) {
    if (error instanceof NotParsed || error instanceof RangeError) return undefined;
    throw error;
  }
}

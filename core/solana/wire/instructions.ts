// Short descriptions of well-known instructions. Others are left as bytes; never throws.
import {
  addressName,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../chain/addresses';
import { encodeBase58 } from '../encoding/base58';
import { ByteReader } from '../encoding/bytes';
import { formatSol, groupDigits } from '../chain/lamports';
import type { Instruction, Message } from './transactionTypes';

export interface InstructionFacts {
  /** Address of the program, base58. */
  readonly program: string;
  /** Its name, where it is a known one. */
  readonly programName?: string;
  /** Its effect: `transfer 1.5 SOL from A to B`, `memo "hi"`; absent if unknown. */
  readonly summary?: string;
}

/** The address at an index of the instruction's account list; `?` if it is in a lookup table. */
type AccountAt = (place: number) => string;

/** Reads an instruction's data; `undefined` for an instruction it does not know or that is cut short. */
type Reading = (data: ByteReader, account: AccountAt) => string | undefined;

const READERS = new Map<string, Reading>([
  [SYSTEM_PROGRAM, readSystem],
  [COMPUTE_BUDGET_PROGRAM, readComputeBudget],
  [TOKEN_PROGRAM, readToken],
  [TOKEN_2022_PROGRAM, readToken],
  [ASSOCIATED_TOKEN_PROGRAM, readAssociatedToken],
  [MEMO_PROGRAM, readMemo],
  [MEMO_V1_PROGRAM, readMemo],
]);

export function instructionFacts(message: Message, instruction: Instruction): InstructionFacts {
  const key = message.accountKeys[instruction.program];
  const program = key === undefined ? '?' : encodeBase58(key);
  const name = addressName(program);
  const account: AccountAt = (place) => {
    const index = instruction.accounts[place];
    const bytes = index === undefined ? undefined : message.accountKeys[index];
    return bytes === undefined ? '?' : encodeBase58(bytes);
  };
  const data = new ByteReader(instruction.data);
  const summary = READERS.get(program)?.(data, account);
  return {
    program,
    ...(name === undefined ? {} : { programName: name }),
    ...(summary === undefined || data.failed ? {} : { summary }),
  };
}

function readSystem(data: ByteReader, account: AccountAt): string | undefined {
  switch (data.u32()) {
    case 0: {
      const lamports = data.u64();
      const space = data.u64();
      return `create account ${account(1)} with ${formatSol(lamports)} and ${space} bytes, paid by ${account(0)}`;
    }
    case 1:
      return `assign ${account(0)} to program ${encodeBase58(data.take(32))}`;
    case 2:
      return `transfer ${formatSol(data.u64())} from ${account(0)} to ${account(1)}`;
    case 4:
      return `advance nonce ${account(0)}`;
    case 8:
      return `allocate ${data.u64()} bytes for ${account(0)}`;
    default:
      return undefined;
  }
}

function readComputeBudget(data: ByteReader): string | undefined {
  switch (data.u8()) {
    case 1:
      return `request a heap of ${groupDigits(String(data.u32()))} bytes`;
    case 2:
      return `limit to ${groupDigits(String(data.u32()))} compute units`;
    case 3:
      return `pay ${groupDigits(data.u64().toString())} micro-lamports per compute unit`;
    case 4:
      return `load at most ${groupDigits(String(data.u32()))} bytes of accounts`;
    default:
      return undefined;
  }
}

function readToken(data: ByteReader, account: AccountAt): string | undefined {
  switch (data.u8()) {
    case 3:
      return `transfer ${groupDigits(data.u64().toString())} raw tokens from ${account(0)} to ${account(1)}`;
    case 4:
      return `let ${account(1)} spend ${groupDigits(data.u64().toString())} raw tokens of ${account(0)}`;
    case 7:
      return `mint ${groupDigits(data.u64().toString())} raw tokens of ${account(0)} to ${account(1)}`;
    case 8:
      return `burn ${groupDigits(data.u64().toString())} raw tokens from ${account(0)}`;
    case 9:
      return `close token account ${account(0)} in favour of ${account(1)}`;
    case 12: {
      const amount = groupDigits(data.u64().toString());
      return `transfer ${amount} raw tokens (${data.u8()} decimals) of mint ${account(1)} from ${account(0)} to ${account(2)}`;
    }
    default:
      return undefined;
  }
}

function readAssociatedToken(data: ByteReader, account: AccountAt): string | undefined {
  const kind = data.left === 0 ? 0 : data.u8();
  if (kind > 1) return undefined;
  const when = kind === 1 ? ' where it is missing' : '';
  return `create the token account of ${account(2)} for mint ${account(3)}${when}`;
}

function readMemo(data: ByteReader): string | undefined {
  try {
    return `memo ${JSON.stringify(new TextDecoder('utf-8', { fatal: true }).decode(data.take(data.left)))}`;
  } catch {
    // Not UTF-8: the program would refuse it, and there is no text to show.
    return undefined;
  }
}

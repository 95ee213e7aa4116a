// Decoded accounts, instructions, events and transactions: the types that every decoder returns and every view shows.
// Types only; core/solana/decode/decode.ts decodes accounts, core/solana/decode/transactions/ transactions.
import type { TransactionConfig } from '../wire/transactionTypes';
import type { OwnWords } from './errors/ownWords';
import type { IdlEncoder } from './idl/encoder';
import type { Idl } from './idl/model';
import type { DecodedUnit } from '../layouts/unit';

/** An account as every transport can give it. */
export interface AccountBytes {
  /** Base58, if known: it distinguishes sysvars. */
  readonly address?: string;
  /** The owner program, base58. */
  readonly owner: string;
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

/** Known programs and mints beyond the built-in ones: IDLs of the workspace, decimals seen before. */
export interface Programs {
  /** The IDL of a program (base58). */
  readonly idl: (program: string) => Idl | undefined;
  /** All of them, by program (base58). */
  readonly all?: () => Iterable<readonly [program: string, idl: Idl]>;
  /** Encodes arguments by an IDL. Provided with the IDLs, so that code without any does not load it. */
  readonly encoder?: IdlEncoder;
  /** Decimals of a mint (base58) that is not in the table of known addresses. */
  readonly decimals?: (mint: string) => number | undefined;
}

/** Only the built-in knowledge. */
export const NO_PROGRAMS: Programs = { idl: () => undefined };

export type DecodedKind =
  | 'tokenAccount'
  | 'mint'
  | 'multisig'
  | 'nonce'
  | 'lookupTable'
  | 'stake'
  | 'vote'
  | 'program'
  | 'programData'
  | 'programBuffer'
  | 'sysvar'
  | 'config'
  | 'metadata'
  | 'feature'
  | 'programMetadata'
  /** By the IDL of its owner. */
  | 'idl';

export interface Decoded {
  readonly kind: DecodedKind;
  /** For people: `SPL Token account`, `Counter (my_program)`. */
  readonly title: string;
  readonly fields: readonly DecodedField[];
}

/** A run of bytes within the data. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

export interface DecodedField {
  /** In camelCase, or as an IDL spells it: from outside then, and never an object's key. */
  readonly name: string;
  readonly value: DecodedValue;
  /** The layout is unknown and the value is a guess. */
  readonly isGuess?: true;
  /** Offset of the value, for a guess. */
  readonly range?: ByteRange;
}

export type DecodedValue =
  /** Text from outside is not sanitised here: the view does that. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'integer'; readonly value: bigint; readonly unit?: DecodedUnit }
  | { readonly kind: 'float'; readonly value: number }
  /** A public key, base58. */
  | { readonly kind: 'pubkey'; readonly address: string }
  /** `unread`: an unsupported type, as the IDL spells it; the bytes are its value and everything after it. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly unread?: string }
  | { readonly kind: 'flag'; readonly value: boolean }
  /** An empty option. */
  | { readonly kind: 'none' }
  /** `more`: items that were not decoded, because there are too many of them. */
  | { readonly kind: 'list'; readonly items: readonly DecodedValue[]; readonly more?: number }
  /** `name`: the variant of an enum, the name of an extension. */
  | { readonly kind: 'fields'; readonly name?: string; readonly fields: readonly DecodedField[] };

/** One changed value; absent on one side if the field was added or removed. */
export interface Change {
  /** Names of fields and places in lists, outermost first. */
  readonly path: readonly (string | number)[];
  readonly before?: DecodedValue;
  readonly after?: DecodedValue;
}

export interface DecodedTransaction {
  readonly version: 'legacy' | number;
  /** The runtime configuration of a version 1 transaction. */
  readonly config?: TransactionConfig;
  /** The first signature, base58; absent where nobody has signed. */
  readonly signature?: string;
  readonly signatures: readonly string[];
  readonly feePayer?: string;
  readonly blockhash?: string;
  readonly slot?: bigint;
  /** Seconds. */
  readonly blockTime?: bigint;
  readonly accounts: readonly TransactionAccount[];
  readonly instructions: readonly DecodedInstruction[];
  readonly logs: readonly LogNode[];
  /** It ran, and nobody said which calls its programs made: the instructions have none, the logs may. */
  readonly isInnerUnknown?: true;
  readonly balances: readonly BalanceChange[];
  /** Absent where the transaction succeeded, and where it has not run. */
  readonly error?: TransactionFailure;
  /** Lamports. */
  readonly fee?: bigint;
  readonly computeUnits?: bigint;
  readonly returnData?: { readonly program: string; readonly data: Uint8Array };
  /** Whether its execution is known; without it there are no logs, balances and inner instructions. */
  readonly hasRun: boolean;
}

export interface TransactionAccount {
  /** Base58; `undefined` if it is in a lookup table that was not read. */
  readonly address: string | undefined;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly isFeePayer: boolean;
  /** The lookup table that contains the address. */
  readonly table?: string;
  /** Lamports before and after. */
  readonly before?: bigint;
  readonly after?: bigint;
}

export interface DecodedInstruction {
  /** Its place: `[2]` is the third outer instruction, `[2, 0]` the first one it called. */
  readonly path: readonly number[];
  /** Base58; `?` where it is not known. */
  readonly program: string;
  readonly programName?: string;
  /** `transferChecked`, or as an IDL spells it; absent where it is not known. */
  readonly name?: string;
  readonly fields: readonly DecodedField[];
  readonly accounts: readonly InstructionAccount[];
  /** Absent where the node gave its own reading (`jsonParsed`) in place of the bytes. */
  readonly data?: Uint8Array;
  /**
   * Why `data` gave no name or no fields although the program is known by a table or an IDL: what it does not fit. A sentence
   * without a capital and a full stop.
   */
  readonly unread?: string;
  readonly inner: readonly DecodedInstruction[];
}

export interface InstructionAccount {
  /** Its part in the instruction: `source`, `mint`. */
  readonly role?: string;
  /** Base58; `undefined` as in TransactionAccount. */
  readonly address: string | undefined;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export interface DecodedEvent {
  readonly name: string;
  readonly fields: readonly DecodedField[];
}

/** A line of the logs, or a call with the lines within it. */
export type LogNode =
  | {
      readonly kind: 'call';
      readonly program: string;
      readonly programName?: string;
      /** 1 for an outer instruction. */
      readonly depth: number;
      readonly outcome: 'success' | 'failed' | 'unfinished';
      /** The program's last words where it failed. */
      readonly failure?: string;
      readonly unitsConsumed?: bigint;
      readonly unitsAllowed?: bigint;
      readonly children: readonly LogNode[];
    }
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'data'; readonly chunks: readonly Uint8Array[]; readonly event?: DecodedEvent }
  | { readonly kind: 'returned'; readonly program: string; readonly data: Uint8Array }
  /** The log ends here: the node cut it, or `unread` more lines were not read. */
  | { readonly kind: 'truncated'; readonly unread?: number };

/** Raw units before and after, only of accounts whose balance or owner changed. */
export type BalanceChange =
  | { readonly kind: 'lamports'; readonly account: string; readonly before: bigint; readonly after: bigint }
  | {
      readonly kind: 'tokens';
      readonly account: string;
      readonly owner?: string;
      /** Who had them before, where the account changed hands. */
      readonly formerOwner?: string;
      readonly mint: string;
      readonly decimals: number;
      readonly before: bigint;
      readonly after: bigint;
    };

export interface TransactionFailure {
  /** Why, without the instruction: a sentence without a capital. */
  readonly text: string;
  /** The error's name; absent for a program's number that nobody named. */
  readonly name?: string;
  /**
   * Whose error it is: `runtime`, `Anchor`, or the program by its name, that of its IDL, or in base58. Absent where the program
   * is not known.
   */
  readonly source?: string;
  /** The next step, without a full stop. */
  readonly next?: string;
  /** The outer instruction that failed. */
  readonly instruction?: number;
  /** The program's own error number. */
  readonly custom?: number;
  /** Index of the account that the runtime names. */
  readonly account?: number;
  /** The program's log about it. */
  readonly words?: OwnWords;
}

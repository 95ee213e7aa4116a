// What the bytes of accounts, instructions, events and transactions mean: the types every decoder fills and every view
// shows. Types alone; core/values/decode/decode.ts decodes accounts, core/values/decode/transactions/ transactions.
import type { TransactionConfig } from '../solana/transactionTypes';
import type { IdlEncoder } from './idl/encoder';
import type { Idl } from './idl/model';
import type { Unit } from './unit';

/** An account as every transport can give it. */
export interface AccountBytes {
  /** Base58, where it is known: sysvars are told apart by it. */
  readonly address?: string;
  /** The owner program, base58. */
  readonly owner: string;
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

/** What is known of programs and mints beyond the chain's own: IDLs of the workspace, decimals seen before. */
export interface Programs {
  /** The IDL of a program (base58). */
  readonly idl: (program: string) => Idl | undefined;
  /** All of them, by program (base58). */
  readonly all?: () => Iterable<readonly [program: string, idl: Idl]>;
  /** Writes arguments by an IDL. It comes with the IDLs, so that nobody reads it who has none. */
  readonly encoder?: IdlEncoder;
  /** Decimals of a mint (base58) that is not in the table of known addresses. */
  readonly decimals?: (mint: string) => number | undefined;
}

/** Nothing is known beyond what is built in. */
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
  /** The layout is not known: this is what the bytes look like. */
  readonly isGuess?: true;
  /** Where the value stands, of a guess. */
  readonly range?: ByteRange;
}

export type DecodedValue =
  /** Text from outside is not made harmless here: whoever shows it does that. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'integer'; readonly value: bigint; readonly unit?: Unit }
  | { readonly kind: 'float'; readonly value: number }
  /** A public key, base58. */
  | { readonly kind: 'pubkey'; readonly address: string }
  /** `unread`: the type, as an IDL spells it, that nobody here can read; the bytes are all that it and what follows may be. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly unread?: string }
  | { readonly kind: 'flag'; readonly value: boolean }
  /** An option that holds nothing. */
  | { readonly kind: 'none' }
  /** `more`: items that were not decoded, because there are too many of them. */
  | { readonly kind: 'list'; readonly items: readonly DecodedValue[]; readonly more?: number }
  /** `name`: the variant of an enum, the name of an extension. */
  | { readonly kind: 'fields'; readonly name?: string; readonly fields: readonly DecodedField[] };

/** One value that is not what it was; absent on one side where the field appeared or went. */
export interface Change {
  /** Names of fields and places in lists, outermost first. */
  readonly path: readonly (string | number)[];
  readonly before?: DecodedValue;
  readonly after?: DecodedValue;
}

export interface DecodedTransaction {
  readonly version: 'legacy' | number;
  /** What a version 1 transaction asks of the runtime. */
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
  readonly balances: readonly BalanceChange[];
  /** Absent where the transaction succeeded, and where it has not run. */
  readonly error?: TransactionFailure;
  /** Lamports. */
  readonly fee?: bigint;
  readonly computeUnits?: bigint;
  readonly returnData?: { readonly program: string; readonly data: Uint8Array };
  /** Whether what happened when it ran is known; without it there are no logs, balances and inner instructions. */
  readonly hasRun: boolean;
}

export interface TransactionAccount {
  /** Base58; `undefined` where a lookup table holds it and nobody has read the table. */
  readonly address: string | undefined;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly isFeePayer: boolean;
  /** The lookup table the address came from. */
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
  /** The node cut the logs here. */
  | { readonly kind: 'truncated' };

/** Raw units before and after, only of accounts whose balance changed. */
export type BalanceChange =
  | { readonly kind: 'lamports'; readonly account: string; readonly before: bigint; readonly after: bigint }
  | {
      readonly kind: 'tokens';
      readonly account: string;
      readonly owner?: string;
      readonly mint: string;
      readonly decimals: number;
      readonly before: bigint;
      readonly after: bigint;
    };

export interface TransactionFailure {
  /** One sentence for people. */
  readonly text: string;
  /** The error's name; absent for a program's number that nobody named. */
  readonly name?: string;
  /** Who names it: `program` is one whose errors are built in, or its bare number. */
  readonly source: 'runtime' | 'program' | 'anchor' | 'idl';
  /** The next step, without a full stop. */
  readonly next?: string;
  /** The outer instruction that failed. */
  readonly instruction?: number;
  /** The program's own error number. */
  readonly custom?: number;
}

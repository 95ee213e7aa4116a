// Requests of our client about a transaction, and the view in the answers: texts that are fit to be shown, digits and
// addresses in full, calls in the order in which they began.
import type { MemberEdit } from '../core/requests/language/features/transactionMembers';
import type { Clue } from '../core/solana/explain/explanation';
import type { WrittenRow } from '../core/solana/explain/written';
import type { DetailNode } from './detailNode';
import type { FileLine, ResponsePlace } from './lsp';
import { CheckedRequest } from './messages';
import type { ReplayView } from './replay';

/** The source of a transaction. */
export type TransactionSource =
  /** Base64, base58, or the JSON of a node. UTF-16 units: at most MAX_GIVEN. */
  | { readonly kind: 'text'; readonly text: string }
  /**
   * In a kept response: that of getTransaction, sendTransaction or simulateTransaction. `before`: that of the request which
   * was sent before a simulation (core/solana/explain/simulation.ts).
   */
  | { readonly kind: 'response'; readonly place: ResponsePlace; readonly before?: ResponsePlace }
  /** In a row of a stream. */
  | { readonly kind: 'row'; readonly id: string; readonly number: number }
  /** A replay on a private ledger; `of`: the transaction to replay again if the replay is no longer kept. */
  | { readonly kind: 'replay'; readonly id: string; readonly of?: ReplayOrigin };

/** A signature, base58, or the folder of a case, an absolute path. */
export type ReplayOrigin =
  | { readonly kind: 'signature'; readonly signature: string }
  | { readonly kind: 'folder'; readonly folder: string };

/** Methods whose responses are about one transaction. */
export const TRANSACTION_METHODS: ReadonlySet<string> = new Set([
  'getTransaction',
  'sendTransaction',
  'simulateTransaction',
]);

/** Explains a transaction. Sends nothing. */
export const explain = new CheckedRequest<ExplainParams, ExplainResult>('solanaRpc/explain', { source: 'object' });
export interface ExplainParams {
  readonly source: TransactionSource;
}
export type ExplainResult =
  | { readonly kind: 'explained'; readonly view: TransactionView }
  /** Unavailable, with the reason as a sentence. */
  | { readonly kind: 'none'; readonly reason: string }
  /** The response was pruned, the row was dropped, the stream ended, or the replay is no longer kept. */
  | { readonly kind: 'gone' };

/** The complete explanation as lines of text of any length, for comparison with another. Sends nothing. */
export const transactionText = new CheckedRequest<ExplainParams, TransactionTextResult>('solanaRpc/transactionText', {
  source: 'object',
});
export type TransactionTextResult =
  | { readonly kind: 'text'; readonly text: string }
  | Exclude<ExplainResult, { readonly kind: 'explained' }>;

/** The node's complete log, lines joined; null if it is no longer kept or never existed. Sends nothing. */
export const transactionLog = new CheckedRequest<ExplainParams, string | null>('solanaRpc/transactionLog', {
  source: 'object',
});

export interface TransactionView {
  /** In three to six lines. */
  readonly summary: readonly string[];
  readonly outcome: OutcomeView;
  /** Base58. */
  readonly signature?: string;
  /** In the order in which they are shown. */
  readonly facts: readonly FactView[];
  readonly calls: readonly CallView[];
  readonly accounts: readonly ExplainedAccountView[];
  readonly balances: readonly BalanceView[];
  /** Base64 of a transaction that can be simulated. */
  readonly wire?: string;
  /** Accounts that a simulation writes, before and after. */
  readonly written?: readonly WrittenView[];
  /** For sending the simulated transaction. */
  readonly suggested?: readonly SuggestionView[];
  /** Of a replay: how it compares with the chain. */
  readonly replay?: ReplayView;
  /** Warnings, as sentences. */
  readonly notes: readonly string[];
  /** The complete explanation as JSON, cut if long. */
  readonly raw: string;
  readonly isRawCut: boolean;
}

/** A member of `$transaction` that a simulation suggests a value for. */
export type SuggestedMember = 'computeUnitLimit' | 'loadedAccountsDataLimit' | 'priorityFee';

export interface SuggestionView {
  readonly member: SuggestedMember;
  /** Compute units, bytes, or micro-lamports for each compute unit. */
  readonly value: number;
}

/** Fees that others recently paid to change the same accounts. */
export type FeesResult =
  | { readonly kind: 'fees'; readonly levels: readonly FeeLevelView[] }
  | { readonly kind: 'none'; readonly reason: string };

export interface FeeLevelView {
  readonly percentile: number;
  /** For each compute unit. */
  readonly microLamports: number;
}

export type { MemberEdit };
/** Edits that write a member of the `$transaction` in the block at a line; null if it has none. */
export const setLimit = new CheckedRequest<SetLimitParams, readonly MemberEdit[] | null>('solanaRpc/setLimit', {
  uri: 'string',
  line: 'number',
  member: 'string',
  value: 'number',
});
export type SetLimitParams = FileLine & SuggestionView;

/** The call that failed the transaction of a kept response, sent by the block at a line; null if none did or it is unknown. */
export const failedCall = new CheckedRequest<FileLine & { readonly place: ResponsePlace }, FailedCallView | null>(
  'solanaRpc/failedCall',
  { place: 'object', uri: 'string', line: 'number' },
);
export interface FailedCallView {
  /** The failure and the next step, as sentences without a capital. */
  readonly text: string;
  readonly next?: string;
  /** The innermost call that failed: `2.1 Token Program: transfer`. */
  readonly call?: string;
  /** Where the block writes the failed instruction. Zero-based. */
  readonly line?: number;
  readonly character?: number;
}

export interface OutcomeView {
  readonly kind: 'succeeded' | 'failed' | 'notExecuted';
  /** It ran there, and not on the chain. */
  readonly ranIn?: 'simulation' | 'preflight';
  /** The failure and the next step, as sentences without a capital. */
  readonly text?: string;
  readonly next?: string;
  /** Whose error it is: the runtime's, Anchor's, a program's. */
  readonly source?: string;
  /** The `path` of the call that failed. */
  readonly at?: string;
  /** Details of the error. */
  readonly clues?: readonly Clue[];
}

export type FactName =
  | 'fee'
  | 'baseFee'
  | 'priorityFee'
  | 'tip'
  | 'price'
  | 'computeUnits'
  | 'loadedAccountsData'
  | 'heap'
  | 'version'
  | 'size'
  | 'sizeLeft'
  | 'signatures'
  | 'slot'
  | 'time'
  | 'blockhash';

export interface FactView {
  readonly name: FactName;
  readonly text: string;
}

export interface CallView {
  /** `1.2` is the second call that instruction 1 made. */
  readonly path: string;
  /** 0 for an instruction of the transaction. */
  readonly depth: number;
  /** Base58; `?` if unknown. */
  readonly program: string;
  /** The program's name, or the beginning and end of its address. */
  readonly title: string;
  /** No decoder and no IDL reads its instructions. */
  readonly isUnknown?: true;
  /** The instruction's name. */
  readonly name?: string;
  /** Compute units: with the calls it made, and without. */
  readonly units?: number;
  readonly ownUnits?: number;
  /** Its last log message, if it failed. */
  readonly failure?: string;
  /** It comes after the instruction that failed, and did not run. */
  readonly isSkipped?: true;
  /** Its arguments, its return value, its events. */
  readonly parts: readonly DetailNode[];
  readonly accounts: readonly DetailNode[];
  /** Its own lines. */
  readonly logs: readonly string[];
  /** The log ends here: the node cut it, or `unreadLines` are left out. */
  readonly isCut?: true;
  readonly unreadLines?: number;
}

export interface ExplainedAccountView {
  /** Base58; absent if it is in a lookup table that was not read. */
  readonly address?: string;
  readonly name?: string;
  readonly isFeePayer: boolean;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly isProgram: boolean;
  /** It has to sign, and its signature does not fit the message, or is not there. */
  readonly fault?: 'invalid' | 'missing';
  /** It began, or it ended, with this transaction. */
  readonly life?: 'created' | 'closed';
  /** The lookup table that contains it. */
  readonly table?: string;
  /** Of a token account that changed hands. Base58. */
  readonly owners?: { readonly from: string; readonly to: string };
  readonly balance?: ChangeView;
  /** Of a token account. */
  readonly tokens?: TokensView;
}

export interface TokensView {
  /** The mint's name or address. */
  readonly unit: string;
  readonly change: ChangeView;
}

export interface WrittenView {
  /** Base58. */
  readonly address: string;
  /** Its kind, and whether it is created or closed; may be empty. */
  readonly title: string;
  /** Empty if it does not change. */
  readonly rows: readonly WrittenRow[];
}

export interface BalanceView {
  /** Base58. */
  readonly owner: string;
  readonly name?: string;
  /** `SOL`, or the mint's name or address. */
  readonly unit: string;
  readonly change: ChangeView;
}

/** With decimals. */
export interface ChangeView {
  readonly before: string;
  readonly after: string;
  /** With sign; empty if unchanged. */
  readonly moved: string;
}

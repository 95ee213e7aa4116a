// What our client asks of a transaction, and the view that the answer is: texts that are fit to be shown, digits and
// addresses whole, calls in the order in which they began.
import type { MemberEdit } from '../core/language/features/transactionMembers';
import type { WrittenRow } from '../core/explain/written';
import type { DetailNode } from './detailNode';
import type { ResponsePlace } from './lsp';
import { CheckedRequest } from './messages';
import type { ReplayView } from './replay';

/** Where a transaction is. */
export type TransactionSource =
  /** Base64, base58, or the JSON of a node. UTF-16 units: at most MAX_GIVEN. */
  | { readonly kind: 'text'; readonly text: string }
  /**
   * In a kept response: that of getTransaction, sendTransaction or simulateTransaction. `before`: that of the request which
   * was sent before a simulation (core/explain/simulation.ts).
   */
  | { readonly kind: 'response'; readonly place: ResponsePlace; readonly before?: ResponsePlace }
  /** In a row of a stream. */
  | { readonly kind: 'row'; readonly id: string; readonly number: number }
  /** A replay on a private ledger. */
  | { readonly kind: 'replay'; readonly id: string };

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
  /** There is none; a sentence says why. */
  | { readonly kind: 'none'; readonly reason: string }
  /** The response was pruned, the row made room, or the stream ended. */
  | { readonly kind: 'gone' };

export interface TransactionView {
  /** In three to six lines. */
  readonly summary: readonly string[];
  /** The whole as lines of text, to be compared with another one's; cut where it is long. */
  readonly text: string;
  readonly outcome: OutcomeView;
  /** Base58. */
  readonly signature?: string;
  /** In the order in which they are shown. */
  readonly facts: readonly FactView[];
  readonly calls: readonly CallView[];
  readonly accounts: readonly AccountView[];
  readonly balances: readonly BalanceView[];
  /** Base64 of a transaction that can be simulated. */
  readonly wire?: string;
  /** Accounts that a simulation writes, before and after. */
  readonly written?: readonly WrittenView[];
  /** For sending what was simulated. */
  readonly suggested?: readonly SuggestionView[];
  /** Of a replay: how it compares with the chain. */
  readonly replay?: ReplayView;
  /** What deserves a second look: sentences. */
  readonly notes: readonly string[];
  /** The whole explanation as JSON, cut where it is long. */
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

/** What others recently paid to change the same accounts. */
export type FeesResult =
  | { readonly kind: 'fees'; readonly levels: readonly FeeLevelView[] }
  | { readonly kind: 'none'; readonly reason: string };

export interface FeeLevelView {
  readonly percentile: number;
  /** For each compute unit. */
  readonly microLamports: number;
}

export type { MemberEdit };
/** Edits that write a member of the `$transaction` in the block at a line; null where it has none. */
export const setLimit = new CheckedRequest<SetLimitParams, readonly MemberEdit[] | null>('solanaRpc/setLimit', {
  uri: 'string',
  line: 'number',
  member: 'string',
  value: 'number',
});
export interface SetLimitParams extends SuggestionView {
  readonly uri: string;
  readonly line: number;
}

export interface OutcomeView {
  readonly kind: 'succeeded' | 'failed' | 'notExecuted';
  /** What failed, and what to do about it: sentences. */
  readonly text?: string;
  readonly next?: string;
  /** The `path` of the call that failed. */
  readonly at?: string;
}

export type FactName =
  | 'fee'
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
  /** Base58; `?` where it is not known. */
  readonly program: string;
  /** The program's name, or the beginning and end of its address. */
  readonly title: string;
  /** The instruction's name. */
  readonly name?: string;
  /** Compute units: with the calls it made, and without. */
  readonly units?: number;
  readonly ownUnits?: number;
  /** Its last words, where it failed. */
  readonly failure?: string;
  /** What it was called with, what it returned, its events. */
  readonly parts: readonly DetailNode[];
  readonly accounts: readonly DetailNode[];
  /** Its own lines. */
  readonly logs: readonly string[];
  /** The node cut the logs here. */
  readonly isCut?: true;
}

export interface AccountView {
  /** Base58; absent where a lookup table holds it that nobody has read. */
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
  /** The lookup table that it came from. */
  readonly table?: string;
  readonly balance?: ChangeView;
}

export interface WrittenView {
  /** Base58. */
  readonly address: string;
  /** What it holds, and whether it begins or ends; may be empty. */
  readonly title: string;
  /** Empty where nothing of it changes. */
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
  /** With its sign; empty where nothing changed. */
  readonly moved: string;
}

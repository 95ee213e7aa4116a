// The requests and notifications of our own over LSP, between client and server. No secret ever crosses here: a verbose
// trace prints every parameter whole.
import type { KeyType, ServiceError } from '../core/errors';
import type { KeyQuery, PlacedProfile } from '../core/profile';
import type { Transport } from '../core/document/model';
import type { CopyOffers } from '../core/language/copyAs';
import type { BlockSummary } from '../core/language/structure';
import type { RequestReport } from '../core/run/model';

/** What the server needs to know of the window; sent at initialisation and with every change. */
export interface WindowState {
  /** I12: while false the server refuses every outgoing request. */
  readonly trusted: boolean;
  /** Folders of the workspace on disk, as paths; `$file`, `>>` and `@import` stay inside. */
  readonly folders: readonly string[];
  readonly profiles: readonly PlacedProfile[];
  /** Name of the active profile. */
  readonly endpoint: string | undefined;
  readonly settings: ServerSettings;
  /** OpenRPC documents that add methods, as paths from a folder of the workspace. */
  readonly schemas: readonly SchemaPlace[];
  /** Anchor IDLs that decode accounts, instructions and events: files, or every JSON file of a folder (`idl/*.json`). */
  readonly idls: readonly SchemaPlace[];
}

export interface SchemaPlace {
  readonly path: string;
  /** The folder on disk that the path is relative to. */
  readonly folder: string;
}

export interface ServerSettings {
  /** A response above this many bytes is kept in a file only. */
  readonly responseInlineBytes: number;
  readonly respectPlan: boolean;
  /** Which inlay hints are shown. */
  readonly inlayHints: { readonly lamports: boolean; readonly addresses: boolean; readonly defaults: boolean };
}

export interface InitializationOptions {
  readonly window: WindowState;
  /** Folder for response files, owned by the extension. */
  readonly storage: string;
}

export const windowChanged = 'solanaRpc/windowChanged';

/** Server to client: a line for the log channel; redacted before it leaves the server. */
export const logged = 'solanaRpc/log';
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export interface LogParams {
  readonly level: LogLevel;
  readonly text: string;
}

export const execute = 'solanaRpc/execute';
export interface ExecuteParams {
  readonly uri: string;
  readonly version: number;
  /** Zero-based lines, each in a block to run; undefined runs the whole file. */
  readonly lines?: readonly number[];
  readonly variant?: ExecuteVariant;
}
/** Another reading of the request than as it stands. */
export type ExecuteVariant =
  /** The transaction of a sendTransaction block, simulated. */
  | { readonly kind: 'simulation' }
  /** At this endpoint, whichever is active or named. */
  | { readonly kind: 'endpoint'; readonly name: string }
  /** A text that is no file: it can name none either. */
  | { readonly kind: 'text'; readonly text: string; readonly endpoint: string };
export type ExecuteResult =
  | { readonly kind: 'done'; readonly outcomes: readonly ExecuteOutcome[] }
  /** Nothing was sent: the file has errors, or the window is not trusted. */
  | { readonly kind: 'refused'; readonly error: ServiceError; readonly line?: number };
export interface ExecuteOutcome {
  /** The file: a request that another one refers to may stand in an imported one. */
  readonly uri: string;
  /** Zero-based line on which the block begins. */
  readonly line: number;
  readonly title: string;
  readonly status: RequestReport['status'];
  readonly error?: RequestReport['error'];
  /** How long the service asks to be left alone, in milliseconds: a suspended key, too many requests. */
  readonly retryAfterMs?: number;
  readonly assertions: readonly AssertionOutcome[];
  readonly httpStatus?: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly slot?: string;
  /** Of a stream: how many messages came, how many of them were dropped, and whether it still goes on. */
  readonly stream?: { readonly count: number; readonly dropped: number; readonly isOpen: boolean };
  /** Of a transaction sent with priority: how far it is confirmed, in words and as far as it is known. */
  readonly landing?: {
    readonly signature: string;
    readonly text: string;
    readonly isWatched: boolean;
    /** It was seen on the ledger. */
    readonly isLanded: boolean;
  };
  /** Of a send whose answer was lost: the signature to look up. */
  readonly lostSignature?: string;
  readonly transport: Transport;
  readonly method: string;
  readonly endpoint: string;
  /** The body as it was sent, exact digits, without keys; cut where it is long. */
  readonly request?: string;
  /** Which stored key the request asked for; absent where it travels without one. */
  readonly key?: KeyQuery;
  /** The response began to come and did not come whole; what is kept in its place is the error. */
  readonly isBroken?: true;
  /** The response's place in the storage folder; the client shows it under `solana-response:`. */
  readonly response?: StoredResponse;
}
/** An assertion with its values as JSON text: exact digits, cut where they are long. */
export interface AssertionOutcome {
  readonly text: string;
  /** Line of the file, zero-based. */
  readonly line: number;
  readonly passed: boolean;
  readonly actual?: string;
  readonly expected?: string;
}
export interface StoredResponse {
  /** The same for every run of one request, so that its document is reused. `[0-9a-f]+`. */
  readonly request: string;
  /** Counts up with every response kept. The files are `REQUEST-RUN.json` and `REQUEST-RUN.meta.json` (an ExecuteOutcome). */
  readonly run: number;
  /** The file with the whole body, where the document shows only its head. */
  readonly fullFile?: string;
  /** When it was kept, in Unix milliseconds. */
  readonly at: number;
  /** Items of the list that a table of it shows first; absent where there is no list. */
  readonly items?: number;
  /** It holds accounts or transactions that can be decoded. */
  readonly isDecodable?: true;
}

/** A response in the storage folder. */
export type ResponsePlace = Pick<StoredResponse, 'request' | 'run'>;

/** Server to client while a run goes on. */
export const progress = 'solanaRpc/progress';
/** A large response that comes in, with what its request is called. */
export type GrowingResponse = ResponsePlace & { readonly title: string };
export interface ProgressParams {
  readonly uri: string;
  readonly line: number;
  readonly state: 'waiting' | 'sending' | 'receiving' | 'streaming' | 'done';
  readonly text?: string;
  /** While a large response is received: where it can be paged by now. */
  readonly receiving?: GrowingResponse;
  /** While streaming: what has come so far. */
  readonly outcome?: ExecuteOutcome;
}

/** Server to client: a variable's value, or consent. */
export const prompt = 'solanaRpc/prompt';
export interface PromptParams {
  readonly name: string;
  readonly label: string;
}
export const confirm = 'solanaRpc/confirm';
export interface ConfirmParams {
  readonly question: string;
}

/** A block in the words of other tools: commands for a shell, scripts of the public clients. No key is in any. */
export const copyAs = 'solanaRpc/copyAs';
export interface CopyAsParams {
  readonly uri: string;
  readonly line: number;
}
export type CopyAsResult = CopyOffers;

/** Which stored key the request at a line asks for: null where it goes nowhere. */
export const destination = 'solanaRpc/destination';
export type DestinationParams = CopyAsParams;
export type DestinationResult = KeyQuery | null;

/** For the tools of language models: what there is, and what is wrong with a text. Nothing is sent. */
export const listMethods = 'solanaRpc/methods';
export interface ListMethodsParams {
  /** Part of the name or of the words about it. */
  readonly query?: string;
}
export interface MethodSummary {
  readonly name: string;
  readonly signature: string;
  readonly summary: string;
  readonly transport: 'http' | 'ws' | 'both';
}
export const validate = 'solanaRpc/validate';
export interface ValidateParams {
  readonly text: string;
}
export interface ValidateFinding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  /** Zero-based. */
  readonly line: number;
  readonly character: number;
  readonly fixes: readonly string[];
}

/** The requests of a file, open or not. */
export const blocks = 'solanaRpc/blocks';
export type BlocksResult = readonly BlockSummary[];
export interface BlocksParams {
  readonly uri: string;
  /** What the file holds now. */
  readonly text: string;
}

/** Server to client: how much was sent to an endpoint from here. At most four a second, none while nothing changes. */
export const traffic = 'solanaRpc/traffic';
export interface TrafficParams {
  readonly profile: string;
  /** Requests of the last second. */
  readonly lastSecond: number;
  /** Since the server started. */
  readonly sent: number;
  /** Of these, answered with 429. */
  readonly throttled: number;
}

export const usage = 'solanaRpc/usage';
export interface UsageParams {
  /** Unix seconds. */
  readonly from?: number;
  readonly to?: number;
  readonly keyId?: string;
}
export interface UsageRow {
  readonly method: string;
  readonly count: number;
  readonly errors: number;
}
export type UsageResult =
  | {
      readonly kind: 'loaded';
      readonly requestCount: number;
      readonly methods: readonly UsageRow[];
      readonly from: number;
      readonly to: number;
      readonly keyId?: string;
    }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** The account's keys, where the service lists them. */
export const usageKeys = 'solanaRpc/usageKeys';
export type UsageKeysResult =
  | { readonly kind: 'listed'; readonly keys: readonly ListedKey[] }
  | { readonly kind: 'failed'; readonly error: ServiceError };
/** A key as the service lists it; never the key itself. */
export interface ListedKey {
  readonly keyId: string;
  readonly type?: KeyType;
  readonly label?: string;
  readonly plan?: string;
  readonly state?: string;
}

/** Tries a key that is not stored yet, or is; `candidate` is a one-time handle known to the client's broker. */
export const testKey = 'solanaRpc/testKey';
export interface TestKeyParams {
  readonly profile: string;
  readonly type: KeyType;
  readonly candidate?: string;
  readonly label?: string;
}
export type TestKeyResult =
  | { readonly kind: 'accepted' }
  /** `actual`: the type the key turned out to be of, where the service took it for another one. */
  | { readonly kind: 'refused'; readonly error: ServiceError; readonly actual?: KeyType };

/** Local service: the server talks to /local for the client, which opens no socket. The new key travels over IPC. */
export const rotateLocalKey = 'solanaRpc/rotateLocalKey';
export interface RotateLocalKeyParams {
  /** Of the ready line; loopback only. */
  readonly adminUrl: string;
  readonly keyId: string;
}
export type RotateLocalKeyResult =
  { readonly kind: 'rotated'; readonly handle: string } | { readonly kind: 'refused'; readonly error: ServiceError };

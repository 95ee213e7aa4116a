// Our custom requests and notifications over LSP, between client and server. No secret ever crosses here: a verbose
// trace prints every parameter in full.
import { NotificationType, RequestType } from 'vscode-jsonrpc';
import type { ServiceError } from '../core/service/errors';
import type { KeyQuery, PlacedProfile } from '../core/service/profiles/profile';
import type { Transport } from '../core/requests/document/model';
import type { CopyOffers } from '../core/requests/language/features/copyAs';
import type { BlockSummary } from '../core/requests/language/features/structure';
import type { ExchangePhases, Landing, RequestReport, SentRequest } from '../core/requests/run/model';
import type { CheckFinding, MethodSummary } from '../core/requests/tools/answers';
import { CheckedRequest } from './messages';
import type { ServerSettings } from './settings';
import type { Unit } from '../core/solana/chain/units';

/** Window state that the server needs; sent at initialisation and with every change. */
export interface WindowState {
  /** I12: while false the server refuses every outgoing request. */
  readonly trusted: boolean;
  /** Folders of the workspace on disk, as paths; `$file`, `>>` and `@import` stay inside. */
  readonly folders: readonly string[];
  readonly profiles: readonly PlacedProfile[];
  /** Name of the active profile. */
  readonly endpoint: string | undefined;
  /** The variables of the chosen environment: a JSON object as text. */
  readonly environment?: string;
  readonly settings: ServerSettings;
  /** The proxy of the user's own editor settings; absent: as the environment says. */
  readonly proxy?: ProxySetting;
  /** OpenRPC documents that add methods, as paths from a folder of the workspace. */
  readonly schemas: readonly SchemaPlace[];
  /** Method packs that the settings and the workspace's files ask for, by name. */
  readonly packs: readonly string[];
  /** IDLs that decode accounts, instructions and events: files, or every JSON file of a folder (`idl/*.json`). */
  readonly idls: readonly SchemaPlace[];
  /** Names of the keypair files of the user's own settings; the files are asked for on the key channel. */
  readonly wallets?: readonly string[];
}

export interface SchemaPlace {
  readonly path: string;
  /** The folder on disk that the path is relative to. */
  readonly folder: string;
}

/** `user`: `user:password` of the URL; `header`: the whole value of Proxy-Authorization. */
export type ProxyUser = 'user' | 'header';

/** The way to the network by the editor's `http.proxy`: never by a workspace's, and never with its password. */
export type ProxySetting =
  /** Proxies are turned off. */
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'proxy';
      /** As it is set, without user name and password; absent: the environment names the proxy. */
      readonly url?: string;
      /** Empty: as NO_PROXY says. */
      readonly noProxy: readonly string[];
      /** How the settings name the user to the proxy; the server asks for it on the key channel. */
      readonly credentials: 'none' | ProxyUser;
    };

export interface InitializationOptions {
  readonly window: WindowState;
  /** Folder for response files, owned by the extension. */
  readonly storage: string;
}

export const windowChanged = new NotificationType<WindowState>('solanaRpc/windowChanged');

/** Server to client: a line for the log channel; redacted before it leaves the server. */
export const logged = new NotificationType<{ readonly level: LogLevel; readonly text: string }>('solanaRpc/log');
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export const execute = new CheckedRequest<ExecuteParams, ExecuteResult>('solanaRpc/execute', {
  uri: 'string',
  version: 'number',
  lines: 'array?',
  variant: 'object?',
  first: 'object?',
  notBefore: 'number?',
  test: 'object?',
  follow: 'boolean?',
  updatesSnapshots: 'boolean?',
});
export interface ExecuteParams {
  readonly uri: string;
  readonly version: number;
  /** Zero-based lines, each in a block to run; undefined runs the whole file. */
  readonly lines?: readonly number[];
  readonly variant?: ExecuteVariant;
  /** Instead of lines: this one request of the file or of an import, as offered. */
  readonly first?: SendFirst;
  /** Older answers are not used for references. Unix milliseconds. */
  readonly notBefore?: number;
  /** The lines belong to one run of the Test Explorer; a continuous run never asks. */
  readonly test?: { readonly run: string; readonly isContinuous: boolean };
  /** Every transaction that the lines send is watched until it is final, not only those sent with priority. */
  readonly follow?: boolean;
  /** Stores the values found by `matchesSnapshot` as snapshots. */
  readonly updatesSnapshots?: boolean;
}
/** A request that sends a transaction and whose answer a run needs. Sent only with the user's consent. */
export interface SendFirst {
  readonly uri: string;
  /** Zero-based line on which it begins. */
  readonly line: number;
  readonly name: string;
  /** Changes with its content and target, so that only what the user agreed to is sent. */
  readonly subject: string;
}
/** Runs a request of a file differently from how the file has it. */
export type FileVariant =
  /** The transaction of a sendTransaction block, simulated. */
  | { readonly kind: 'simulation' }
  /** At this endpoint, whichever is active or named. */
  | { readonly kind: 'endpoint'; readonly name: string };
/** Runs a request differently from how a file has it. */
export type ExecuteVariant =
  | FileVariant
  /** The text is not from a file, and cannot refer to files either. */
  | { readonly kind: 'text'; readonly text: string; readonly endpoint: string };
export type ExecuteResult =
  | {
      readonly kind: 'done';
      readonly outcomes: readonly ExecuteOutcome[];
      /** Requests that were left out, and why. */
      readonly skipped?: readonly { readonly uri: string; readonly line: number; readonly why: string }[];
    }
  /** Not sent: the file has errors, the window is not trusted, or the user has to send `sendFirst`. */
  | {
      readonly kind: 'refused';
      readonly error: ServiceError;
      readonly line?: number;
      readonly sendFirst?: SendFirst;
    };
export interface ExecuteOutcome {
  /** The file: a referenced request may be in an imported file. */
  readonly uri: string;
  /** Zero-based line on which the block begins. */
  readonly line: number;
  readonly title: string;
  /** The block's own name or title, where `title` says more: by it the block is found again. */
  readonly block?: string;
  /** How it ran, where not as the file has it: who sends it again means the same. */
  readonly variant?: FileVariant;
  readonly status: RequestReport['status'];
  readonly error?: RequestReport['error'];
  /** How long the service asks to be left alone, in milliseconds: a suspended key, too many requests. */
  readonly retryAfterMs?: number;
  readonly assertions: readonly AssertionOutcome[];
  readonly httpStatus?: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly slot?: string;
  /** From one slot to the next, as the endpoint showed it. Milliseconds. */
  readonly slotMs?: number;
  /** Result of getGenesisHash, which identifies the endpoint's ledger. */
  readonly genesisHash?: string;
  /** Meaning of an integer that is the whole result, or the value with a context. */
  readonly unit?: Unit;
  /** For a stream: how many messages were received and dropped, and whether it is still open. */
  readonly stream?: { readonly count: number; readonly dropped: number; readonly isOpen: boolean };
  /** Of a sent transaction: how far it is confirmed, in words and as far as it is known. */
  readonly landing?: {
    readonly signature: string;
    readonly text: string;
    readonly isWatched: boolean;
    /** It was seen on the ledger. */
    readonly isLanded: boolean;
    /** Absent in reports of earlier versions, like the times: when a level was first seen, in ms after the answer. */
    readonly level?: Landing['level'];
    readonly times?: Landing['times'];
    readonly atMost?: Landing['atMost'];
    readonly finalizedSlot?: Landing['finalizedSlot'];
    /** The transaction's error as JSON, if it landed and failed. */
    readonly failure?: string;
  };
  /** Of a send whose answer was lost: the signature to look up. */
  readonly lostSignature?: string;
  /** Remarks that are not failures: that a stream had no end, for example. */
  readonly notes?: readonly string[];
  readonly transport: Transport;
  readonly method: string;
  readonly endpoint: string;
  /** Its destination: scheme, host and port. Absent if it was not sent. */
  readonly origin?: string;
  /** Of the local service: the ledger that answered (EndpointProfile). */
  readonly ledger?: string;
  /** The body as sent, with exact digits, redacted; cut if long. */
  readonly request?: string;
  /** The stored key that the request asked for; absent if it is sent without one. */
  readonly key?: KeyQuery;
  /** The exchange on the wire, redacted; absent without an HTTP answer. */
  readonly wire?: Wire;
  /** The same for all requests that were sent together: those of a whole file. */
  readonly together?: string;
  /** The response is incomplete; only the error is kept. */
  readonly isBroken?: true;
  /** The response's place in the storage folder; the client shows it under `solana-response:`. */
  readonly response?: KeptResponse;
}
/** A request and its answer as they travelled, keys left out. Header names and values; milliseconds. */
export interface Wire {
  readonly sent?: SentRequest;
  /** Of the answer. */
  readonly headers: readonly (readonly [string, string])[];
  readonly phases?: ExchangePhases;
}
/** An assertion with its values as JSON text: exact digits, cut if long. */
export interface AssertionOutcome {
  readonly text: string;
  /** Line of the file, zero-based. */
  readonly line: number;
  readonly passed: boolean;
  readonly actual?: string;
  readonly expected?: string;
  /** The differences between the values, one per line. */
  readonly differences?: readonly string[];
  /** It compares with a snapshot, which can be updated. */
  readonly isSnapshot?: true;
}
export interface KeptResponse {
  /** The same for every run of one request, so that its document is reused. `[0-9a-f]+`. */
  readonly request: string;
  /** Counts up with every response kept. The files are `REQUEST-RUN.json` and `REQUEST-RUN.meta.json` (an ExecuteOutcome). */
  readonly run: number;
  /** The file with the whole body, if the document shows only its head. */
  readonly fullFile?: string;
  /** When it was kept, in Unix milliseconds. */
  readonly at: number;
  /** Items of the list that its table shows first; absent if there is no list. */
  readonly items?: number;
  /** It contains accounts or transactions that can be decoded. */
  readonly isDecodable?: true;
  /** The body is not JSON: a gateway's page, for example. */
  readonly isText?: true;
}

/** A response in the storage folder. */
export type ResponsePlace = Pick<KeptResponse, 'request' | 'run'>;

/** Server to client during a run. */
export const progress = new NotificationType<ProgressParams>('solanaRpc/progress');
/** A large response being received, with its request's title. */
export type GrowingResponse = ResponsePlace & { readonly title: string };
export interface ProgressParams {
  readonly uri: string;
  readonly line: number;
  /** `done` without an outcome: the block of that file has ended in all its rows. */
  readonly state: 'waiting' | 'sending' | 'receiving' | 'streaming' | 'done';
  readonly text?: string;
  /** While a large response is received: the part that can be paged. */
  readonly receiving?: GrowingResponse;
  /** While streaming: messages so far. */
  readonly outcome?: ExecuteOutcome;
}

/** Server to client: a variable's value, or consent. */
export const prompt = new RequestType<PromptParams, string | null, void>('solanaRpc/prompt');
export interface PromptParams {
  /** The file whose requests are sent. */
  readonly uri: string;
  readonly name: string;
  readonly label: string;
  /** The parameter that the value fills, in words. */
  readonly hint?: string;
}
/** The problem with a text as the answer to a prompt of an open file; null if it is valid. */
export const checkPrompt = new CheckedRequest<
  Pick<PromptParams, 'uri' | 'name'> & { readonly text: string },
  string | null
>('solanaRpc/checkPrompt', { uri: 'string', name: 'string', text: 'string' });
export const confirm = new RequestType<ConfirmParams, boolean, void>('solanaRpc/confirm');
export interface ConfirmParams {
  readonly question: string;
  /** The action to confirm: sending a request, or signing a transaction. */
  readonly to: 'send' | 'sign';
}

/** The lines on which the requests begin that hold these lines; all of the file's without lines. */
export const requestLines = new CheckedRequest<Pick<ExecuteParams, 'uri' | 'lines'>, readonly number[]>(
  'solanaRpc/requestLines',
  { uri: 'string', lines: 'array?' },
);

/** A block in the words of other tools: commands for a shell, scripts of the public clients. No key is in any. */
export const copyAs = new CheckedRequest<FileLine, CopyAsResult>('solanaRpc/copyAs', { uri: 'string', line: 'number' });
export type CopyAsResult = CopyOffers;
/** A zero-based line of an open file. */
export interface FileLine {
  readonly uri: string;
  readonly line: number;
}

/** The stored key that the request at a line asks for; null if it cannot be sent. */
export const destination = new CheckedRequest<FileLine, DestinationResult>('solanaRpc/destination', {
  uri: 'string',
  line: 'number',
});
export type DestinationResult = KeyQuery | null;

/** For tools of language models: the known methods, and the problems of a text. Sends nothing. */
export const listMethods = new CheckedRequest<ListMethodsParams, readonly MethodSummary[]>('solanaRpc/methods', {
  query: 'string?',
});
export interface ListMethodsParams {
  /** Part of the name or of the words about it. */
  readonly query?: string;
}
export const validate = new CheckedRequest<ValidateParams, readonly CheckFinding[]>('solanaRpc/validate', {
  text: 'string',
});
export interface ValidateParams {
  readonly text: string;
}

/** The requests of a file, open or not. */
export const blocks = new CheckedRequest<BlocksParams, BlocksResult>('solanaRpc/blocks', {
  uri: 'string',
  text: 'string',
});
export type BlocksResult = readonly BlockSummary[];
export interface BlocksParams {
  readonly uri: string;
  /** The file's current content. */
  readonly text: string;
}

/** Server to client: how much was sent to an endpoint's origin. At most four per second, and only on changes. */
export const traffic = new NotificationType<TrafficParams>('solanaRpc/traffic');
export interface TrafficParams {
  readonly profile: string;
  /** An origin of the profile, or the one of a URL that a file names itself. */
  readonly origin: string;
  /** Requests of the last second. */
  readonly lastSecond: number;
  /** Since the server started. */
  readonly sent: number;
  /** Of these, answered with 429. */
  readonly throttled: number;
}

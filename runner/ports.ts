// The run loop's external dependencies as interfaces, implemented by the server and the CLI. No sockets here.
import type { BodyFile, Exchange, PreparedRequest, RequestBlock, RequestReport } from '../core/requests/run/model';
import type { FileKind } from '../core/service/fileKinds';
import type { Result, ServiceError } from '../core/service/errors';
import type { Provenance, RequestKey } from '../core/requests/run/assertions/subject';
import type { Programs } from '../core/solana/decode/decoded';
import type { JsonValue } from '../core/solana/json/json';
import type { ChainAge } from '../core/solana/chain/chain';

/**
 * Sends one prepared request. A refusal by the service is an Exchange with `error`; no answer at all is a failed Result. A
 * body above `inlineBytes` goes into a file where the transport can do that.
 */
export interface SendPort {
  send(request: PreparedRequest, signal: AbortSignal, inlineBytes?: number): Promise<Result<Exchange>>;
}

/** A confirmed subscription; messages until the service or `close` ends it. */
export interface OpenStream {
  messages(): AsyncIterable<JsonValue>;
  readonly dropped: number;
  /** Why it broke off; undefined while it is open and after a normal end. */
  readonly error?: ServiceError | undefined;
  close(): Promise<void>;
}

export interface StreamPort {
  openStream(request: PreparedRequest, signal: AbortSignal): Promise<Result<OpenStream>>;
}

/** Files of the workspace: paths are resolved, symlinks followed, and anything outside is refused. */
export interface FilePort {
  /** The text of `path` as named by the file `from`: a regular file, of at most the bytes of its kind. */
  read(path: string, from: string, kind: FileKind): Promise<Result<string>>;
  /** Whether `write` would be allowed as things are: asked before a request is sent whose response is to be saved. */
  mayWrite(path: string, from: string, overwrite: boolean): Promise<Result<void>>;
  /** Saves a response, given as text or as the file it lies in; never half a file. */
  write(path: string, from: string, content: string | BodyFile, overwrite: boolean): Promise<Result<void>>;
}

export interface AskPort {
  /** A variable's value; undefined if prompting is impossible or the prompt was dismissed. */
  prompt(name: string, label: string, signal: AbortSignal): Promise<string | undefined>;
  /** True when the user agrees to `question`. */
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
}

export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Seconds since the epoch, for `{{$timestamp}}`. */
  unixSeconds(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** A wallet by the name that the user gave its keypair file; undefined: the endpoint's own. */
export type WalletName = string | undefined;

/** A serialised message with its signatures, Ed25519, 64 bytes each. */
export interface SignedMessage {
  readonly message: Uint8Array;
  readonly signatures: readonly Uint8Array[];
}

/** Signs what was agreed to with this blockhash in it; nothing else of it can change. */
export type Signer = (blockhash: string) => Result<SignedMessage>;

/** The wallet of an endpoint, and those that the user named, which a request picks by name. */
export interface WalletPort {
  /** Base58. */
  address(endpoint: string | undefined, name?: WalletName): Promise<Result<string>>;
  /** Asks, if it must, whether these wallets may sign a serialised transaction message; the signer signs in their order. */
  sign(endpoint: string | undefined, draft: Uint8Array, names: readonly WalletName[]): Promise<Result<Signer>>;
  /** Identifies the wallet without reading its keypair file; empty without a wallet. */
  identity(endpoint: string | undefined, name?: WalletName): Promise<string>;
}

export interface Randomness {
  uuid(): string;
  /** An integer with min <= n <= max. */
  integer(min: number, max: number): number;
}

export interface RunPorts extends SendPort, AskPort {
  /** The same for the run's own requests, besides the file's: their answers are not shown as responses. */
  look: SendPort['send'];
  /** A request's URL, with `{key}` in the key's place; undefined if it has no target. */
  urlOf(request: Destined): string | undefined;
  readonly stream?: StreamPort;
  readonly files: FilePort;
  readonly clock: Clock;
  readonly wallet: WalletPort;
  /** The programs known at an endpoint, with the IDLs that transactions are built by. Absent: none. */
  programs?(endpoint: string | undefined): Promise<Programs>;
  /** Known facts about the chain of an endpoint. Absent: nothing is known. */
  chain?(endpoint: string | undefined): ChainAge;
  readonly random: Randomness;
  readonly environment: EnvironmentPort;
  /** Called as each request starts and ends; in order unless several run at the same time. */
  onProgress?(event: RunProgress): void;
  /** Logs what was thrown during a request, which its row reports as an internal error. */
  onFault?(thrown: unknown): void;
}

export type RunProgress =
  | {
      readonly kind: 'waiting';
      readonly line: number;
      readonly reason: 'dependency' | 'rateLimit' | 'retry';
      readonly ms?: number;
    }
  | ({ readonly kind: 'sending' } & RequestBlock)
  /** A transaction was sent with priority and is watched; `report` is its state so far. */
  | { readonly kind: 'landing'; readonly report: RequestReport; readonly given?: GivenAnswer }
  /** Progress of a response: bytes of its body so far, and in total if the service states them. */
  | { readonly kind: 'receiving'; readonly line: number; readonly bytes: number; readonly total?: number }
  /** `index`: its place in the plan; `isLast`: its block has no row that is still to run. */
  | {
      readonly kind: 'done';
      readonly report: RequestReport;
      readonly index: number;
      readonly isLast: boolean;
      /** It went to the URL on its own line, so its answer says nothing of its endpoint. */
      readonly isElsewhere?: boolean;
      readonly given?: GivenAnswer;
    };

/** A sent named request: its identity, and the inputs of its answer. */
export interface GivenAnswer {
  readonly key: RequestKey;
  readonly provenance: Provenance;
}

/** The parts of a request that determine its target. */
export type Destined = Pick<
  PreparedRequest,
  'transport' | 'method' | 'url' | 'sentTo' | 'headers' | 'endpoint' | 'isKeyless'
>;

/** A host as people read it. `isHere`: it cannot be another machine. */
export interface Destination {
  readonly host: string;
  readonly isHere: boolean;
}

/** Where the value of a variable would go: a host as people read it, or a file of the workspace. */
export type ValuePlace =
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'file'; readonly file: string };

/** The environment as requests may use it. */
export interface EnvironmentPort {
  /** Undefined if it is not set. Called for names only that `refusal` lets through. */
  value(name: string): string | undefined;
  /** Why this name may not be read for any target. */
  refusal(name: string): string | undefined;
  /** Names that the user lets every request carry. */
  isAllowed(name: string): boolean;
  /** Undefined if the request has no target: sending it fails anyway. */
  destination(request: Destined): Destination | undefined;
  /** Whether the user agrees that it goes there; absent if prompting is impossible. */
  ask?(name: string, place: ValuePlace, signal: AbortSignal): Promise<boolean>;
  /** Names that services on this machine were sent, by all runs that share the environment: one may keep them for another. */
  readonly sentHere: Set<string>;
  /** How a name is allowed. */
  hint(name: string): string;
}

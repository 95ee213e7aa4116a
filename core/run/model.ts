// A run as data: what is to be sent, what came back, what was checked. Shapes of the terminal's JSON (docs) and of the
// editor's results are the same.
import type { Transport } from '../document/model';
import type { ServiceError } from '../errors';
import type { Part } from '../response/outline';
import type { ByteSource } from '../response/stored';
import type { TextBody } from '../response/textBody';
import type { JsonValue } from '../values/json/json';

/** The block that a request is made of, as its report names it. */
export interface RequestBlock {
  readonly file: string;
  readonly name: string | null;
  readonly title: string;
  /** Zero-based. */
  readonly line: number;
  /** Of `@foreach`: the place of the row, from 0. */
  readonly row?: number;
  readonly method: string;
}

/** One request, ready to leave: every variable substituted, `jsonrpc` and `id` filled in, number tokens untouched. */
export interface PreparedRequest {
  readonly transport: Transport;
  /** The JSON-RPC method, the gRPC path `package.Service/Method`, or "batch". */
  readonly method: string;
  /** The exact text to send; for GRPC the request message as proto3 JSON. */
  readonly body: string;
  /** The ids in `body`, in order, as their JSON tokens; one for a single request. */
  readonly ids: readonly string[];
  /** True for an array body. */
  readonly isBatch: boolean;
  /** From the file; never a key of the vault. */
  readonly headers: readonly (readonly [string, string])[];
  /** A URL on the request line, in place of the profile's. */
  readonly url?: string;
  /** Of a question about a transaction: the sender's URL that it went to, whose profile is asked. */
  readonly sentTo?: string;
  /** Name of the endpoint profile; undefined: the active one. */
  readonly endpoint?: string;
  /** Label of the stored key to use. */
  readonly keyLabel?: string;
  readonly timeoutMs: number;
  /** Absent where the run itself asks: for a blockhash, or for the state of a transaction. */
  readonly block?: RequestBlock;
}

/** A response's body: as text up to a bound, above it in a file. */
export type BodyText = TextBody | LargeBody;

/** A body in a file: its start as text, and the index through which the rest is read. */
export interface LargeBody {
  readonly kind: 'file';
  readonly file: BodyFile;
  readonly bytes: number;
  readonly head: string;
  /** Undefined where the body is no JSON at all. */
  readonly outline: Part | undefined;
}

/** The file of a body; whoever keeps it gives it its place. */
export interface BodyFile extends ByteSource {
  /** Where it lies now. */
  readonly path: string;
  /** Reading goes on at the new place. */
  moveTo(path: string): Promise<void>;
}

/** What came back over HTTP. Times in milliseconds, sizes in bytes of the decoded body. */
export interface Exchange {
  readonly httpStatus: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: BodyText;
  readonly bytes: number;
  readonly durationMs: number;
  readonly sent?: SentRequest;
  readonly phases?: ExchangePhases;
  /** Set where the service refused or the JSON-RPC answer is an error object; the body is kept all the same. */
  readonly error?: ServiceError;
}

/** A request's head as it was sent, with `[redacted]` in place of every key. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** Where the time of an exchange went, in milliseconds. */
export interface ExchangePhases {
  /** Until a connection was free or open. */
  readonly connection: number;
  /** From then until the head of the answer. */
  readonly waiting: number;
  /** From then until its last byte. */
  readonly download: number;
}

export interface AssertionResult {
  readonly text: string;
  /** Line of the file, zero-based. */
  readonly line: number;
  readonly passed: boolean;
  /** The value found at the path; absent where there is none. */
  readonly actual?: JsonValue;
  /** The value that `==` asks for, filled in; absent for the other operators, whose text says all. */
  readonly expected?: JsonValue;
  /** Where a value that `==` asks for differs, a line each. */
  readonly differences?: readonly string[];
  /** It compares with a snapshot, which can be updated. */
  readonly isSnapshot?: true;
}

export type RequestStatus = 'passed' | 'failed' | 'skipped';

/** How far a transaction is confirmed (solana.com/docs/rpc, "Configuring State Commitment"). */
export type LandingLevel = 'processed' | 'confirmed' | 'finalized';

/** What became of a transaction that was sent and watched. */
export interface Landing {
  readonly signature: string;
  /** The id of a bundle; `signature` is then of its first transaction, and the id until that is known. */
  readonly bundle?: string;
  /** `sent`: not seen on the ledger; `expired`: it can no longer land. */
  readonly level: LandingLevel | 'sent' | 'expired';
  /** When a level was first seen, in milliseconds after the send was answered. */
  readonly times: { readonly [level in LandingLevel]?: number };
  /** As its digits. */
  readonly slot?: string;
  /** The transaction's own error, where it landed and failed. */
  readonly err?: JsonValue;
  /** The account of its durable nonce, where it has one in the place of a recent blockhash. */
  readonly nonceAccount?: string;
}

/** One row of a report; `solana-rpc run --json` prints it as it is. */
export interface RequestReport {
  readonly file: string;
  /** Line on which the block begins; one-based, as people count. */
  readonly line: number;
  readonly name: string | null;
  readonly title: string;
  readonly method: string;
  readonly transport: Transport;
  readonly endpoint: string;
  /** Of `@foreach`: the place of the row, from 0. */
  readonly row?: number;
  readonly status: RequestStatus;
  /** Why it was skipped, as a sentence. */
  readonly reason?: string;
  readonly httpStatus?: number;
  readonly durationMs: number;
  /** The request as it was sent, exact digits, without keys. */
  readonly request: JsonValue;
  readonly response?: JsonValue;
  /** The response where it is too large to be held. */
  readonly large?: LargeBody;
  readonly messages?: readonly JsonValue[];
  readonly dropped?: number;
  /** Of a transaction that was watched. */
  readonly landing?: Landing;
  /** What the user should know of a request that was sent, each one sentence. */
  readonly notes?: readonly string[];
  readonly error?: { readonly kind: string; readonly code?: number; readonly message: string; readonly hint?: string };
  readonly assertions: readonly AssertionResult[];
}

export interface RunSummary {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly durationMs: number;
}

export interface RunReport {
  readonly ok: boolean;
  readonly summary: RunSummary;
  readonly requests: readonly RequestReport[];
}

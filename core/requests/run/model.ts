// A run as data: requests, responses, checks. The terminal's JSON (docs) and the editor's results have the same shapes.
import type { Transport } from '../document/model';
import type { ServiceError } from '../../service/errors';
import type { BytePart } from '../../service/response/outline';
import type { ByteSource } from '../../service/response/stored';
import type { TextBody } from '../../service/response/textBody';
import type { JsonValue } from '../../solana/json/json';

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
  /** `@auth none`: no stored key is sent with it. */
  readonly isKeyless?: true;
  readonly timeoutMs: number;
  /** Absent for the run's own requests: for a blockhash, or a transaction's state. */
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
  /** Undefined if the body is not JSON. */
  readonly outline: BytePart | undefined;
}

/** The file of a body; moved by the code that keeps it. */
export interface BodyFile extends ByteSource {
  /** Its current path. */
  readonly path: string;
  /** Reads continue at the new path. */
  moveTo(path: string): Promise<void>;
}

/** An HTTP response. Times in milliseconds, sizes in bytes of the decoded body. */
export interface Exchange {
  readonly httpStatus: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: BodyText;
  readonly bytes: number;
  readonly durationMs: number;
  readonly sent?: SentRequest;
  readonly phases?: ExchangePhases;
  /** Set if the service refused or the JSON-RPC answer is an error object; the body is kept anyway. */
  readonly error?: ServiceError;
}

/** A request's head as it was sent, with `[redacted]` in place of every key. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** The phases of an exchange, in milliseconds. */
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
  /** The value at the path; absent if it does not exist. */
  readonly actual?: JsonValue;
  /** The value that `==` asks for, filled in; absent for the other operators, whose text says all. */
  readonly expected?: JsonValue;
  /** Differences from the value that `==` expects, one per line. */
  readonly differences?: readonly string[];
  /** It compares with a snapshot, which can be updated. */
  readonly isSnapshot?: true;
}

export type RequestStatus = 'passed' | 'failed' | 'skipped';

/** How far a transaction is confirmed (solana.com/docs/rpc, "Configuring State Commitment"). */
export type LandingLevel = 'processed' | 'confirmed' | 'finalized';

/** The outcome of a sent and watched transaction. */
export interface Landing {
  readonly signature: string;
  /** The id of a bundle; `signature` is then of its first transaction, and the id until that is known. */
  readonly bundle?: string;
  /** `sent`: not seen on the ledger; `expired`: it can no longer land. */
  readonly level: LandingLevel | 'sent' | 'expired';
  /** When a level was first seen, in milliseconds after the send was answered; absent if it was there before the watch. */
  readonly times: { readonly [level in LandingLevel]?: number };
  /** Levels that were reached at any time before that: found so by asking, or passed over. */
  readonly atMost?: readonly LandingLevel[];
  /** As its digits. */
  readonly slot?: string;
  /** From the slot in which the send was answered to that one; 0 if it had landed by then. */
  readonly slots?: number;
  /** The newest finalized slot, as its digits, if the watch ended before the transaction's was. */
  readonly finalizedSlot?: string;
  /** The transaction's error, if it landed and failed. */
  readonly err?: JsonValue;
  /** The account of its durable nonce, if it uses one instead of a recent blockhash. */
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
  /** The response if it is too large for memory. */
  readonly large?: LargeBody;
  readonly messages?: readonly JsonValue[];
  readonly dropped?: number;
  /** Of a transaction that was watched. */
  readonly landing?: Landing;
  /** Notes for the user about a sent request, one sentence each. */
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

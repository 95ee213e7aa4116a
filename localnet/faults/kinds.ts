// The faults there are: where each strikes, what it takes, and why it makes no sense elsewhere. A table and its words.

/** The interfaces. `http` is /sol, `rest` is /v1, `ws` is /ws/sol. */
export const FAULT_SCOPES = ['http', 'ws', 'grpc', 'rest'] as const;
export type FaultScope = (typeof FAULT_SCOPES)[number];

/** What a fault may be given beside scope, kind, times and probability. */
export type FaultField = 'method' | 'keyId' | 'ms' | 'status' | 'headers' | 'body';

export interface KindRule {
  readonly scopes: readonly FaultScope[];
  readonly fields: readonly FaultField[];
  /** Why it cannot strike in the other scopes; empty where it strikes in all. */
  readonly why: string;
}

const CALL: readonly FaultField[] = ['method', 'keyId'];
const ANSWER: readonly FaultField[] = [...CALL, 'status', 'headers', 'body'];
const STREAMS = { scopes: ['ws', 'grpc'], fields: CALL } as const;
const LEDGER = { scopes: ['http', 'ws', 'grpc'], fields: [], why: 'the usage API knows no slots' } as const;

/**
 * Every kind. `fork`, `twobanks` and `stall` strike the ledger, which all interfaces show: any of their scopes does the same.
 */
export const FAULT_KINDS = {
  /** Comes `ms` later. */
  latency: { scopes: FAULT_SCOPES, fields: [...CALL, 'ms'], why: '' },
  /** The connection breaks instead. */
  drop: { scopes: FAULT_SCOPES, fields: CALL, why: '' },
  /** Nothing comes, and the connection stays. */
  hang: { scopes: FAULT_SCOPES, fields: CALL, why: '' },
  /** Another HTTP status, and no call made. */
  status: { scopes: FAULT_SCOPES, fields: ANSWER, why: '' },
  /** What nobody can read instead. */
  garbage: { scopes: FAULT_SCOPES, fields: ANSWER, why: '' },
  /** Half of it. */
  truncate: { scopes: FAULT_SCOPES, fields: CALL, why: '' },
  /** Byte by byte, `ms` apart. */
  slowloris: { scopes: FAULT_SCOPES, fields: [...CALL, 'ms'], why: '' },
  /** Another id than the request's. */
  wrongid: { scopes: ['http', 'ws'], fields: CALL, why: 'its answers carry no id' },
  /** A redirect to elsewhere. */
  redirect: { scopes: FAULT_SCOPES, fields: ANSWER, why: '' },
  /** An update is left out. */
  gap: { ...STREAMS, why: 'it has no updates that could be left out' },
  /** An update comes twice. */
  duplicate: { ...STREAMS, why: 'it has no updates that could come twice' },
  /** Sends without a SWQoS key are lost on the way, or with `ms` come later. */
  congestion: { scopes: ['http'], fields: [...CALL, 'ms'], why: 'transactions are sent over http alone' },
  /** The slot that ends is lost, and all it held. */
  fork: LEDGER,
  /** The slot that ends has two banks: the first is processed and given up, the second is confirmed. */
  twobanks: LEDGER,
  /** The next slot comes `ms` late. */
  stall: { ...LEDGER, fields: ['ms'] },
  /** GOAWAY: the connection takes no new calls and breaks after `ms`. */
  goaway: { scopes: ['grpc'], fields: [...CALL, 'ms'], why: 'GOAWAY is a frame of HTTP/2, which gRPC alone speaks' },
} as const satisfies Readonly<Record<string, KindRule>>;

export type FaultKind = keyof typeof FAULT_KINDS;

/** No request has this id. */
export const WRONG_ID = '"an-id-nobody-sent"';

/** Over the WebSocket: the opening of a connection, by the name that `method` gives it. */
export const UPGRADE = 'upgrade';

/** The kinds that strike a call of HTTP or its answer. */
export const ON_HTTP: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'latency',
  'drop',
  'hang',
  'status',
  'garbage',
  'truncate',
  'slowloris',
  'wrongid',
  'redirect',
]);
/** The kinds that strike a message of a WebSocket: any, an answer alone, a notification alone. */
export const ON_MESSAGE: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'latency',
  'drop',
  'hang',
  'garbage',
  'truncate',
  'slowloris',
]);
export const ON_WS_ANSWER: ReadonlySet<FaultKind> = new Set<FaultKind>([...ON_MESSAGE, 'wrongid']);
export const ON_WS_NOTIFICATION: ReadonlySet<FaultKind> = new Set<FaultKind>([...ON_MESSAGE, 'gap', 'duplicate']);
/** The kinds that strike the opening of a WebSocket. */
export const ON_WS_UPGRADE: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'latency',
  'drop',
  'hang',
  'status',
  'redirect',
]);
/** The kinds that strike a call of gRPC before it is made, and those that strike its messages. */
export const ON_GRPC_CALL: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'latency',
  'drop',
  'hang',
  'status',
  'redirect',
  'goaway',
]);
export const ON_GRPC_ANSWER: ReadonlySet<FaultKind> = new Set<FaultKind>(['garbage', 'truncate', 'slowloris']);
export const ON_GRPC_UPDATE: ReadonlySet<FaultKind> = new Set<FaultKind>([...ON_GRPC_ANSWER, 'gap', 'duplicate']);

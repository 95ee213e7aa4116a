// The faults there are: where each strikes, what it takes, and why it makes no sense elsewhere. One table; which faults an
// interface asks for, and what a request for faults may say, derive from it.

/** The interfaces. `http` is /sol, `rest` is /v1, `ws` is /ws/sol. */
export const FAULT_SCOPES = ['http', 'ws', 'grpc', 'rest'] as const;
export type FaultScope = (typeof FAULT_SCOPES)[number];

/** Members that a fault may have besides scope, kind, times and probability. */
export type FaultField = 'method' | 'keyId' | 'ms' | 'status' | 'headers' | 'body';

/** The moments at which a fault can strike, and the scopes whose moments they are. */
const POINTS = {
  /** A call over HTTP, or its answer. */
  call: ['http'],
  restCall: ['rest'],
  /** The opening of a WebSocket, an answer on it, and a notification. */
  upgrade: ['ws'],
  answer: ['ws'],
  notification: ['ws'],
  /** A gRPC call before it is made, the answer of a unary one, and an update of a stream. */
  grpcCall: ['grpc'],
  grpcAnswer: ['grpc'],
  grpcUpdate: ['grpc'],
  /** A transaction on its way to the leader. */
  send: ['http'],
  /** The end of a slot. */
  slot: ['http', 'ws', 'grpc'],
} as const satisfies Readonly<Record<string, readonly FaultScope[]>>;
export type FaultPoint = keyof typeof POINTS;

export interface KindRule {
  readonly points: readonly FaultPoint[];
  readonly fields: readonly FaultField[];
  /** Why it cannot strike in the other scopes; empty where it strikes in all. */
  readonly why: string;
  /** Without `ms` or `status` in the fault. */
  readonly ms?: number;
  readonly status?: number;
}

const CALL: readonly FaultField[] = ['method', 'keyId'];
const ANSWER: readonly FaultField[] = [...CALL, 'status', 'headers', 'body'];
/** Before a call is made, or in place of it. */
const BEFORE = ['call', 'restCall', 'upgrade', 'grpcCall'] as const;
const WS = ['answer', 'notification'] as const;
/** Where written text can be damaged. */
const WRITTEN = ['call', 'restCall', ...WS, 'grpcAnswer', 'grpcUpdate'] as const;
const STREAMS = { points: ['notification', 'grpcUpdate'], fields: CALL } as const;
const LEDGER = { points: ['slot'], fields: [], why: 'the usage API knows no slots' } as const;

/**
 * Every kind; all else about faults derives from this table. Those of the ledger strike what all interfaces show: any of
 * their scopes does the same.
 */
export const FAULT_KINDS = {
  /** Comes `ms` later. */
  latency: { points: [...BEFORE, ...WS], fields: [...CALL, 'ms'], why: '', ms: 1_000 },
  /** The connection breaks instead. */
  drop: { points: [...BEFORE, ...WS], fields: CALL, why: '' },
  /** Nothing comes, and the connection stays. */
  hang: { points: [...BEFORE, ...WS], fields: CALL, why: '' },
  /** Another HTTP status, and no call made. */
  status: { points: BEFORE, fields: ANSWER, why: '', status: 503 },
  /** Unreadable text instead. */
  garbage: { points: WRITTEN, fields: ANSWER, why: '' },
  /** Half of it. */
  truncate: { points: WRITTEN, fields: CALL, why: '' },
  /** Byte by byte, `ms` apart. */
  slowloris: { points: WRITTEN, fields: [...CALL, 'ms'], why: '', ms: 50 },
  /** Another id than the request's. */
  wrongid: { points: ['call', 'answer'], fields: CALL, why: 'its answers carry no id' },
  /** A redirect to elsewhere. */
  redirect: { points: BEFORE, fields: ANSWER, why: '', status: 307 },
  /** An update is left out. */
  gap: { ...STREAMS, why: 'it has no updates that could be left out' },
  /** An update comes twice. */
  duplicate: { ...STREAMS, why: 'it has no updates that could come twice' },
  /** Sends without a SWQoS key are lost on the way, or with `ms` come later. */
  congestion: { points: ['send'], fields: [...CALL, 'ms'], why: 'transactions are sent over http alone' },
  /** The slot that ends is lost, and all it held. */
  fork: LEDGER,
  /** The slot that ends has two banks: the first is processed and given up, the second is confirmed. */
  twobanks: LEDGER,
  /** The next slot comes `ms` late. */
  stall: { ...LEDGER, fields: ['ms'], ms: 5_000 },
  /** GOAWAY: the connection takes no new calls and breaks after `ms`. */
  goaway: {
    points: ['grpcCall'],
    fields: [...CALL, 'ms'],
    why: 'GOAWAY is a frame of HTTP/2, which gRPC alone speaks',
    ms: 1_000,
  },
} as const satisfies Readonly<Record<string, KindRule>>;

export type FaultKind = keyof typeof FAULT_KINDS;

/** No request has this id. */
export const WRONG_ID = '"an-id-nobody-sent"';

/** Over the WebSocket: the opening of a connection, by the name that `method` gives it. */
export const UPGRADE = 'upgrade';

const KINDS = Object.entries(FAULT_KINDS) as readonly (readonly [FaultKind, KindRule])[];

/** The kinds that strike at one of these points. What a point does with them is a switch that the linter keeps complete. */
export type KindAt<Point extends FaultPoint> = {
  [Kind in FaultKind]: Point extends (typeof FAULT_KINDS)[Kind]['points'][number] ? Kind : never;
}[FaultKind];

const strikingAt = (point: string): ReadonlySet<FaultKind> =>
  new Set(KINDS.flatMap(([kind, { points }]) => (points.some((one) => one === point) ? [kind] : [])));

/** The kinds that strike at each point. */
export const KINDS_AT = Object.fromEntries(
  Object.keys(POINTS).map((point) => [point, strikingAt(point)]),
) as unknown as { readonly [Point in FaultPoint]: ReadonlySet<KindAt<Point>> };

/** The scopes in which a kind strikes, in the order of all scopes. */
export const scopesOf = ({ points }: KindRule): readonly FaultScope[] =>
  FAULT_SCOPES.filter((scope) => points.some((point) => POINTS[point].some((one) => one === scope)));

/** The delay of a fault, in milliseconds. */
export function delayOf({ kind, ms }: { readonly kind: FaultKind; readonly ms?: number }): number {
  const rule: KindRule = FAULT_KINDS[kind];
  return ms ?? rule.ms ?? 0;
}

/** The HTTP status of a fault. */
export function faultStatus({ kind, status }: { readonly kind: FaultKind; readonly status?: number }): number {
  const rule: KindRule = FAULT_KINDS[kind];
  return status ?? rule.status ?? 200;
}

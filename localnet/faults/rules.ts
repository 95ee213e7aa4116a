// The faults that tests ask the service to make: matched against requests and slots, counted down. Makes none itself.
import type { FaultKind, FaultPoint, FaultScope, KindAt } from './kinds';

/** `Kind`: where it strikes, the kinds that do. */
export interface Fault<Kind extends FaultKind = FaultKind> {
  readonly scope: FaultScope;
  readonly kind: Kind;
  /** Only requests of this method (of a batch, one element is enough); in scope ws, the notification's name. In scope grpc, the method's full name. */
  readonly method?: string;
  /** Only requests paid by this key. */
  readonly keyId?: string;
  /** How often it strikes, then it is gone; without it, always. */
  readonly times?: number;
  /** 0 to 1: how likely it strikes a matching request; default 1. */
  readonly probability?: number;
  /** The delay; for slowloris the pause between two bytes. */
  readonly ms?: number;
  /** The HTTP status. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A fault that strikes at one of these points. */
export type FaultAt<Point extends FaultPoint> = Fault<KindAt<Point>>;

/** The call or message that a fault is matched against. */
export interface FaultTarget {
  readonly methods: readonly string[];
  readonly keyIds: readonly string[];
}

export class FaultBox {
  readonly #listeners: (() => void)[] = [];
  #rules: { readonly fault: Fault; left: number }[] = [];

  /** `random` gives numbers from 0 up to 1. */
  constructor(private readonly random: () => number) {}

  replace(faults: readonly Fault[]): void {
    this.#rules = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after every change of the list. */
  onReplace(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** True while no fault is in force. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The faults in force, with how often each may still strike. */
  list(): readonly Fault[] {
    return this.#rules.map(({ fault, left }) => (Number.isFinite(left) ? { ...fault, times: left } : fault));
  }

  /** The first fault of one of these kinds that strikes this request, or `undefined`. */
  strike<Kind extends FaultKind>(
    scope: FaultScope,
    target: FaultTarget,
    kinds: ReadonlySet<Kind>,
    fits: (fault: Fault) => boolean = () => true,
  ): Fault<Kind> | undefined {
    return this.#first((fault): fault is Fault<Kind> => isAimed(fault, scope, target, kinds) && fits(fault));
  }

  /** The first fault of this kind that strikes the ledger, in any scope. */
  strikeLedger(kind: FaultKind): Fault | undefined {
    return this.#first((fault): fault is Fault => fault.kind === kind);
  }

  /** True while some fault of the kind may strike this request; none is counted down. */
  threatens(scope: FaultScope, target: FaultTarget, kind: FaultKind): boolean {
    const kinds = new Set([kind]);
    return this.#rules.some(({ fault }) => isAimed(fault, scope, target, kinds));
  }

  #first<Aimed extends Fault>(aimed: (fault: Fault) => fault is Aimed): Aimed | undefined {
    for (const rule of this.#rules) {
      const { fault } = rule;
      if (!aimed(fault)) continue;
      if (fault.probability !== undefined && this.random() >= fault.probability) continue;
      rule.left--;
      if (rule.left <= 0) this.#rules = this.#rules.filter((other) => other !== rule);
      return fault;
    }
    return undefined;
  }
}

function isAimed<Kind extends FaultKind>(
  fault: Fault,
  scope: FaultScope,
  target: FaultTarget,
  kinds: ReadonlySet<Kind>,
): fault is Fault<Kind> {
  const known: ReadonlySet<FaultKind> = kinds;
  return (
    fault.scope === scope &&
    known.has(fault.kind) &&
    (fault.method === undefined || target.methods.includes(fault.method)) &&
    (fault.keyId === undefined || target.keyIds.includes(fault.keyId))
  );
}

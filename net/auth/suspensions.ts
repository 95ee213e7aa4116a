// Keys that the service has suspended, until the stated time: no request is sent with them before, over any of the
// service's interfaces. Without a stated time, the next request tries. Stores no key, only names that do not reveal it.
import { createHmac, randomBytes } from 'node:crypto';
import type { ServiceError } from '../../core/service/errors';
import { originOf } from '../../core/service/profiles/origin';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import type { KeyWatch, NetClock, SendTarget } from '../api';
import type { AttachedKey } from '../api';
import { systemClock } from '../clock';
import { shownHost } from '../target/target';

/** A suspension, as main thread and worker send it to each other. */
export interface Suspension {
  /** Of the service's interfaces, as its endpoint names them. */
  readonly origins: readonly string[];
  /** A keyed hash of the key; who has not got the salt, which stays in this process, cannot even try a key on it. */
  readonly key: string;
  /** Milliseconds since the epoch; past: it is over. */
  readonly until: number;
}

/** More keys are in nobody's hands; the oldest is forgotten, and the service refuses it again. */
const MAX_KEPT = 100;
const SALT_BYTES = 32;
const URLS = ['rpcUrl', 'wsUrl', 'grpcUrl', 'restUrl'] as const satisfies readonly (keyof EndpointProfile)[];

export class Suspensions implements KeyWatch {
  /** Called with suspensions discovered here. */
  onChanged: (suspension: Suspension) => void = () => undefined;
  #list: readonly Suspension[] = [];

  /** Those who share suspensions share the salt. */
  constructor(
    private readonly clock: Pick<NetClock, 'unixMs'> = systemClock,
    readonly salt = randomBytes(SALT_BYTES).toString('base64'),
  ) {}

  /** Those that are not over. */
  get kept(): readonly Suspension[] {
    const now = this.clock.unixMs();
    return (this.#list = this.#list.filter(({ until }) => until > now));
  }

  /** Records a suspension discovered elsewhere. */
  learn(suspension: Suspension): void {
    this.#list = [...this.#list.filter((one) => !isSame(one, suspension)), suspension].slice(-MAX_KEPT);
  }

  note(target: SendTarget, [payer]: readonly AttachedKey[], error: ServiceError | undefined): void {
    if (payer === undefined || error?.kind !== 'suspended' || error.retryAfterMs === undefined) return;
    this.#publish(target, payer, this.clock.unixMs() + error.retryAfterMs);
  }

  /** The refusal of a request while its key is suspended there; a replacement key is not affected. */
  refusal({ origin, url }: SendTarget, [payer]: readonly AttachedKey[]): ServiceError | undefined {
    const { kept } = this;
    if (payer === undefined || kept.length === 0) return undefined;
    const key = this.#nameOf(payer);
    const found = kept.find((one) => one.key === key && one.origins.includes(origin));
    if (found === undefined) return undefined;
    const retryAfterMs = found.until - this.clock.unixMs();
    return {
      kind: 'suspended',
      retryAfterMs,
      message: `${shownHost(url)} has suspended the key for another ${Math.ceil(retryAfterMs / 1_000)} s; nothing was sent.`,
      hint: 'Wait until then, or use another key; bursts far above the plan lead to this.',
    };
  }

  /** For a key test, which asks the service: its answer is valid for all, including that the suspension is over. */
  testing(): KeyWatch {
    return {
      refusal: () => undefined,
      note: (target, attached, error) => {
        const [payer] = attached;
        const isTaken = error === undefined || error.kind === 'rpc';
        if (isTaken && payer !== undefined && this.#isKept(payer)) this.#publish(target, payer, 0);
        else this.note(target, attached, error);
      },
    };
  }

  #isKept(payer: AttachedKey): boolean {
    const { kept } = this;
    return kept.length > 0 && kept.some(({ key }) => key === this.#nameOf(payer));
  }

  #publish({ origin, profile }: SendTarget, payer: AttachedKey, until: number): void {
    const own = URLS.flatMap((name) => originOf(profile.profile[name] ?? '') ?? []);
    const suspension = { origins: [...new Set([origin, ...own])], key: this.#nameOf(payer), until };
    this.learn(suspension);
    this.onChanged(suspension);
  }

  #nameOf({ lease }: AttachedKey): string {
    return createHmac('sha256', this.salt).update(lease.secret.reveal()).digest('base64');
  }
}

const isSame = (one: Suspension, other: Suspension): boolean =>
  one.key === other.key && one.origins.some((origin) => other.origins.includes(origin));

// A stream that keeps its thread: opened again after a break, with what was missed told again where the service keeps it,
// and with exactly one subscription upstream. Says what happened; keeps no messages.
import type { ServiceError } from '../core/errors';
import type { PreparedRequest } from '../core/run/model';
import { newIdentity, type Identities } from '../core/streams/identities';
import type { Shape } from '../core/streams/shape';
import type { StreamState } from '../core/streams/state';
import { whenAborted } from './aborts';
import type { Net, NetClock, RawOptions, RawStream, Target } from './api';
import { backoff, judgeEnd, withFromSlot, type Replay } from './followRules';
import { systemClock } from './clock';

/** The connection was away. Slots where they are known; `to` comes with the first update after it. */
export interface Gap {
  readonly fromSlot: number | undefined;
  /** Whether the service tells what was missed. */
  readonly isFilled: boolean;
  readonly reason: string;
}

export interface FollowSink {
  /** A message, whose bytes are as those of `TakeMessage`; `slot` is NaN where it has none. */
  update(bytes: Buffer, start: number, end: number, slot: number): void;
  /** Of the second subscription. */
  beside?(bytes: Buffer, start: number, end: number): void;
  state(state: StreamState): void;
  gap(gap: Gap): void;
  /** The oldest slot after the gap that was last told. */
  gapEnds(slot: number): void;
  /** The identities of the updates from this slot on: what is told again of them is left out. */
  known(slot: number): Identities;
  /** Called when the stream stands; again after each break. What has to be read anew is read now. */
  opened?(again: { readonly sinceSlot: number } | undefined, signal: AbortSignal): Promise<void>;
}

export interface Following {
  readonly net: Pick<Net, 'openRaw'>;
  readonly target: Target;
  readonly request: PreparedRequest;
  readonly beside?: PreparedRequest;
  readonly shape: Pick<Shape, 'slot' | 'identity'>;
  readonly sink: FollowSink;
  /** Whether another key is stored than the one that was refused; asked now and then. Without it nobody waits for one. */
  readonly hasNewKey?: (signal: AbortSignal) => Promise<boolean>;
  readonly clock?: NetClock;
  /** 0 <= n < 1. */
  readonly random?: () => number;
}

/** What is told again is compared with what came before for this long, and up to so many updates. */
const JOINT_MS = 2_000;
const MAX_KNOWN = 200_000;
/** A slot's later statuses come when it is confirmed and finalized: a replay of slots goes further back. */
const SLOTS_BACK = 40;
/** Among so many first updates the newest slot is one that is going on. */
const START_UPDATES = 16;
/** How often a new key is looked for, in milliseconds. */
const KEY_POLL_MS = 10_000;

/** Whether the service can be asked to tell what was missed: only then updates may come twice. */
export const canReplay = ({ transport, method }: PreparedRequest): boolean =>
  transport === 'GRPC' && method.endsWith('/Subscribe');

export class Follow {
  /** Times the connection was made anew. */
  reconnects = 0;
  /** The newest slot that came; -1 before the first. */
  lastSlot = -1;
  /** Bytes of messages, those that were told again among them. */
  bytes = 0;
  private readonly clock: NetClock;
  private readonly random: () => number;
  private stopping = new AbortController();
  private turn = new AbortController();
  private stream: RawStream | undefined;
  private running: Promise<void> | undefined;
  private known: Identities | undefined;
  private readonly identity = newIdentity();
  private knownUntil = 0;
  /** The newest slot before the break; what is above it is new for sure. */
  private joint = -1;
  /** About where the stream began: nothing before it was missed. */
  private startSlot = -1;
  private startCount = 0;
  private isGapOpen = false;
  private isCatchingUp = false;
  private hasCome = false;
  private isPaused = false;

  constructor(private readonly following: Following) {
    this.clock = following.clock ?? systemClock;
    this.random = following.random ?? Math.random;
  }

  /** Opens it; nothing happens where it is open. A stream that ended goes on from its last slot. */
  start(): void {
    if (this.running !== undefined) return;
    this.stopping = new AbortController();
    this.running = this.run(this.stopping.signal)
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : 'failed';
        const told: ServiceError = { kind: 'protocol', message: `The stream broke off: ${message}.` };
        this.following.sink.state({ kind: 'ended', by: 'service', error: told });
      })
      .finally(() => (this.running = undefined));
  }

  /** Makes the connection anew at once, whatever it waits for: a new key, a machine that slept, a person. */
  again(): void {
    this.turn.abort();
    this.start();
  }

  /** Ends it; resolves once nothing comes any more. */
  async stop(error?: ServiceError): Promise<void> {
    if (this.running === undefined) return;
    this.stopping.abort();
    this.turn.abort();
    await this.running;
    this.following.sink.state({ kind: 'ended', by: 'user', ...(error === undefined ? {} : { error }) });
  }

  pause(): void {
    this.isPaused = true;
    this.stream?.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.stream?.resume();
  }

  /** Takes a message that was made here as if it had come: how things stand when the stream opens. */
  insert(bytes: Buffer): void {
    this.bytes -= bytes.length;
    this.take(bytes, 0, bytes.length);
  }

  private async run(stopped: AbortSignal): Promise<void> {
    const { sink, request } = this.following;
    let wasLive = this.lastSlot >= 0;
    let attempt = 0;
    let replay: Replay = { tries: 0, reason: 'The stream was opened again.' };
    sink.state({ kind: 'connecting' });
    while (!stopped.aborted) {
      this.turn = new AbortController();
      const { signal } = this.turn;
      const error = await this.once(signal, wasLive ? replay : undefined, () => {
        wasLive = true;
        replay = { tries: 0, reason: '' };
      });
      if (stopped.aborted) return;
      if (this.hasCome) attempt = 0;
      if (signal.aborted) {
        replay = { ...replay, reason: 'The connection was made anew.' };
        sink.state({ kind: 'connecting' });
        continue;
      }
      const next = judgeEnd(error, request, { wasLive, replay, waitsForKey: this.following.hasNewKey !== undefined });
      switch (next.kind) {
        case 'ended':
          sink.state({ kind: 'ended', by: 'service' });
          return;
        case 'refused':
          sink.state({ kind: 'refused', error: next.error });
          return;
        case 'replayLess':
          replay = next.replay;
          break;
        case 'keyRotated':
          replay = { tries: 0, reason: next.reason };
          sink.state({ kind: 'keyRotated' });
          await this.newKey(signal);
          break;
        case 'again': {
          replay = { tries: 0, reason: next.reason };
          const ms = next.afterMs ?? backoff(attempt++, this.random);
          if (next.isLagged) sink.state({ kind: 'lagged' });
          else sink.state({ kind: 'reconnecting', attempt, nextInMs: ms, error: next.error });
          await this.clock.sleep(ms, signal).catch(() => undefined);
        }
      }
    }
  }

  /** One connection from its opening to its end. */
  private async once(
    signal: AbortSignal,
    replay: Replay | undefined,
    onLive: () => void,
  ): Promise<ServiceError | undefined> {
    const { net, target, request, beside, sink } = this.following;
    const { lastSlot } = this;
    const from = replay === undefined || lastSlot < 0 ? undefined : this.replayFrom(replay.tries);
    this.joint = lastSlot;
    this.hasCome = false;
    this.known = from === undefined ? undefined : sink.known(from);
    this.knownUntil = this.clock.now() + JOINT_MS;
    this.isGapOpen = replay !== undefined;
    this.isCatchingUp = from !== undefined;
    let isTold = false;
    const opening = (): void => {
      // Before the first update of the connection, which may come before the opening is confirmed.
      if (isTold) return;
      isTold = true;
      if (replay !== undefined) {
        this.reconnects++;
        sink.gap({
          fromSlot: lastSlot < 0 ? undefined : lastSlot,
          isFilled: from !== undefined,
          reason: replay.reason,
        });
      }
      sink.state(from === undefined ? { kind: 'live' } : { kind: 'catchingUp', fromSlot: String(from) });
    };
    const take: RawOptions['take'] = (bytes, start, end) => {
      if (!isTold) opening();
      this.take(bytes, start, end);
    };
    const besideTake: RawOptions['take'] = (bytes, start, end) => sink.beside?.(bytes, start, end);
    const opened = await net.openRaw(target, from === undefined ? request : withFromSlot(request, from), {
      signal,
      take,
      ...(beside === undefined ? {} : { beside: { request: beside, take: besideTake } }),
    });
    if (!opened.ok) return opened.error;
    const stream = opened.value;
    this.stream = stream;
    const forget = whenAborted(signal, () => void stream.close());
    if (signal.aborted) void stream.close();
    if (this.isPaused) stream.pause();
    opening();
    onLive();
    const reading = sink.opened?.(replay === undefined ? undefined : { sinceSlot: lastSlot }, signal);
    await stream.ended;
    forget();
    this.stream = undefined;
    await reading?.catch(() => undefined);
    return stream.error;
  }

  private take(bytes: Buffer, start: number, end: number): void {
    const { shape, sink } = this.following;
    this.bytes += end - start;
    const slot = shape.slot(bytes, start, end);
    if (this.known !== undefined && this.isToldAgain(bytes, start, end, slot)) return;
    this.hasCome = true;
    if (this.startCount < START_UPDATES) {
      this.startCount++;
      if (slot > this.startSlot) this.startSlot = slot;
    }
    if (slot > this.lastSlot) this.lastSlot = slot;
    sink.update(bytes, start, end, slot);
    if (this.isGapOpen) {
      this.isGapOpen = false;
      if (slot >= 0) sink.gapEnds(slot);
    }
  }

  private isToldAgain(bytes: Buffer, start: number, end: number, slot: number): boolean {
    const { shape, sink } = this.following;
    const { known } = this;
    if (known === undefined) return false;
    if (slot > this.joint && this.isCatchingUp) {
      this.isCatchingUp = false;
      sink.state({ kind: 'live' });
    }
    const { identity } = this;
    shape.identity(bytes, start, end, identity);
    if (known.has(identity)) return true;
    if (known.size < MAX_KNOWN && this.clock.now() < this.knownUntil) known.add(identity);
    else if (!this.isCatchingUp) this.known = undefined;
    return false;
  }

  /** The slot a replay begins at; undefined where the service keeps nothing to replay. */
  private replayFrom(tries: number): number | undefined {
    const { lastSlot, startSlot, following } = this;
    if (!canReplay(following.request)) return undefined;
    const back = following.request.body.includes('"slots"') ? SLOTS_BACK : 1;
    return [Math.min(lastSlot, Math.max(startSlot, lastSlot - back)), lastSlot][tries];
  }

  private async newKey(signal: AbortSignal): Promise<void> {
    const { hasNewKey } = this.following;
    while (!signal.aborted && hasNewKey !== undefined) {
      if (await hasNewKey(signal).catch(() => false)) return;
      await this.clock.sleep(KEY_POLL_MS, signal).catch(() => undefined);
    }
  }
}

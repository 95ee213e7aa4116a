// A subscription that reconnects and replays what it missed, if the service keeps a history. One subscription upstream,
// briefly two while it moves to another key. Reports its state; keeps no messages.
import type { Result, ServiceError } from '../../core/errors';
import { whenAborted } from '../aborts';
import type { NetClock, RawStream } from '../api';
import { systemClock } from '../clock';
import { CANCELLED } from '../failures';
import type { Following, Moved } from './following';
import { backoff, isReplayRefused, judgeEnd, withFromSlot, type Replay } from './followRules';
import { Comparisons, ReplayDeduper } from './replayDeduper';

/** How long replayed updates are compared with earlier ones. ms */
const DEDUPE_MS = 2_000;
/** How long an old connection may take to drain messages sent before the new one was confirmed. ms */
const DRAIN_MS = 5_000;
/** A slot's later statuses arrive when it is confirmed and finalized, so a replay of slots starts further back. */
const SLOTS_BACK = 40;
/** Within this many first updates the newest slot is still in progress. */
const START_UPDATES = 16;
/** How often a new key is looked for, in milliseconds. */
const KEY_POLL_MS = 10_000;

export class Follow {
  /** How often it has reconnected. */
  reconnects = 0;
  /** The newest slot received; -1 before the first. */
  lastSlot = -1;
  /** While true, reading is paused: updates wait at the service. */
  isPaused = false;
  /** Bytes of messages, replayed ones included. */
  bytes = 0;
  readonly #clock: NetClock;
  readonly #random: () => number;
  #stopping = new AbortController();
  #turn = new AbortController();
  #stream: RawStream | undefined;
  /** Of the connection that the stream is on. */
  #comparisons = new Comparisons();
  #running: Promise<void> | undefined;
  #moving: Promise<unknown> | undefined;
  /** Roughly the stream's first slot: nothing before it was missed. */
  #startSlot = -1;
  #startCount = 0;
  #isGapOpen = false;
  #isCatchingUp = false;
  #hasCome = false;
  /** It was confirmed since somebody opened it: only then does a key that is refused or gone count as rotated. */
  #wasConfirmed = false;

  constructor(private readonly following: Following) {
    this.#clock = following.clock ?? systemClock;
    this.#random = following.random ?? Math.random;
  }

  /** Opens it, unless it is open. A stream that ended resumes from its last slot. */
  start(): void {
    if (this.#running !== undefined) return;
    this.#stopping = new AbortController();
    this.#wasConfirmed = false;
    this.#running = this.#run(this.#stopping.signal)
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : 'failed';
        const ended: ServiceError = { kind: 'protocol', message: `The stream broke off: ${message}.` };
        this.following.sink.state({ kind: 'ended', by: 'service', error: ended });
      })
      .finally(() => (this.#running = undefined));
  }

  /** Reconnects at once, without waiting further: after a new key, a resumed machine, a user's request. */
  again(): void {
    this.#turn.abort();
    this.start();
  }

  /** The next connection answers somebody who asked: without a key it is refused rather than waiting for one. */
  expectAnswer(): void {
    this.#wasConfirmed = false;
  }

  /**
   * Reconnects seamlessly: opens the new connection beside the old, with the currently stored key, and closes the old one
   * once no update can be missing. Every update is passed on once: over gRPC the new connection replays from the last
   * slot; over a WebSocket the old one stays until it has passed on everything that the service wrote before answering a
   * ping sent after the new one's confirmation. If `signal` aborts or the attempt fails, the old one stays.
   */
  async move(signal: AbortSignal): Promise<Moved> {
    const old = this.#stream;
    if (old === undefined || this.#moving !== undefined) {
      this.again();
      return { kind: 'reconnecting' };
    }
    const moving = this.#moveFrom(old, signal);
    this.#moving = moving;
    this.following.sink.connected?.(false);
    try {
      return await moving;
    } finally {
      this.#moving = undefined;
      this.following.sink.connected?.(true);
    }
  }

  /** Ends it; resolves after the last message. */
  async stop(error?: ServiceError): Promise<void> {
    if (this.#running === undefined) return;
    this.#stopping.abort();
    this.#turn.abort();
    await this.#running;
    this.following.sink.state({ kind: 'ended', by: 'user', ...(error === undefined ? {} : { error }) });
  }

  pause(): void {
    this.isPaused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.#stream?.resume();
  }

  /** Inserts a locally made message as if it had arrived: the current state when the stream opens. */
  insert(bytes: Buffer): void {
    this.bytes -= bytes.length;
    this.#take(bytes, 0, bytes.length, this.#comparisons.beside());
  }

  async #run(stopped: AbortSignal): Promise<void> {
    const { sink, request } = this.following;
    let wasLive = this.lastSlot >= 0;
    let attempt = 0;
    let replay: Replay = { tries: 0, reason: 'The stream was opened again.' };
    sink.state({ kind: 'connecting' });
    while (!stopped.aborted) {
      this.#turn = new AbortController();
      const { signal } = this.#turn;
      const error = await this.#once(signal, wasLive ? replay : undefined, () => {
        wasLive = true;
        this.#wasConfirmed = true;
        replay = { tries: 0, reason: '' };
      });
      if (stopped.aborted) return;
      if (this.#hasCome) attempt = 0;
      if (signal.aborted) {
        replay = { ...replay, reason: 'The connection was opened again.' };
        sink.state({ kind: 'connecting' });
        continue;
      }
      const next = judgeEnd(error, request, {
        wasLive,
        replay,
        waitsForKey: this.#wasConfirmed && this.following.hasNewKey !== undefined,
      });
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
          await this.#newKey(signal);
          break;
        case 'again': {
          replay = { tries: 0, reason: next.reason };
          const ms = next.afterMs ?? backoff(attempt++, this.#random);
          if (next.isLagged) sink.state({ kind: 'lagged' });
          else sink.state({ kind: 'reconnecting', attempt, nextInMs: ms, error: next.error });
          await this.#clock.sleep(ms, signal).catch(() => undefined);
        }
      }
    }
  }

  /** One connection from its opening to its end. */
  async #once(signal: AbortSignal, replay: Replay | undefined, onLive: () => void): Promise<ServiceError | undefined> {
    const { sink } = this.following;
    const { lastSlot } = this;
    const from = replay === undefined || lastSlot < 0 ? undefined : this.#replayFrom(replay.tries);
    this.#hasCome = false;
    const comparisons = new Comparisons();
    this.#comparisons = comparisons;
    if (from !== undefined) comparisons.with(this.#deduper(from)).until = this.#clock.now() + DEDUPE_MS;
    this.#isGapOpen = replay !== undefined;
    this.#isCatchingUp = from !== undefined;
    let isReported = false;
    const opening = (): void => {
      // Before the connection's first update, which may precede the confirmation.
      if (isReported) return;
      isReported = true;
      sink.connected?.(true);
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
    const opened = await this.#open({ from, comparisons, before: opening }, signal);
    if (!opened.ok) return opened.error;
    this.#stream = opened.value;
    const forget = whenAborted(signal, () => void this.#stream?.close());
    if (signal.aborted) void opened.value.close();
    if (this.isPaused) opened.value.pause();
    opening();
    onLive();
    const standing = new AbortController();
    if (this.#isCatchingUp) void this.#settle(standing.signal);
    const reading = sink.opened?.(replay === undefined ? undefined : { sinceSlot: lastSlot }, signal);
    const last = await this.#lastOf(opened.value);
    standing.abort();
    forget();
    this.#stream = undefined;
    await reading?.catch(() => undefined);
    return last.error;
  }

  /** The connection that ended last, once all have: each may be followed by the one the stream moved to. */
  async #lastOf(first: RawStream): Promise<RawStream> {
    for (let current = first; ; current = this.#stream) {
      await current.ended;
      await this.#moving?.catch(() => undefined);
      if (this.#stream === undefined || this.#stream === current) return current;
    }
  }

  #open({ from, comparisons, before }: Opening, signal: AbortSignal): Promise<Result<RawStream>> {
    const { net, target, request, beside, sink } = this.following;
    return net.openRaw(target, from === undefined ? request : withFromSlot(request, from), {
      signal,
      take: (bytes, start, end) => {
        before?.();
        this.#take(bytes, start, end, comparisons);
      },
      ...(beside !== undefined && {
        beside: { request: beside, take: (bytes, start, end) => sink.beside?.(bytes, start, end) },
      }),
    });
  }

  async #moveFrom(old: RawStream, signal: AbortSignal): Promise<Moved> {
    const { sink } = this.following;
    const turn = this.#turn.signal;
    const own = new AbortController();
    const forget = [signal, turn].map((each) => whenAborted(each, () => own.abort()));
    let isCut = false;
    void old.ended.then(() => (isCut = this.#stream === old));
    let isUnsure = false;
    const reportUnsure = (): void => {
      if (isUnsure) return;
      isUnsure = true;
      this.#isGapOpen = true;
      const fromSlot = this.lastSlot < 0 ? undefined : this.lastSlot;
      sink.gap({ fromSlot, isFilled: false, reason: CUT_WHILE_MOVED });
    };
    let from: number | undefined;
    let comparisons: Comparisons;
    let deduper: ReplayDeduper;
    let opened: Result<RawStream>;
    for (let tries = 0; ; tries++) {
      from = this.lastSlot < 0 ? undefined : this.#replayFrom(tries);
      comparisons = new Comparisons();
      deduper = comparisons.with(this.#comparisons.with(this.#deduper(from)));
      // The first update after a break follows its gap too.
      const before = from === undefined ? (): void => void (isCut && reportUnsure()) : undefined;
      opened = await this.#open({ from, comparisons, ...(before && { before }) }, own.signal);
      if (opened.ok || from === undefined || !isReplayRefused(opened.error)) break;
      deduper.until = this.#clock.now();
    }
    forget[0]?.();
    if (!opened.ok || own.signal.aborted) {
      forget[1]?.();
      if (opened.ok) await opened.value.close();
      deduper.until = this.#clock.now();
      return { kind: 'stayed', error: opened.ok ? CANCELLED : opened.error };
    }
    const fresh = opened.value;
    void fresh.ended.then(() => forget[1]?.());
    if (from === undefined && (isCut || !(await this.#drained(old, turn)))) reportUnsure();
    const sinceSlot = this.lastSlot;
    deduper.until = this.#clock.now() + DEDUPE_MS;
    deduper.slot = sinceSlot;
    this.reconnects++;
    this.#stream = fresh;
    this.#comparisons = comparisons;
    if (this.isPaused) fresh.pause();
    if (isUnsure) void sink.opened?.({ sinceSlot }, turn).catch(() => undefined);
    await old.close();
    return { kind: 'moved', isUnsure };
  }

  /** Whether all that the service had sent by now was handed on. */
  async #drained(old: RawStream, turn: AbortSignal): Promise<boolean> {
    const enough = new AbortController();
    const late = this.#clock.sleep(DRAIN_MS, AbortSignal.any([turn, enough.signal])).then(
      () => false,
      () => false,
    );
    const isDrained = await Promise.race([old.drained(), late]);
    enough.abort();
    return isDrained;
  }

  /** The deduper for updates from this slot on. */
  #deduper(from: number | undefined): ReplayDeduper {
    const { request, sink } = this.following;
    const known = from === undefined ? [] : sink.known(from);
    return new ReplayDeduper(known, request.transport === 'GRPC', this.lastSlot);
  }

  /** Also ends a replay without further updates, since no new slot would show its end. */
  async #settle(signal: AbortSignal): Promise<void> {
    for (let before = -1; this.#isCatchingUp && before !== this.bytes;) {
      before = this.bytes;
      await this.#clock.sleep(DEDUPE_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    this.#caughtUp();
  }

  #caughtUp(): void {
    if (!this.#isCatchingUp) return;
    this.#isCatchingUp = false;
    this.following.sink.state({ kind: 'live' });
  }

  #take(bytes: Buffer, start: number, end: number, comparisons: Comparisons): void {
    const { shape, sink } = this.following;
    this.bytes += end - start;
    const slot = shape.slot(bytes, start, end);
    if (!comparisons.isEmpty && this.#isRepeat(comparisons, shape.identity(bytes, start, end), slot)) return;
    this.#hasCome = true;
    if (this.#startCount < START_UPDATES) {
      this.#startCount++;
      if (slot > this.#startSlot) this.#startSlot = slot;
    }
    if (slot > this.lastSlot) this.lastSlot = slot;
    sink.update(bytes, start, end, slot);
    if (this.#isGapOpen) {
      this.#isGapOpen = false;
      if (slot >= 0) sink.gapEnds(slot);
    }
  }

  #isRepeat(comparisons: Comparisons, identity: string, slot: number): boolean {
    for (const { deduper, history } of comparisons) {
      if (slot > deduper.slot) this.#caughtUp();
      const remembers = this.#clock.now() < deduper.until;
      if (deduper.isRepeat(identity, history, remembers)) return true;
      // An update that names a slot not above the deduper's may still be followed by earlier ones.
      if (!remembers && !this.#isCatchingUp && !(slot <= deduper.slot)) comparisons.end(deduper);
    }
    return false;
  }

  /** The first slot of a replay; undefined if the service keeps no history. */
  #replayFrom(tries: number): number | undefined {
    const { lastSlot } = this;
    const startSlot = this.#startSlot;
    const { transport, method, body } = this.following.request;
    if (transport !== 'GRPC' || !method.endsWith('/Subscribe')) return undefined;
    const back = body.includes('"slots"') ? SLOTS_BACK : 1;
    return [Math.min(lastSlot, Math.max(startSlot, lastSlot - back)), lastSlot][tries];
  }

  async #newKey(signal: AbortSignal): Promise<void> {
    const { hasNewKey } = this.following;
    while (!signal.aborted && hasNewKey !== undefined) {
      if (await hasNewKey(signal).catch(() => false)) return;
      await this.#clock.sleep(KEY_POLL_MS, signal).catch(() => undefined);
    }
  }
}

interface Opening {
  /** The slot that a replay begins at. */
  readonly from: number | undefined;
  readonly comparisons: Comparisons;
  /** Called before each message. */
  readonly before?: () => void;
}

const CUT_WHILE_MOVED = 'The old connection broke before the new one was open.';

// A subscription that reconnects and replays what it missed, if the service keeps a history. One subscription upstream,
// briefly two while it moves to another key. Reports its state; keeps no messages.
import type { Result, ServiceError } from '../../core/service/errors';
import { whenAborted } from '../aborts';
import type { NetClock, RawStream } from '../api';
import { systemClock } from '../clock';
import { CANCELLED } from '../failures';
import type { FollowParts, Moved } from './following';
import { besideOf, connectionFrom, type Connection } from './connection';
import { backoff, isReplayRefused, judgeEnd, withFromSlot, type Replay } from './followRules';
import { ANOTHER_LEDGER, LedgerWatch } from './ledgerWatch';
import { BEHIND_SLOTS, Reached } from './reached';
import { ReplayDeduper, type Comparisons } from './replayDeduper';
import { drained, newKey } from './waits';

/** How long replayed updates are compared with earlier ones. ms */
const DEDUPE_MS = 2_000;

export class Follow {
  /** How often it has reconnected. */
  reconnects = 0;
  /** While true, reading is paused: updates wait at the service. */
  isPaused = false;
  /** Bytes of messages, replayed ones included. */
  bytes = 0;
  readonly #clock: NetClock;
  readonly #random: () => number;
  #stopping = new AbortController();
  #turn = new AbortController();
  #stream: RawStream | undefined;
  /** The connection that the stream is on. */
  #connection = connectionFrom(undefined);
  /** Undefined where nothing depends on it: there is neither a replay nor an account to read again. */
  readonly #ledger: LedgerWatch | undefined;
  #running: Promise<void> | undefined;
  #moving: Promise<unknown> | undefined;
  #reached = new Reached();
  #isGapOpen = false;
  #isCatchingUp = false;
  #hasCome = false;
  /** It was confirmed since somebody opened it: only then does a key that is refused or gone count as rotated. */
  #wasConfirmed = false;

  constructor(private readonly following: FollowParts) {
    this.#clock = following.clock ?? systemClock;
    this.#random = following.random ?? Math.random;
    const { net, target, request, sink } = following;
    if (request.transport === 'GRPC' || sink.opened !== undefined) this.#ledger = new LedgerWatch(net, target);
  }

  /** The newest slot received; -1 before the first. */
  get lastSlot(): number {
    return this.#reached.last;
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
   * Reconnects seamlessly: opens a second connection with the currently stored key, and closes the old one once no
   * update can be missing. Every update is passed on once: over gRPC the new connection replays from the last slot; over
   * a WebSocket the old one stays until it has passed on everything that the service wrote before answering a ping sent
   * after the new one's confirmation. If `signal` aborts or the attempt fails, the old one stays.
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
  insert(bytes: Uint8Array): void {
    this.bytes -= bytes.length;
    this.#take(bytes, 0, bytes.length, besideOf(this.#connection));
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
          await newKey(this.following, this.#clock, signal);
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
    const { sink, request } = this.following;
    const { lastSlot } = this;
    this.#hasCome = false;
    const ledger = replay === undefined ? undefined : await this.#ledger?.look(signal);
    if (ledger?.ok === false) return ledger.error;
    const isOther = ledger?.value === true;
    if (isOther) this.#beginAgain();
    const from = replay === undefined ? undefined : this.#reached.replayFrom(request, replay.tries);
    const connection = connectionFrom(from, ledger?.value === false);
    this.#connection = connection;
    if (from !== undefined) connection.comparisons.with(this.#deduper(from)).until = this.#clock.now() + DEDUPE_MS;
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
          isReplayAsked: from !== undefined,
          reason: isOther ? ANOTHER_LEDGER : replay.reason,
        });
      }
      sink.state(from === undefined ? { kind: 'live' } : { kind: 'catchingUp', fromSlot: String(from) });
    };
    const opened = await this.#open(connection, signal, opening);
    if (!opened.ok) return opened.error;
    this.#stream = opened.value;
    const forget = whenAborted(signal, () => void this.#stream?.close());
    if (signal.aborted) void opened.value.close();
    if (this.isPaused) opened.value.pause();
    opening();
    onLive();
    const standing = new AbortController();
    if (this.#isCatchingUp) void this.#settle(standing.signal, connection);
    if (ledger?.value === undefined) void this.#lookAgain(connection, signal);
    const isNew = replay === undefined || isOther;
    const reading = sink.opened?.(isNew ? undefined : { sinceSlot: lastSlot }, signal);
    const last = await this.#lastOf(opened.value);
    standing.abort();
    forget();
    this.#stream = undefined;
    await reading?.catch(() => undefined);
    return last.error;
  }

  /** Which ledger it is could not be asked before the connection: of a new stream, or of a service that starts. */
  async #lookAgain(connection: Connection, signal: AbortSignal): Promise<void> {
    const seen = await this.#ledger?.look(signal);
    if (seen?.ok === true && seen.value === true && this.#connection === connection) this.#beginAgain(connection);
  }

  /** The endpoint serves another ledger. Without a connection, the next one is the first on it. */
  #beginAgain(connection?: Connection): void {
    const { sink } = this.following;
    this.#reached = new Reached();
    sink.beganAgain();
    if (connection === undefined) return;
    connection.comparisons.clear();
    sink.gapIs({ isFilled: false, reason: ANOTHER_LEDGER });
    this.#caughtUp();
    void sink.opened?.(undefined, this.#turn.signal).catch(() => undefined);
  }

  /** The connection that ended last, once all have: each may be followed by the one the stream moved to. */
  async #lastOf(first: RawStream): Promise<RawStream> {
    for (let current = first; ; current = this.#stream) {
      await current.ended;
      await this.#moving?.catch(() => undefined);
      if (this.#stream === undefined || this.#stream === current) return current;
    }
  }

  /** `before` is called before each message. */
  #open(connection: Connection, signal: AbortSignal, before?: () => void): Promise<Result<RawStream>> {
    const { net, target, request, beside, sink } = this.following;
    const { from } = connection;
    return net.openRaw(target, from === undefined ? request : withFromSlot(request, from), {
      signal,
      take: (bytes, start, end) => {
        before?.();
        this.#take(bytes, start, end, connection);
      },
      ...(beside !== undefined && {
        beside: { request: beside, take: (bytes, start, end) => sink.beside?.(bytes, start, end) },
      }),
    });
  }

  async #moveFrom(old: RawStream, signal: AbortSignal): Promise<Moved> {
    const { sink, request } = this.following;
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
      sink.gap({ fromSlot, isReplayAsked: false, reason: CUT_WHILE_MOVED });
    };
    let from: number | undefined;
    let connection: Connection;
    let deduper: ReplayDeduper;
    let opened: Result<RawStream>;
    for (let tries = 0; ; tries++) {
      from = this.#reached.replayFrom(request, tries);
      connection = connectionFrom(from);
      deduper = connection.comparisons.with(this.#connection.comparisons.with(this.#deduper(from)));
      // The first update after a break follows its gap too.
      const before = from === undefined ? (): void => void (isCut && reportUnsure()) : undefined;
      opened = await this.#open(connection, own.signal, before);
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
    if (from === undefined && (isCut || !(await drained(old, this.#clock, turn)))) reportUnsure();
    const sinceSlot = this.lastSlot;
    deduper.until = this.#clock.now() + DEDUPE_MS;
    deduper.slot = sinceSlot;
    this.reconnects++;
    this.#stream = fresh;
    this.#connection = connection;
    if (this.isPaused) fresh.pause();
    if (isUnsure) void sink.opened?.({ sinceSlot }, turn).catch(() => undefined);
    await old.close();
    return { kind: 'moved', isUnsure };
  }

  /** The deduper for updates from this slot on. */
  #deduper(from: number | undefined): ReplayDeduper {
    const { request, sink } = this.following;
    const known = from === undefined ? [] : sink.known(from - BEHIND_SLOTS);
    return new ReplayDeduper(known, request.transport === 'GRPC', this.lastSlot);
  }

  /** Also ends a replay without further updates, since no new slot would show its end. */
  async #settle(signal: AbortSignal, connection: Connection): Promise<void> {
    for (let before = -1; this.#isCatchingUp && before !== this.bytes;) {
      before = this.bytes;
      await this.#clock.sleep(DEDUPE_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    if (connection.isFresh) this.#judgeReplay(connection, NaN);
    this.#caughtUp();
  }

  #caughtUp(): void {
    if (!this.#isCatchingUp) return;
    this.#isCatchingUp = false;
    this.following.sink.state({ kind: 'live' });
  }

  /** `slot`: of the first message that the connection brought. */
  #begin(connection: Connection, slot: number): void {
    connection.isFresh = false;
    const { from, isSameLedger } = connection;
    if (!isSameLedger && this.#reached.isOther(from, slot)) this.#beginAgain(connection);
    else this.#judgeReplay(connection, slot);
  }

  #judgeReplay({ from }: Connection, slot: number): void {
    if (this.#isGapOpen && this.#reached.isReplayed(from, slot)) this.following.sink.gapIs({ isFilled: true });
  }

  #take(bytes: Uint8Array, start: number, end: number, connection: Connection): void {
    const { shape, sink } = this.following;
    const { comparisons } = connection;
    this.bytes += end - start;
    const slot = shape.slot(bytes, start, end);
    if (connection.isFresh && slot >= 0) this.#begin(connection, slot);
    if (!comparisons.isEmpty && this.#isRepeat(comparisons, shape.identity(bytes, start, end), slot)) return;
    this.#hasCome = true;
    this.#reached.take(slot, connection.isInserted);
    if (this.#isGapOpen) {
      this.#isGapOpen = false;
      if (slot >= 0) sink.gapIs({ toSlot: slot });
    }
    sink.update(bytes, start, end, slot);
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
}

const CUT_WHILE_MOVED = 'The old connection broke before the new one was open.';

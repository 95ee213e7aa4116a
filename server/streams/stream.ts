// One stream in the worker: its connection, ring, filter and ticks. Decodes a message only when it is shown.
import { Banks } from '../../core/service/streams/banks';
import { readFilter } from '../../core/service/streams/filter';
import { gapJson } from '../../core/service/streams/gap';
import { Rate } from '../../core/service/streams/rate';
import { cellsOf, joinedCells, type Shape } from '../../core/service/streams/shape';
import { Settling } from '../../core/service/streams/settling';
import { decodedShape, shapeOf, Transactions } from '../../core/service/streams/shapes';
import { Standstill } from '../../core/service/streams/standstill';
import type { ServiceError } from '../../core/service/errors';
import type { Net, NetClock, Target } from '../../net/api';
import { Follow } from '../../net/streams/follow';
import type { FollowSink, Gap } from '../../net/streams/following';
import type * as protocol from '../../protocol/streams';
import type { ProtoJson } from '../../proto/json';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import type { Programs } from '../../core/solana/decode/decoded';
import { accountRequests, NODE_IS_BEHIND } from '../../net/streams/account';
import { compactText, detailOf, type Detailed } from './detail';
import { Export, exportObstacle } from './export';
import { FilterIndex } from './filterIndex';
import { Lag } from './lag';
import type { PlannedExport, StreamPlan } from './messages';
import { moveTo } from './move';
import { readNow } from './readNow';
import { Repeatable } from './repeatable';
import { Ring, type GapRow, type RingLimits } from './ring';
import { cleanCells } from './shown';
import type { SlotTips } from './slotTips';

/** Most rows of one answer. */
const MAX_ROWS = 500;

export interface StreamWorld {
  readonly net: Pick<Net, 'openRaw' | 'call'>;
  readonly clock: NetClock;
  readonly random?: () => number;
  readonly tips: SlotTips;
  readonly limits?: RingLimits;
  /** Called with every state, including those that no tick shows. */
  readonly onState?: (state: protocol.StreamState) => void;
  readonly grpc: {
    textOfUpdate(path: string, bytes: Uint8Array): string | undefined;
    bytesOfUpdate(path: string, json: ProtoJson): Uint8Array;
  };
  /** The programs known at an endpoint. */
  readonly programs: (profile: EndpointProfile | undefined) => Programs;
  /** Removes every key that the worker has seen. */
  readonly redact: (text: string) => string;
  readonly target: (plan: StreamPlan) => Target | ServiceError;
  readonly hasNewKey: (plan: StreamPlan, signal: AbortSignal) => Promise<boolean>;
}

export class KeptStream {
  readonly ring: Ring;
  readonly shape: Shape;
  readonly #banks: Banks;
  readonly #lag: Lag;
  readonly #standstill: Standstill;
  readonly #settling: Settling;
  state: protocol.StreamState = { kind: 'connecting' };
  #total = 0;
  /** The end of the rows that were shown, and how many changed since. */
  #seen = 0;
  #changed = 0;
  readonly #follow: Follow | undefined;
  readonly #transactions = new Transactions();
  #index: FilterIndex | undefined;
  #exporting: Export | undefined;
  readonly #repeatable: Repeatable;
  #gap: GapRow | undefined;
  /** Sampled with each tick. */
  readonly #rate = new Rate();
  #shown = '';
  #untilTimer: AbortController | undefined;
  /** The old key expired before the new one was stored: updates may be missing. Reset once a move has reported it. */
  isUnsure = false;
  #isKeyAwaited = false;

  constructor(
    readonly plan: StreamPlan,
    private readonly world: StreamWorld,
  ) {
    const { request, account, placed, info } = plan;
    const beside = account === undefined || placed === undefined ? undefined : accountRequests(account, placed).beside;
    this.#banks = new Banks(shapeOf(request));
    this.shape = decodedShape({
      request,
      banks: this.#banks,
      programs: () => this.#programs,
      ...(account !== undefined && { watched: account }),
      ...(beside !== undefined && { beside: this.#transactions }),
    });
    this.#lag = new Lag(world.tips, info.endpoint || (request.url ?? ''), info.id, this.shape.isSteady);
    this.#standstill = new Standstill(this.shape.isSteady);
    this.#settling = new Settling(this.shape);
    this.ring = new Ring(world.limits, (number) => this.#evict(number));
    this.#repeatable = new Repeatable(this.ring, this.shape);
    this.ring.now = world.clock.unixMs();
    const target = world.target(plan);
    if ('message' in target) {
      this.state = { kind: 'refused', error: target };
      return;
    }
    this.#follow = new Follow({
      net: world.net,
      target,
      request,
      shape: this.shape,
      sink: this.#sink(),
      clock: world.clock,
      ...(beside === undefined ? {} : { beside }),
      ...(world.random === undefined ? {} : { random: world.random }),
      ...(info.key === undefined ? {} : { hasNewKey: (signal: AbortSignal) => world.hasNewKey(plan, signal) }),
    });
  }

  get id(): string {
    return this.plan.info.id;
  }

  start(): void {
    this.#follow?.start();
    const ms = this.plan.until?.ms;
    if (ms === undefined || this.#follow === undefined) return;
    this.#untilTimer?.abort();
    this.#untilTimer = new AbortController();
    this.world.clock.sleep(ms, this.#untilTimer.signal).then(
      () => this.#reachedUntil(),
      () => undefined,
    );
  }

  /** Reconnects, or reopens the stream. */
  again(): void {
    if (this.#untilTimer === undefined || this.isOver) this.start();
    this.#follow?.again();
  }

  /** The same at the user's request: fails at once on a missing or refused key instead of waiting for another one. */
  reopen(): void {
    this.#follow?.expectAnswer();
    this.again();
  }

  /** Connects with the currently stored key, while the old connection, if any, is still open. */
  async move(signal: AbortSignal): Promise<protocol.MovedStream> {
    const moved = await moveTo(this, this.#follow, signal);
    this.isUnsure = false;
    return moved;
  }

  get isOver(): boolean {
    const { kind } = this.state;
    return kind === 'ended' || kind === 'refused';
  }

  async stop(error?: ServiceError): Promise<void> {
    this.#untilTimer?.abort();
    this.#lag.end();
    await this.#follow?.stop(error);
    await this.#exporting?.finish();
  }

  /** Resolves when the stream is open or has ended. */
  async settled(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.state.kind !== 'live' && this.state.kind !== 'catchingUp' && !this.isOver)
      await this.world.clock.sleep(SETTLE_MS, signal).catch(() => undefined);
  }

  /** A tick if anything changed since the last one, else undefined. Called ten times a second. */
  changed(): protocol.StreamTick | undefined {
    this.ring.now = this.world.clock.unixMs();
    this.#rate.look(this.world.clock.now(), this.#total);
    this.ring.release();
    this.#lookForLag();
    this.#lookForStandstill();
    const tick = this.tick();
    const text = JSON.stringify(tick);
    if (text === this.#shown) return undefined;
    this.#shown = text;
    return tick;
  }

  tick(): protocol.StreamTick {
    const { ring } = this;
    const follow = this.#follow;
    const lastSlot = follow?.lastSlot ?? -1;
    const { slots: lag } = this.#lag;
    const { seconds: still, notFinal } = this.#standstill;
    return {
      id: this.id,
      state: this.state,
      total: this.#total,
      first: ring.first,
      next: ring.next,
      dropped: ring.dropped,
      bytes: follow?.bytes ?? 0,
      rate: this.#rate.perSecond,
      ...(lastSlot < 0 ? {} : { slot: String(lastSlot) }),
      ...(lag === undefined ? {} : { lag }),
      ...(still === undefined ? {} : { still }),
      ...(notFinal === undefined ? {} : { notFinal }),
      ...(this.#changed === 0 ? {} : { changed: this.#changed }),
      ...(this.#banks.count === 0 ? {} : { abandoned: this.#banks.count }),
      reconnects: follow?.reconnects ?? 0,
      ...(this.#exporting === undefined ? {} : { export: this.#exporting.state }),
    };
  }

  #lookForLag(): void {
    const { ring, shape } = this;
    const follow = this.#follow;
    if (follow === undefined || this.isOver) return;
    const newest = ring.next - 1;
    const sentAt = (): number =>
      ring.holds(newest) && ring.gap(newest) === undefined ? ring.read(newest, shape.sentAt) : NaN;
    const isLive = this.state.kind === 'live';
    this.#lag.look({ now: ring.now, slot: follow.lastSlot, rows: ring.next, isLive, sentAt });
  }

  #lookForStandstill(): void {
    const isFlowing = this.state.kind === 'live' && this.#follow?.isPaused === false;
    const { final } = this.#settling;
    this.#standstill.look({ now: this.world.clock.now(), slot: this.#follow?.lastSlot ?? -1, final, isFlowing });
  }

  rows({ from, count, filter }: protocol.StreamRowsParams): protocol.StreamRowsResult {
    const bad = this.#setFilter(filter);
    if (bad !== undefined) return bad;
    this.#seen = this.ring.next;
    const most = Math.min(MAX_ROWS, Math.max(0, Math.floor(count)));
    const index = this.#index;
    if (index !== undefined) {
      const start = Math.max(0, Math.floor(from));
      const rows = index.slice(start, most).map((number) => this.#row(number));
      return { kind: 'rows', from: start, rows, first: 0, next: index.size };
    }
    const { ring } = this;
    const start = Math.max(ring.first, Math.floor(from));
    const rows: protocol.StreamRow[] = [];
    for (let number = start; number < Math.min(start + most, ring.next); number++) rows.push(this.#row(number));
    return { kind: 'rows', from: start, rows, first: ring.first, next: ring.next };
  }

  /** One row in full, decoded. */
  detail(params: Omit<protocol.StreamRowParams, 'id'>): protocol.StreamRowResult {
    return detailOf(this.#detailed, params);
  }

  /** Writes rows into a file; the ticks report its progress. */
  export(params: PlannedExport): protocol.StreamResult {
    const filter = readFilter(params.filter, this.shape);
    if (filter.kind === 'bad') return { kind: 'refused', error: { kind: 'invalidRequest', message: filter.message } };
    const obstacle = exportObstacle(params, this.#exporting);
    if (obstacle !== undefined) return { kind: 'refused', error: { kind: 'invalidRequest', message: obstacle } };
    this.#exporting = new Export(params, filter.kind === 'filter' ? filter.passes : undefined, {
      ring: this.ring,
      columns: this.shape.columns,
      cells: (number, isSecond) => this.#cellsOf(number, isSecond),
      text: (number, isSecond) => compactText(this.#detailed, number, isSecond),
      gap: (gap) => JSON.stringify({ gap: gapJson(gap) }),
      isAbandoned: (number) => this.ring.read(number, this.#banks.holdsAbandoned),
      pause: () => this.#follow?.pause(),
      resume: () => this.#follow?.resume(),
    });
    return { kind: 'done' };
  }

  stopExport(): void {
    void this.#exporting?.finish();
  }

  #setFilter(text: string): Extract<protocol.StreamRowsResult, { kind: 'badFilter' }> | undefined {
    if (this.#index?.text === text) return undefined;
    const filter = readFilter(text, this.shape);
    if (filter.kind === 'bad')
      return { kind: 'badFilter', message: filter.message, start: filter.start, end: filter.end };
    this.#index = filter.kind === 'all' ? undefined : new FilterIndex(text, filter.passes, this.ring);
    return undefined;
  }

  #row(number: number): protocol.StreamRow {
    const { ring } = this;
    const time = ring.time(number);
    const gap = ring.gap(number);
    if (gap !== undefined) return { kind: 'gap', number, time, ...gapJson(gap) };
    const row = { kind: 'update', number, time, bytes: ring.size(number), cells: this.#cells(number) } as const;
    return ring.read(number, this.#banks.holdsAbandoned) ? { ...row, isAbandoned: true } : row;
  }

  #cells(number: number): readonly string[] {
    const first = this.#cellsOf(number, false);
    return this.ring.isTwofold(number) ? joinedCells(this.shape, first, this.#cellsOf(number, true)) : first;
  }

  #cellsOf(number: number, isSecond: boolean): readonly string[] {
    const { ring } = this;
    const reader = (bytes: Buffer, start: number, end: number) => cellsOf(this.shape, bytes, start, end);
    return cleanCells((isSecond ? ring.also(number, reader) : ring.read(number, reader)) ?? [], this.world.redact);
  }

  get #detailed(): Detailed {
    const { ring, shape, plan, world } = this;
    const { first: firstOfLedger } = this.#repeatable;
    return { ring, shape, plan, firstOfLedger, programs: this.#programs, grpc: world.grpc, redact: world.redact };
  }

  get #programs(): Programs {
    return this.world.programs(this.plan.placed?.profile);
  }

  #sink(): FollowSink {
    return {
      update: (bytes, start, end, slot) => this.take(bytes, start, end, slot),
      beside: (bytes, start, end) => this.#transactions.take(bytes, start, end),
      connected: (isAlone) => this.#banks.connected(isAlone),
      state: (state) => {
        // A stream that `@until` ended keeps that state when its connection closes.
        if (this.state.kind === 'ended' && this.state.by === 'until' && state.kind === 'ended') return;
        this.#isKeyAwaited ||= state.kind === 'keyRotated';
        this.state = state;
        this.world.onState?.(state);
      },
      gap: (gap) => this.#addGap(gap),
      gapIs: (end) => {
        if (this.#gap !== undefined) Object.assign(this.#gap, end);
      },
      beganAgain: () => this.#beginAgain(),
      known: (slot) => this.#repeatable.since(slot),
      ...(this.plan.account === undefined
        ? {}
        : {
            opened: async (again: { readonly sinceSlot: number } | undefined, signal: AbortSignal) => {
              const sinceSlot = again?.sinceSlot;
              if (!(await readNow(this.plan, this.world, { follow: this.#follow, sinceSlot }, signal)))
                this.#addGap({ fromSlot: sinceSlot, isReplayAsked: false, reason: NODE_IS_BEHIND });
            },
          }),
    };
  }

  /** Keeps an update. */
  take(bytes: Buffer, start: number, end: number, slot: number): void {
    // The same chunk may contain more updates than `@until` wants.
    if (this.state.kind === 'ended') return;
    const { ring } = this;
    const isSecond = this.#settling.take(bytes, start, end);
    const number = isSecond ? ring.join(bytes, start, end, slot) : ring.add(bytes, start, end, slot);
    if (isSecond && number < this.#seen) this.#changed++;
    this.#total++;
    this.#index?.add(number);
    if (this.#exporting !== undefined) this.#exporting.add(number);
    for (const bank of this.#banks.take(bytes, start, end)) {
      // Kept rows read differently now: filter them again.
      this.#index = undefined;
      this.#exporting?.abandoned(bank);
    }
    if (this.plan.until?.messages !== undefined && this.#total >= this.plan.until.messages) this.#reachedUntil();
  }

  #beginAgain(): void {
    this.#repeatable.beginAgain();
    this.#banks.clear();
    this.#transactions.clear();
  }

  #addGap({ fromSlot, isReplayAsked, reason }: Gap): void {
    this.#gap = { fromSlot, toSlot: undefined, isFilled: false, reason };
    this.isUnsure ||= this.#isKeyAwaited && !isReplayAsked;
    this.#isKeyAwaited = false;
    this.ring.now = this.world.clock.unixMs();
    const number = this.ring.addGap(this.#gap);
    this.#index?.add(number);
    this.#exporting?.add(number);
  }

  #reachedUntil(): void {
    if (this.isOver) return;
    this.state = { kind: 'ended', by: 'until' };
    void this.stop();
  }

  /** Whether the service replays what was missed while disconnected. */
  get #isReplayed(): boolean {
    return this.plan.request.transport === 'GRPC';
  }

  #evict(number: number): void {
    const follow = this.#follow;
    if (follow !== undefined && this.#isReplayed) this.#repeatable.evict(number, follow.lastSlot);
  }
}

const SETTLE_MS = 20;

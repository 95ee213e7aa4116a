// One stream in the worker as a panel shows it: ticks, filter, rows and exports of what its engine keeps. Decodes a message
// only when it is shown.
import { harmless } from '../../core/service/redaction/redact';
import { Banks, type Abandoned } from '../../core/service/streams/banks';
import { readFilter } from '../../core/service/streams/filter';
import { gapJson } from '../../core/service/streams/gap';
import { cellsOf, joinedCells, type Shape } from '../../core/service/streams/shape';
import type { StreamSink } from '../../core/service/streams/sink';
import { decodedShape, shapeOf, Transactions } from '../../core/service/streams/shapes';
import type { PreparedRequest } from '../../core/requests/run/model';
import { invalidRequest, type ServiceError } from '../../core/service/errors';
import type { Net, NetClock, SendTarget } from '../../net/api';
import { Follow } from '../../net/streams/follow';
import type * as protocol from '../../protocol/streams';
import type { ProtoJson } from '../../proto/json';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import type { Programs } from '../../core/solana/decode/decoded';
import { accountRequests, readAccount } from '../../net/streams/account';
import { compactText, detailOf, type Detailed } from './detail';
import { Export, exportObstacle } from './export';
import { FilterIndex } from './filterIndex';
import type { PlannedExport, StreamPlan } from './messages';
import { StreamEngine, type StreamView } from '../../runner/streams/engine';
import type { RingLimits } from '../../runner/streams/bounds';
import type { Ring } from '../../runner/streams/ring';
import type { SlotTips } from '../../runner/streams/slotTips';

/** Most rows of one answer. */
const MAX_ROWS = 500;

/** A cell is a line. UTF-16 units */
const MAX_CELL = 200;
const BETWEEN = '\0';

/** How long a stream may take to open with the new key, in milliseconds. */
export const MOVE_MS = 15_000;

const LATE: ServiceError = {
  kind: 'timeout',
  afterMs: MOVE_MS,
  message: 'The stream did not open in time.',
  hint: 'It is tried further by itself.',
};

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
  readonly target: (plan: StreamPlan) => SendTarget | ServiceError;
  readonly hasNewKey: (plan: StreamPlan, signal: AbortSignal) => Promise<boolean>;
}

export class KeptStream implements StreamView {
  readonly shape: Shape;
  readonly engine: StreamEngine<Follow>;
  readonly #banks: Banks;
  /** The end of the rows that were shown, and how many changed since. */
  #seen = 0;
  #changed = 0;
  readonly #transactions = new Transactions();
  #index: FilterIndex | undefined;
  #exporting: Export | undefined;
  #shown = '';
  #untilTimer: AbortController | undefined;

  constructor(
    readonly plan: StreamPlan,
    private readonly world: StreamWorld,
  ) {
    const { request, account, placed, info, until } = plan;
    const { net, clock, grpc } = world;
    const watched = account === undefined || placed === undefined ? undefined : { address: account, placed };
    const beside = watched === undefined ? undefined : accountRequests(watched.address, watched.placed).beside;
    this.#banks = new Banks(shapeOf(request));
    this.shape = decodedShape({
      request,
      banks: this.#banks,
      programs: () => this.#programs,
      ...(account !== undefined && { watched: account }),
      ...(beside !== undefined && { beside: this.#transactions }),
    });
    const toUpdate = (path: string, json: ProtoJson): Uint8Array => grpc.bytesOfUpdate(path, json);
    const reading = watched && { ...watched, net, clock, request, toUpdate };
    this.engine = new StreamEngine({
      shape: this.shape,
      banks: this.#banks,
      clock,
      tips: world.tips,
      endpoint: info.endpoint || (request.url ?? ''),
      id: info.id,
      limits: world.limits,
      most: until?.messages,
      isReplayed: request.transport === 'GRPC',
      beside: (bytes, start, end) => this.#transactions.take(bytes, start, end),
      now: reading && ((sinceSlot, signal) => readAccount(reading, sinceSlot, signal)),
      view: this,
      connect: (sink) => this.#connect(sink, beside),
    });
  }

  #connect(sink: StreamSink<AbortSignal>, beside: PreparedRequest | undefined): Follow | ServiceError {
    const { plan, world, shape } = this;
    const target = world.target(plan);
    if ('message' in target) return target;
    return new Follow({
      net: world.net,
      target,
      request: plan.request,
      shape,
      sink,
      clock: world.clock,
      ...(beside !== undefined && { beside }),
      ...(world.random !== undefined && { random: world.random }),
      ...(plan.info.key !== undefined && { hasNewKey: (signal) => world.hasNewKey(plan, signal) }),
    });
  }

  get id(): string {
    return this.plan.info.id;
  }

  get ring(): Ring {
    return this.engine.ring;
  }

  get state(): protocol.StreamState {
    return this.engine.state;
  }

  get isOver(): boolean {
    return this.engine.isOver;
  }

  get #follow(): Follow | undefined {
    return this.engine.connection;
  }

  start(): void {
    this.#follow?.start();
    const ms = this.plan.until?.ms;
    if (ms === undefined || this.#follow === undefined) return;
    this.#untilTimer?.abort();
    this.#untilTimer = new AbortController();
    this.world.clock.sleep(ms, this.#untilTimer.signal).then(
      () => this.engine.finish(),
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
    const moved = await this.#move(signal);
    // It has been reported.
    this.engine.isUnsure = false;
    return moved;
  }

  async #move(signal: AbortSignal): Promise<protocol.MovedStream> {
    const { engine } = this;
    const wasUnsure = engine.isUnsure;
    const moved = await this.#follow?.move(signal);
    if (moved?.kind === 'stayed') return { kind: 'stayed', error: signal.aborted ? LATE : moved.error };
    if (moved?.kind === 'moved') return { kind: 'moved', isUnsure: wasUnsure || moved.isUnsure };
    if (moved !== undefined) {
      if (this.isOver) this.start();
      await engine.settled(signal);
    }
    const { state, isUnsure } = engine;
    if (state.kind === 'live' || state.kind === 'catchingUp') return { kind: 'moved', isUnsure };
    return { kind: 'failed', error: ('error' in state ? state.error : undefined) ?? LATE };
  }

  async stop(error?: ServiceError): Promise<void> {
    this.#untilTimer?.abort();
    await this.engine.stop(error);
    await this.#exporting?.finish();
  }

  /** A tick if anything changed since the last one, else undefined. Called ten times a second. */
  changed(): protocol.StreamTick | undefined {
    this.engine.look();
    const tick = this.tick();
    const text = JSON.stringify(tick);
    if (text === this.#shown) return undefined;
    this.#shown = text;
    return tick;
  }

  tick(): protocol.StreamTick {
    const { ring, state, total, rate, slot, lag, standstill, connection } = this.engine;
    const { seconds: still, notFinal } = standstill;
    return {
      id: this.id,
      state,
      total,
      first: ring.first,
      next: ring.next,
      dropped: ring.dropped,
      bytes: connection?.bytes ?? 0,
      rate: rate.perSecond,
      ...(slot < 0 ? {} : { slot: String(slot) }),
      ...(lag.slots === undefined ? {} : { lag: lag.slots }),
      ...(still === undefined ? {} : { still }),
      ...(notFinal === undefined ? {} : { notFinal }),
      ...(this.#changed === 0 ? {} : { changed: this.#changed }),
      ...(this.#banks.count === 0 ? {} : { abandoned: this.#banks.count }),
      reconnects: connection?.reconnects ?? 0,
      ...(this.#exporting === undefined ? {} : { export: this.#exporting.state }),
    };
  }

  onRow(number: number, isSecond: boolean): void {
    if (isSecond && number < this.#seen) this.#changed++;
    this.#index?.add(number);
    this.#exporting?.add(number);
  }

  onAbandoned(bank: Abandoned): void {
    // Kept rows read differently now: filter them again.
    this.#index = undefined;
    this.#exporting?.abandoned(bank);
  }

  onState(state: protocol.StreamState): void {
    this.world.onState?.(state);
  }

  onBeganAgain(): void {
    this.#transactions.clear();
  }

  onEnough(): void {
    void this.stop();
  }

  rows({ from, count, filter }: protocol.StreamRowsParams): protocol.StreamRowsResult {
    const bad = this.#setFilter(filter);
    if (bad !== undefined) return bad;
    this.#seen = this.ring.next;
    const most = Math.min(MAX_ROWS, Math.max(0, Math.floor(count)));
    const index = this.#index;
    if (index !== undefined) {
      const start = Math.max(0, Math.floor(from));
      const rows = index.slice(start, most).map((number) => this.#rowOf(number));
      return { kind: 'rows', from: start, rows, first: 0, next: index.size };
    }
    const { ring } = this;
    const start = Math.max(ring.first, Math.floor(from));
    const rows: protocol.StreamRow[] = [];
    for (let number = start; number < Math.min(start + most, ring.next); number++) rows.push(this.#rowOf(number));
    return { kind: 'rows', from: start, rows, first: ring.first, next: ring.next };
  }

  /** One row in full, decoded. */
  detail(params: Omit<protocol.StreamRowParams, 'id'>): protocol.StreamRowResult {
    return detailOf(this.#detailed, params);
  }

  /** Writes rows into a file; the ticks report its progress. */
  export(params: PlannedExport): protocol.StreamResult {
    const filter = readFilter(params.filter, this.shape);
    if (filter.kind === 'bad') return { kind: 'refused', error: invalidRequest(filter.message) };
    const obstacle = exportObstacle(params, this.#exporting);
    if (obstacle !== undefined) return { kind: 'refused', error: invalidRequest(obstacle) };
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

  #rowOf(number: number): protocol.StreamRow {
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
    const { firstOfLedger } = this.engine;
    return { ring, shape, plan, firstOfLedger, programs: this.#programs, grpc: world.grpc, redact: world.redact };
  }

  get #programs(): Programs {
    return this.world.programs(this.plan.placed?.profile);
  }
}

/** Cells without keys; looked through together, since a key is hardly ever there. */
function cleanCells(cells: readonly string[], redact: (text: string) => string): readonly string[] {
  const text = cells.map((cell) => cell.replaceAll(BETWEEN, ' ')).join(BETWEEN);
  return redact(text)
    .split(BETWEEN)
    .map((cell) => harmless(cell, { max: MAX_CELL }));
}

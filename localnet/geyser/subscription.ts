// One Subscribe stream: its filters, its replay, what waits to be sent. A reader that is too slow is ended, never waited for.
import { create } from '@bufbuild/protobuf';
import { SubscribeRequestSchema, type SubscribeRequest } from '../../proto';
import type { ApiKey } from '../keys/keyring';
import type { FaultAt } from '../faults/rules';
import type { GeyserCall } from './call';
import { Emission, type Update } from './emission';
import { writeDamaged } from './faults';
import { FilterSet } from './filters/filterSet';
import type { UpdateLog } from './log';
import { Outbox, type Parts, type Waiting } from './outbox';
import { GrpcFailure, type Status } from './status';
import { encodeNames, encodeUpdate, type UpdateBody } from './updates';
import { decodedInput } from './unary';

/** Bytes that may wait on one stream, and on all of them. */
const MAX_WAITING = 16 * 1024 * 1024;
const MAX_WAITING_TOGETHER = 64 * 1024 * 1024;
/** Updates of a replay that are looked at before other work gets its turn. */
const REPLAY_TURN = 500;

/** The sources and bounds of a stream. */
export interface StreamSources {
  readonly log: UpdateLog;
  readonly waiting: Waiting;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The fault that strikes the next update. */
  readonly fault: () => FaultAt<'grpcUpdate'> | undefined;
}

export class GeyserSubscription {
  #filters = new FilterSet(create(SubscribeRequestSchema));
  #replay: Iterator<Update, undefined> | undefined;
  readonly #outbox: Outbox;
  readonly #stopListening: () => void;
  readonly #names = new Map<string, Uint8Array>();
  #turnPending = false;

  /** Opens the call and greets it with a ping. */
  constructor(
    private readonly call: GeyserCall,
    readonly key: ApiKey,
    private readonly surroundings: StreamSources,
  ) {
    const { log, waiting } = surroundings;
    this.#outbox = new Outbox(waiting);
    call.open();
    this.ping();
    this.#stopListening = log.listen(
      () => this.#filters.level,
      (emission) => this.#offer(emission),
    );
    call.onDrain(() => this.#pump());
    // The client may close its half and keep listening.
    call.read(
      (message) => this.#take(decodedInput(SubscribeRequestSchema, message)),
      () => undefined,
    );
    call.onEnd(() => this.#release());
  }

  ping(): void {
    this.#send({ case: 'ping', value: {} });
  }

  end(status: Status): void {
    this.call.end(status);
  }

  #take(request: SubscribeRequest): void {
    if (request.ping !== undefined) {
      this.#send({ case: 'pong', value: { id: request.ping.id } });
      return;
    }
    const filters = new FilterSet(request);
    const replay = request.fromSlot === undefined ? undefined : this.#replayFrom(request.fromSlot, filters);
    this.#filters = filters;
    this.#names.clear();
    if (replay !== undefined) this.#replay = replay;
    this.#pump();
  }

  #replayFrom(slot: bigint, { level }: FilterSet): Iterator<Update, undefined> {
    const { log } = this.surroundings;
    const first = log.firstSlot;
    if (first === undefined || slot < BigInt(first))
      throw new GrpcFailure('OUT_OF_RANGE', `broadcast from ${slot} is not available, last available: ${first ?? 0}`);
    return log.since(Number(slot), level).values();
  }

  #offer(emission: Emission): void {
    let some = false;
    for (const { names, body } of this.#filters.pass(emission)) {
      const fault = this.surroundings.fault();
      some = true;
      if (fault?.kind === 'gap') continue;
      const parts = [this.#encodedNames(names), body];
      this.#outbox.push({ parts, fault });
      if (fault?.kind === 'duplicate') this.#outbox.push({ parts, fault: undefined });
    }
    if (some) this.#pump();
  }

  #send(body: UpdateBody): void {
    this.#outbox.push({ parts: [encodeUpdate(body, this.surroundings.now())], fault: undefined });
    this.#pump();
  }

  /** Writes what the client takes: first the replay, then what came since. */
  #pump(): void {
    if (this.call.over) return;
    let looked = 0;
    while (this.#replay !== undefined && !this.call.blocked) {
      if (looked++ === REPLAY_TURN) {
        this.#pumpLater();
        break;
      }
      const next = this.#replay.next();
      if (next.done === true) this.#replay = undefined;
      else for (const parts of this.#partsOf(new Emission(next.value, this.surroundings.now()))) this.call.write(parts);
    }
    while (this.#replay === undefined && !this.call.blocked) {
      const message = this.#outbox.shift();
      if (message === undefined) return;
      void writeDamaged(this.call, message.parts, message.fault);
    }
    if (this.#isTooSlow()) this.end({ code: 'INTERNAL', message: 'lagged to receive geyser messages' });
  }

  *#partsOf(emission: Emission): Generator<Parts, void, void> {
    for (const { names, body } of this.#filters.pass(emission)) yield [this.#encodedNames(names), body];
  }

  #pumpLater(): void {
    if (this.#turnPending) return;
    this.#turnPending = true;
    setImmediate(() => {
      this.#turnPending = false;
      this.#pump();
    });
  }

  /** One message may be of any size; what counts is that others wait behind it. */
  #isTooSlow(): boolean {
    if (this.#outbox.length < 2) return false;
    const { bytes, together } = this.#outbox;
    return bytes > MAX_WAITING || (together > MAX_WAITING_TOGETHER && bytes > MAX_WAITING / 4);
  }

  #encodedNames(names: readonly string[]): Uint8Array {
    const key = names.join('\n');
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const encoded = encodeNames(names);
    if (this.#names.size < 1_000) this.#names.set(key, encoded);
    return encoded;
  }

  #release(): void {
    this.#stopListening();
    this.#outbox.clear();
    this.#replay = undefined;
  }
}

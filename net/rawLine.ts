// A subscription whose notifications are handed on as the bytes they came as. The hot path looks at both ends of a message
// and parses none: whoever shows one reads it.
import type { PreparedRequest } from '../core/run/model';
import { isJsonObject, member, printJson } from '../core/values/json';
import type { RawOptions, RawStream, TakeMessage } from './api';
import { Line, parsed, unreadable, type Talk } from './line';

/** Notifications that may come before their subscription is confirmed; the first of more are lost. */
const MAX_EARLY = 1_000;
/** `,"subscription":ID}}` with the longest id there is fits in here, from the end. Bytes. */
const TAIL = 40;
const MEMBER = Buffer.from('"subscription":');
/** What follows it in the usual form. */
const OTHER = /^\d+}}$/;
/** An answer has an id at its top; what begins like this is a notification, as every service writes them. */
const USUAL_START = Buffer.from('{"jsonrpc":"2.0","method":"');

/** What the ping holds that asks whether all was handed on. */
const DRAINED = Buffer.from('drained');

interface Ending {
  readonly id: string;
  /** `"subscription":ID}}`, the end of each of its notifications. */
  readonly bytes: Buffer;
  readonly take: TakeMessage;
  readonly request: PreparedRequest;
}

export class RawLine extends Line implements RawStream {
  private readonly known: Ending[] = [];
  private early: Buffer[] = [];
  /** Until the last of our subscriptions is confirmed, what nobody knows may be its. */
  private isOpening = true;

  constructor(
    talk: Talk,
    private readonly options: RawOptions,
  ) {
    super(talk);
  }

  override confirm(id: string, request: PreparedRequest): void {
    super.confirm(id, request);
    const { take, beside } = this.options;
    const bytes = Buffer.from(`"subscription":${id}}}`);
    this.known.push({ id, bytes, request, take: request === beside?.request ? beside.take : take });
    this.isOpening = this.known.length === 1 && beside !== undefined;
    const early = this.early;
    this.early = [];
    for (const data of early) this.notified(data);
  }

  /** Opens the second subscription, where one is wanted; without it where it is refused. */
  async openBeside(): Promise<void> {
    const { beside } = this.options;
    if (beside === undefined) return;
    const answered = await this.ask(beside.request);
    const id = answered.ok ? member(parsed(answered.value.text), 'result') : undefined;
    if (answered.ok && answered.value.error === undefined && id !== undefined)
      this.confirm(printJson(id), beside.request);
    this.isOpening = false;
    this.early = [];
  }

  pause(): void {
    this.talk.socket.pause();
  }

  resume(): void {
    this.talk.socket.resume();
  }

  /** The answer to a ping stands behind what was written before. */
  async drained(): Promise<boolean> {
    const { socket } = this.talk;
    if (!this.isEnded) {
      const answered = new Promise<void>((resolve) => {
        const heard = (data: Buffer): void => {
          if (!data.equals(DRAINED)) return;
          socket.off('pong', heard);
          resolve();
        };
        socket.on('pong', heard);
        socket.ping(DRAINED);
      });
      await Promise.race([answered, this.ended]);
    }
    return !this.isEnded || this.error?.kind !== 'network';
  }

  redact(text: string): string {
    return this.talk.redactor.text(text);
  }

  protected take(data: Buffer, isBinary: boolean): void {
    if (isBinary) this.end(unreadable(this.talk.host));
    else if (startsWith(data, USUAL_START)) this.notified(data);
    else this.takeUnusual(data);
  }

  private notified(data: Buffer): void {
    for (const ending of this.known) {
      if (!endsWith(data, ending.bytes)) continue;
      this.hand(data, ending);
      return;
    }
    if (this.isOpening) {
      this.keepEarly(data);
      return;
    }
    // Of another subscription, as it is usually written, or written in another way.
    const tail = data.lastIndexOf(MEMBER);
    const isOther = tail >= 0 && data.length - tail < TAIL && OTHER.test(data.toString('latin1', tail + MEMBER.length));
    if (!isOther) this.takeUnusual(data);
  }

  /** An answer, or a notification with its members in another order. */
  private takeUnusual(data: Buffer): void {
    const value = parsed(data.toString('utf8'));
    if (!isJsonObject(value)) {
      this.end(unreadable(this.talk.host));
      return;
    }
    const id = member(member(value, 'params'), 'subscription');
    if (id !== undefined && member(value, 'method') !== undefined) this.handBy(data, printJson(id));
    else if (member(value, 'id') !== undefined) this.onAnswer?.(this.redact(data.toString('utf8')));
  }

  private handBy(data: Buffer, id: string): void {
    const ending = this.known.find((one) => one.id === id);
    if (ending !== undefined) this.hand(data, ending);
    else if (this.isOpening) this.keepEarly(data);
  }

  private keepEarly(data: Buffer): void {
    // A copy: a view would hold all that came with it.
    this.early.push(Buffer.from(data));
    if (this.early.length > MAX_EARLY) this.early.shift();
  }

  private hand(data: Buffer, { take, request }: Ending): void {
    take(data, 0, data.length);
    // Told once, and then ended by the service; that it was received comes before and is not it (Solana's PubSub).
    if (request.method !== 'signatureSubscribe') return;
    const value = member(member(member(parsed(data.toString('utf8')), 'params'), 'result'), 'value');
    if (!isJsonObject(value)) return;
    this.subscriptions.clear();
    this.end(undefined);
    void this.close();
  }
}

function startsWith(data: Buffer, start: Buffer): boolean {
  if (data.length < start.length) return false;
  for (let at = 0; at < start.length; at++) if (data[at] !== start[at]) return false;
  return true;
}

function endsWith(data: Buffer, end: Buffer): boolean {
  const from = data.length - end.length;
  if (from < 0) return false;
  // From the last digit of the id on: what differs mostly differs there.
  for (let at = end.length - 1; at >= 0; at--) if (data[from + at] !== end[at]) return false;
  return true;
}

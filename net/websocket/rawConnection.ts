// A subscription whose notifications are passed on as raw bytes. The hot path checks both ends of a message and parses
// nothing: a message is parsed when it is shown.
import type { PreparedRequest } from '../../core/requests/run/model';
import { isJsonObject, jsonOf, member, printJson } from '../../core/solana/json/json';
import type { RawOptions, RawStream, TakeMessage } from '../api';
import { BoundedQueue } from '../streams/queue';
import { WebSocketConnection, unreadableText, type WebSocketLink } from './connection';

/** `,"subscription":ID}}` with the longest id there is fits in here, from the end. Bytes. */
const TAIL = 40;
/** The end of a notification of any subscription, in the usual form. */
const OTHER = /"subscription":\d+}}$/;
/** Start of a notification, as every service writes it; an answer has an id here. */
const USUAL_START = Buffer.from('{"jsonrpc":"2.0","method":"');

/** Payload of the ping that checks whether everything was passed on. */
const DRAINED = Buffer.from('drained');

interface Ending {
  readonly id: string;
  /** `"subscription":ID}}`, the end of each of its notifications. */
  readonly bytes: Buffer;
  readonly take: TakeMessage;
  readonly request: PreparedRequest;
}

export class RawConnection extends WebSocketConnection implements RawStream {
  readonly #known: Ending[] = [];
  /** Notifications before their subscription is confirmed. */
  #early = new BoundedQueue<Buffer>();
  /** Until the last subscription is confirmed, an unknown notification may belong to it. */
  #isOpening = true;

  constructor(
    link: WebSocketLink,
    private readonly options: RawOptions,
  ) {
    super(link);
  }

  override confirm(id: string, request: PreparedRequest): void {
    super.confirm(id, request);
    const { take, beside } = this.options;
    const bytes = Buffer.from(`"subscription":${id}}}`);
    this.#known.push({ id, bytes, request, take: request === beside?.request ? beside.take : take });
    this.#isOpening = this.#known.length === 1 && beside !== undefined;
    const early = this.#early;
    this.#early = new BoundedQueue();
    for (let data = early.take(); data !== undefined; data = early.take()) this.#notified(data, 0, data.length);
  }

  /** Opens the second subscription, if wanted; continues without it if it is refused. */
  async openBeside(): Promise<void> {
    const { beside } = this.options;
    if (beside === undefined) return;
    const answered = await this.ask(beside.request);
    const id = answered.ok ? member(jsonOf(answered.value.text), 'result') : undefined;
    if (answered.ok && answered.value.error === undefined && id !== undefined)
      this.confirm(printJson(id), beside.request);
    this.#isOpening = false;
    this.#early = new BoundedQueue();
  }

  pause(): void {
    this.link.socket.pause();
  }

  resume(): void {
    this.link.socket.resume();
  }

  /** A pong is queued behind earlier writes. */
  async drained(): Promise<boolean> {
    const { socket } = this.link;
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
    return this.link.redactor.text(text);
  }

  protected take(bytes: Buffer, start: number, end: number, isBinary: boolean): void {
    if (isBinary) this.end(unreadableText(this.link.host));
    else if (startsWith(bytes, start, end, USUAL_START)) this.#notified(bytes, start, end);
    else this.#takeUnusual(bytes, start, end);
  }

  #notified(bytes: Buffer, start: number, end: number): void {
    for (const ending of this.#known) {
      if (!endsWith(bytes, start, end, ending.bytes)) continue;
      this.#hand(bytes, start, end, ending);
      return;
    }
    if (this.#isOpening) {
      this.#keepEarly(bytes, start, end);
      return;
    }
    // Of another subscription, or in an unusual form.
    const tail = bytes.toString('latin1', Math.max(start, end - TAIL), end);
    if (!OTHER.test(tail)) this.#takeUnusual(bytes, start, end);
  }

  /** An answer, or a notification with its members in another order. */
  #takeUnusual(bytes: Buffer, start: number, end: number): void {
    const text = bytes.toString('utf8', start, end);
    const value = jsonOf(text);
    if (!isJsonObject(value)) {
      this.end(unreadableText(this.link.host, text));
      return;
    }
    const id = member(member(value, 'params'), 'subscription');
    if (id !== undefined && member(value, 'method') !== undefined) this.#handBy(bytes, start, end, printJson(id));
    else if (member(value, 'id') !== undefined) this.onAnswer?.(this.redact(text));
  }

  #handBy(bytes: Buffer, start: number, end: number, id: string): void {
    const ending = this.#known.find((one) => one.id === id);
    if (ending !== undefined) this.#hand(bytes, start, end, ending);
    else if (this.#isOpening) this.#keepEarly(bytes, start, end);
  }

  #keepEarly(bytes: Buffer, start: number, end: number): void {
    // A copy: a view would retain everything received with it.
    this.#early.add(Buffer.from(bytes.subarray(start, end)), end - start);
  }

  #hand(bytes: Buffer, start: number, end: number, { take, request }: Ending): void {
    take(bytes, start, end);
    // Notified once, then the service ends it; `receivedSignature` comes before and does not count (Solana's PubSub).
    if (request.method !== 'signatureSubscribe') return;
    const value = member(member(member(jsonOf(bytes.toString('utf8', start, end)), 'params'), 'result'), 'value');
    if (!isJsonObject(value)) return;
    this.subscriptions.clear();
    this.end(undefined);
    void this.close();
  }
}

function startsWith(bytes: Buffer, start: number, end: number, wanted: Buffer): boolean {
  if (end - start < wanted.length) return false;
  for (let at = 0; at < wanted.length; at++) if (bytes[start + at] !== wanted[at]) return false;
  return true;
}

function endsWith(bytes: Buffer, start: number, end: number, wanted: Buffer): boolean {
  const from = end - wanted.length;
  if (from < start) return false;
  // From the last digit of the id on, where ids mostly differ.
  for (let at = wanted.length - 1; at >= 0; at--) if (bytes[from + at] !== wanted[at]) return false;
  return true;
}

// Writes the messages of one WebSocket in their order, each damaged where a fault asks for it. Bounds what waits.
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { delayOf } from '../faults/kinds';
import type { FaultAt } from '../faults/rules';

/** Bytes that may wait to be sent before a reader counts as too slow. */
const MAX_WAITING = 16 * 1024 * 1024;
/** Bytes that may wait on all connections; above it those with a large part of them are too slow. */
const MAX_WAITING_TOGETHER = 64 * 1024 * 1024;
const LARGE_PART = MAX_WAITING / 4;
const POLICY_VIOLATION = 1008;
type WrittenFault = FaultAt<'answer' | 'notification'>;

const GARBAGE = '<html><body><h1>Bad Gateway</h1></body></html>';

export class Writer {
  /** The delayed messages, one after the other; `undefined` while none is. */
  #tail: Promise<void> | undefined;
  #delayed = 0;
  #silent = false;
  #corked = false;

  /** `stream` carries the socket; `together` counts the bytes queued on all connections. */
  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Duplex,
    private readonly together: () => number,
  ) {}

  /** Sends a message, or what a fault makes of it. */
  send(text: string, fault?: WrittenFault): void {
    if (this.#silent || fault?.kind === 'gap') return;
    if (fault?.kind === 'hang') {
      this.#silent = true;
      return;
    }
    if (this.#tail === undefined && fault === undefined) {
      this.#write(text);
      return;
    }
    const due = performance.now() + (fault?.kind === 'latency' ? delayOf(fault) : 0);
    this.#delayed += text.length;
    const tail: Promise<void> = (this.#tail ?? Promise.resolve()).then(async () => {
      await this.#deliver(text, fault, due);
      this.#delayed -= text.length;
      if (this.#tail === tail) this.#tail = undefined;
    });
    this.#tail = tail;
    this.#bound();
  }

  async #deliver(text: string, fault: WrittenFault | undefined, due: number): Promise<void> {
    const wait = due - performance.now();
    if (wait > 0) await pause(wait, undefined, { ref: false });
    switch (fault?.kind) {
      case 'drop':
        this.socket.terminate();
        return;
      case 'garbage':
        return this.#write(fault.body ?? GARBAGE);
      case 'truncate':
        return this.#write(text.slice(0, Math.floor(text.length / 2)));
      case 'slowloris':
        return this.#drip(Buffer.from(text), delayOf(fault));
      case 'duplicate':
        this.#write(text);
        return this.#write(text);
      case 'latency':
      case 'wrongid':
      case 'gap':
      case 'hang':
      case undefined:
        // Waited for, written into the text, or kept from coming here.
        return this.#write(text);
    }
  }

  /** One message in fragments of one byte. */
  async #drip(bytes: Buffer, ms: number): Promise<void> {
    for (let at = 0; at < bytes.length && this.#isOpen; at++) {
      this.socket.send(bytes.subarray(at, at + 1), { binary: false, fin: at === bytes.length - 1 });
      await pause(ms, undefined, { ref: false });
    }
  }

  #write(text: string): void {
    if (!this.#isOpen) return;
    this.#cork();
    this.socket.send(text);
    this.#bound();
  }

  /**
   * Holds what is written back until the end of the turn: many transactions run in one, and a system call for each of
   * their notifications would cost more than running them.
   */
  #cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.stream.cork();
    setImmediate(() => {
      this.#corked = false;
      this.stream.uncork();
    });
  }

  #bound(): void {
    const waiting = this.socket.bufferedAmount + this.#delayed;
    if (waiting <= LARGE_PART || (waiting <= MAX_WAITING && this.together() <= MAX_WAITING_TOGETHER)) return;
    this.socket.close(POLICY_VIOLATION, 'The connection reads too slowly');
    this.socket.terminate();
  }

  get #isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }
}

// The queue of messages to send on one stream; counts the bytes waiting in it and in those of all streams.

import type { FaultAt } from '../faults/rules';

/** A message in parts: the names of its filters, and a body that other streams may share. */
export type Parts = readonly Uint8Array[];

/** The bytes that wait on all streams together. */
export interface Waiting {
  bytes: number;
}

/** A message that waits, and the fault that strikes it when its turn comes. */
export interface QueuedMessage {
  readonly parts: Parts;
  readonly fault: FaultAt<'grpcUpdate'> | undefined;
}

export class Outbox {
  #messages: QueuedMessage[] = [];
  #first = 0;
  bytes = 0;

  constructor(private readonly waiting: Waiting) {}

  get length(): number {
    return this.#messages.length - this.#first;
  }

  /** Bytes that wait on all streams. */
  get together(): number {
    return this.waiting.bytes;
  }

  push(message: QueuedMessage): void {
    this.#messages.push(message);
    this.#count(size(message.parts));
  }

  shift(): QueuedMessage | undefined {
    const message = this.#messages[this.#first];
    if (message === undefined) return undefined;
    this.#first++;
    this.#count(-size(message.parts));
    if (this.#first > 1_000 && this.#first * 2 > this.#messages.length) {
      this.#messages = this.#messages.slice(this.#first);
      this.#first = 0;
    }
    return message;
  }

  clear(): void {
    this.#count(-this.bytes);
    this.#messages = [];
    this.#first = 0;
  }

  #count(bytes: number): void {
    this.bytes += bytes;
    this.waiting.bytes += bytes;
  }
}

function size(parts: Parts): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

// A WebSocket client of the service for tests: calls, subscriptions, and notifications that can be waited for.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { member, parseJson, type JsonValue } from '../../../core/solana/json/json';
import type { Localnet } from '../process/localnet';
import { waiting } from '../waiting';

/** A connection whose messages can be waited for, in order of arrival, by what they are. */
export class PubSub {
  readonly seen: JsonValue[] = [];
  #waiting: (() => void)[] = [];
  #id = 0;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.seen.push(parseJson(data.toString('utf8')));
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  static async open(
    local: Pick<Localnet, 'ready'>,
    key = local.ready.keys.rpc.key,
    url = local.ready.wsUrl,
  ): Promise<PubSub> {
    const client = new PubSub(new WebSocket(url, { headers: { authorization: `Bearer ${key}` } }));
    await once(client.socket, 'open');
    return client;
  }

  /** The first message, taken out, that `match` holds for. */
  async next(match: (message: JsonValue) => boolean): Promise<JsonValue> {
    for (;;) {
      const at = this.seen.findIndex(match);
      if (at >= 0) return this.seen.splice(at, 1)[0] ?? null;
      await waiting('a message over WebSocket', () => new Promise<void>((resolve) => this.#waiting.push(resolve)));
    }
  }

  async call(method: string, params?: unknown): Promise<JsonValue> {
    const id = ++this.#id;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.next((message) => member(message, 'id') === id);
  }

  async subscribe(method: string, params?: unknown): Promise<number> {
    const answer = await this.call(method, params);
    const result = member(answer, 'result');
    assert.equal(typeof result, 'number', JSON.stringify(answer));
    return Number(result);
  }

  /** The result of the next notification of a subscription. */
  async notified(subscription: number): Promise<JsonValue | undefined> {
    const message = await this.next((one) => member(member(one, 'params'), 'subscription') === subscription);
    assert.equal(member(message, 'id'), undefined);
    return member(member(message, 'params'), 'result');
  }

  close(): void {
    this.socket.terminate();
  }
}

/** The code of an error answer. */
export const errorCode = (answer: JsonValue): unknown => member(member(answer, 'error'), 'code');

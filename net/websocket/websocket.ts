// JSON-RPC over one WebSocket: a request with its answer, or a subscription from its confirmation to its end. Knows no
// keys; a subscription does not outlive its connection and is never reopened automatically.
import { failed, ok, type Result } from '../../core/service/errors';
import { isJsonObject, jsonOf, member, printJson, type JsonValue } from '../../core/solana/json/json';
import { memoryOf } from '../../core/solana/json/memory';
import type { RawOptions, RawStream, Subscription } from '../api';
import { WebSocketConnection, unreadableText, type Answered, type WebSocketLink } from './connection';
import { BoundedQueue, MAX_QUEUED_BYTES } from './queue';
import { RawConnection } from './rawConnection';

/** Sends the request; returns the response text, along with the error if it is a JSON-RPC error. */
export async function question(link: WebSocketLink): Promise<Answered> {
  const connection = new QueuedConnection(link);
  const answered = await connection.ask();
  await connection.close();
  return answered;
}

/** Subscribes. Messages before the confirmation are kept like those after it. */
export async function subscribe(link: WebSocketLink): Promise<Result<Subscription>> {
  return confirmed(new QueuedConnection(link), link);
}

/** Subscribes; notifications are passed on raw. */
export async function subscribeRaw(link: WebSocketLink, options: RawOptions): Promise<Result<RawStream>> {
  const connection = new RawConnection(link, options);
  const opened = await confirmed(connection, link);
  if (opened.ok) await connection.openBeside();
  return opened;
}

async function confirmed<L extends WebSocketConnection>(connection: L, link: WebSocketLink): Promise<Result<L>> {
  const answered = await connection.ask();
  const error = answered.ok ? answered.value.error : answered.error;
  const id = answered.ok ? member(jsonOf(answered.value.text), 'result') : undefined;
  if (error === undefined && id !== undefined) {
    connection.confirm(printJson(id), link.request);
    return ok(connection);
  }
  await connection.close();
  return failed(error ?? unreadableText(link.host, answered.ok ? answered.value.text : undefined));
}

/** Whether this is a signature's last notification; `receivedSignature` comes before and is not (Solana's PubSub). */
export const isLastOf = (method: string, result: JsonValue): boolean =>
  method === 'signatureSubscribe' && isJsonObject(member(result, 'value'));

class QueuedConnection extends WebSocketConnection implements Subscription {
  readonly #queue = new BoundedQueue<{ readonly id: string; readonly result: JsonValue }>();

  get dropped(): number {
    return this.#queue.dropped;
  }

  async *messages(): AsyncGenerator<JsonValue, void, undefined> {
    for (;;) {
      const next = this.#queue.take();
      if (next !== undefined) {
        if (!this.subscriptions.has(next.id)) continue;
        const isLast = isLastOf(this.link.request.method, next.result);
        // The service ended it with this message: there is nothing left to unsubscribe, even if the reader stops here.
        if (isLast) this.subscriptions.clear();
        yield next.result;
        if (isLast) this.end(undefined);
      } else if (this.isEnded) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  protected take(bytes: Buffer, start: number, end: number, isBinary: boolean): void {
    const text = this.link.redactor.text(bytes.toString('utf8', start, end));
    const value = isBinary ? undefined : jsonOf(text);
    if (!isJsonObject(value)) {
      this.end(unreadableText(this.link.host, isBinary ? undefined : text));
      return;
    }
    const params = member(value, 'params');
    const id = member(params, 'subscription');
    const result = member(params, 'result');
    if (id !== undefined && result !== undefined && member(value, 'method') !== undefined) {
      this.#queue.add({ id: printJson(id), result }, memoryOf(result, MAX_QUEUED_BYTES));
      // Until the answer arrives, `wake` ends the wait for it.
      if (this.onAnswer === undefined) this.wake();
    } else if (member(value, 'id') !== undefined) this.onAnswer?.(text);
  }
}

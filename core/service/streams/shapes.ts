// Derives a stream's shape from its request; that of a WebSocket account includes the transactions reported with it.
import { Banks } from './banks';
import { pubSubShape } from './pubsub';
import { withDecodedFields } from './decodedFields';
import type { Shape } from './shape';
import { yellowstoneShape } from './yellowstone';
import type { Programs } from '../../solana/decode/decoded';
import { isJsonArray, isJsonObject, member, parseJson, type JsonValue } from '../../solana/json/json';

/** The request that opens a stream. */
export interface StreamRequest {
  /** The keyword of the request line: WS or GRPC. */
  readonly transport: string;
  /** The JSON-RPC method, or the gRPC path `package.Service/Method`. */
  readonly method: string;
  /** The exact text that is sent; for GRPC the request message as proto3 JSON. */
  readonly body: string;
}

/** The shape of a request's messages, without decoding. */
export function shapeOf({ transport, method, body }: StreamRequest): Shape {
  if (transport === 'GRPC') return yellowstoneShape(method, bodyOf(body));
  const shape = pubSubShape(method);
  // With a mention filter most blocks are not reported.
  return method === 'blockSubscribe' && !isOfAll(bodyOf(body)) ? { ...shape, isSteady: false } : shape;
}

/** Whether a block subscription has no filter. */
function isOfAll(body: JsonValue): boolean {
  const params = member(body, 'params');
  return isJsonArray(params) && params[0] === 'all';
}

/** A stream whose messages are decoded when shown. */
export interface Streamed {
  readonly request: StreamRequest;
  /** The watched account. */
  readonly watched?: string;
  /** The transactions reported with an account's updates. */
  readonly beside?: Transactions;
  /** Receives the stream's messages; omitted if only columns and fields are needed. */
  readonly banks?: Banks;
  /** The known programs, queried for each message. */
  readonly programs: () => Programs;
}

export function decodedShape({ request, watched, beside, banks, programs }: Streamed): Shape {
  const plain = shapeOf(request);
  const shape = (banks ?? new Banks(plain)).with(beside === undefined ? plain : beside.with(plain));
  return withDecodedFields({ shape, method: request.method, ...(watched !== undefined && { watched }) }, programs);
}

function bodyOf(text: string): JsonValue {
  try {
    const body = parseJson(text);
    return isJsonObject(body) ? body : {};
  } catch {
    return {};
  }
}

/** Slots whose transactions are remembered. */
const MAX_SLOTS = 10_000;

/** The transactions of a watched account by slot, taken from the logs subscription that runs with it. */
export class Transactions {
  readonly #bySlot = new Map<number, string[]>();
  readonly #logs = pubSubShape('logsSubscribe');

  /** Takes a notification of logs. */
  take(bytes: Uint8Array, start: number, end: number): void {
    const slot = this.#logs.slot(bytes, start, end);
    const signature = this.#logs.value('signature', bytes, start, end);
    if (Number.isNaN(slot) || typeof signature !== 'string') return;
    const known = this.#bySlot.get(slot);
    if (known === undefined) this.#bySlot.set(slot, [signature]);
    else if (!known.includes(signature)) known.push(signature);
    const [oldest] = this.#bySlot.keys();
    if (this.#bySlot.size > MAX_SLOTS && oldest !== undefined) this.#bySlot.delete(oldest);
  }

  /** The ledger is another one: other transactions are in its slots. */
  clear(): void {
    this.#bySlot.clear();
  }

  /** The shape of the account's notifications, with the field `signature`. */
  with(shape: Shape): Shape {
    const value: Shape['value'] = (field, bytes, start, end) =>
      field === 'signature'
        ? this.#bySlot.get(shape.slot(bytes, start, end))?.join(', ')
        : shape.value(field, bytes, start, end);
    return {
      ...shape,
      columns: [...shape.columns, { field: 'signature', title: 'Transaction', align: 'start' }],
      fields: new Map([...shape.fields, ['signature', 'text']]),
      value,
      finds: (text) => {
        const finds = shape.finds(text);
        return (bytes, start, end) =>
          finds(bytes, start, end) || String(value('signature', bytes, start, end) ?? '').includes(text);
      },
    };
  }
}

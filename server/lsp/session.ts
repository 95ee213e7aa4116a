// Messages from the editor as far as they may reach vscode-languageserver: it answers requests in any order of a session,
// and drops input that is not a message, without an answer.
import {
  ErrorCodes,
  Message,
  StreamMessageReader,
  type DataCallback,
  type Disposable,
  type MessageWriter,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
} from 'vscode-languageserver/node';
import { isDeeper, MAX_DEPTH, type JsonValue } from '../../core/solana/json/json';

/** Invalid input instead of a message. */
const UNREADABLE = Symbol('unreadable');

interface Refusal {
  readonly id: ResponseMessage['id'];
  readonly code: number;
  readonly message: string;
}

export class SessionReader extends StreamMessageReader {
  readonly #writer: MessageWriter;
  #phase: 'new' | 'initialized' | 'shutDown' = 'new';

  /** Refusals go to `writer`. */
  constructor(input: NodeJS.ReadableStream, writer: MessageWriter) {
    super(input, {
      charset: 'utf-8',
      contentTypeDecoder: { name: 'application/json', decode: (body) => Promise.resolve(decode(body) as Message) },
    });
    this.#writer = writer;
    // After a header that cannot be read the library waits for more input, though the next message may be there already.
    this.onError(() => setImmediate(() => input.emit('data', Buffer.alloc(0))));
  }

  override listen(callback: DataCallback): Disposable {
    return super.listen((message) => {
      const found = this.#judge(message);
      if (found === 'pass') callback(message);
      else if (found !== 'drop') this.#refuse(found);
    });
  }

  #refuse({ id, code, message }: Refusal): void {
    const response: ResponseMessage = { jsonrpc: '2.0', id, error: { code, message } };
    // A client that closed its end reads no answers.
    this.#writer.write(response).catch(() => undefined);
  }

  #judge(message: unknown): 'pass' | 'drop' | Refusal {
    if (message === UNREADABLE)
      return {
        id: null,
        code: ErrorCodes.ParseError,
        message: `The message is not valid JSON, or nested deeper than ${MAX_DEPTH} levels.`,
      };
    if (!isRecord(message)) return notAMessage(null);
    if (Message.isRequest(message as unknown as Message))
      return this.#judgeRequest(message as unknown as RequestMessage);
    if (Message.isNotification(message as unknown as Message))
      return this.#judgeNotification(message as unknown as NotificationMessage);
    if (Message.isResponse(message as unknown as Message)) return 'pass';
    const { id } = message;
    return notAMessage(typeof id === 'string' || typeof id === 'number' ? id : null);
  }

  #judgeRequest({ id, method, params }: RequestMessage): 'pass' | Refusal {
    const isFirst = method === 'initialize';
    if (this.#phase === 'shutDown')
      return { id, code: ErrorCodes.InvalidRequest, message: 'The server was shut down: it answers no more requests.' };
    if (this.#phase === 'new' && !isFirst)
      return { id, code: ErrorCodes.ServerNotInitialized, message: 'The first request must be initialize.' };
    if (this.#phase === 'initialized' && isFirst)
      return { id, code: ErrorCodes.InvalidRequest, message: 'The server is initialized already.' };
    // Parameters of shutdown are ignored.
    if (method !== 'shutdown' && (params ?? undefined) !== undefined && !isRecord(params))
      return { id, code: ErrorCodes.InvalidParams, message: `${method} takes its parameters by name.` };
    if (isFirst && !isRecord((params as { readonly capabilities?: unknown } | undefined)?.capabilities))
      return { id, code: ErrorCodes.InvalidParams, message: 'initialize needs the capabilities of the client.' };
    if (isFirst) this.#phase = 'initialized';
    if (method === 'shutdown') this.#phase = 'shutDown';
    return 'pass';
  }

  #judgeNotification({ method, params }: NotificationMessage): 'pass' | 'drop' {
    if (method === 'exit') return 'pass';
    if (this.#phase === 'new') return 'drop';
    // The library reads the id before it looks.
    if (method === '$/cancelRequest') return isRecord(params) && 'id' in params ? 'pass' : 'drop';
    return params === undefined || isRecord(params) ? 'pass' : 'drop';
  }
}

const notAMessage = (id: ResponseMessage['id']): Refusal => ({
  id,
  code: ErrorCodes.InvalidRequest,
  message: 'The message is neither a request nor a notification nor an answer.',
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function decode(body: Uint8Array): unknown {
  try {
    const message = JSON.parse(new TextDecoder().decode(body)) as JsonValue;
    return isDeeper(message, MAX_DEPTH) ? UNREADABLE : message;
  } catch {
    return UNREADABLE;
  }
}

// The response document of a running stream: the latest messages, written a few times a second. Bounded; sends nothing
// itself.
import { TextBody } from '../../core/service/response/textBody';
import type { OpenStream } from '../../runner/ports';
import type { PreparedRequest, RequestBlock } from '../../core/requests/run/model';
import { printJson, type JsonValue } from '../../core/solana/json/json';
import type { ExecuteOutcome, KeptResponse } from '../../protocol/lsp';
import type { Results } from '../responses/results';

/** Most messages in a document while its stream is open. */
const SHOWN = 500;
/** And their size, in UTF-16 units. */
const SHOWN_LENGTH = 2_000_000;
/** Time between two writes, in milliseconds. */
const WRITE_MS = 400;

/** Identifies a request among the stored responses: the file and the block's name or line. */
export const requestName = ({ file, name, line, row }: Pick<RequestBlock, 'file' | 'name' | 'line' | 'row'>): string =>
  `${file}#${name ?? `line ${line + 1}`}${rowText(row)}`;

/** Distinguishes the rows of `@foreach`. */
const rowText = (row: number | undefined): string => (row === undefined ? '' : ` [${row}]`);

/** How a block is called, all of its rows alike. */
export const nameOf = ({ name, title, method }: Pick<RequestBlock, 'name' | 'title' | 'method'>): string =>
  name ?? (title === '' ? method : title);

/** How a block is called in titles. */
export const titleOf = (block: Pick<RequestBlock, 'name' | 'title' | 'method' | 'row'>): string =>
  nameOf(block) + rowText(block.row);

interface LiveStreamParts {
  readonly block: RequestBlock;
  readonly request: PreparedRequest;
  /** The active endpoint. */
  readonly endpoint: string;
  readonly results: Results;
  /** Names the run of all requests of a file. */
  readonly together: string | undefined;
  readonly show: (outcome: ExecuteOutcome) => void;
}

export class LiveStream implements OpenStream {
  readonly #latest: { readonly message: JsonValue; readonly length: number }[] = [];
  readonly #since = performance.now();
  #length = 0;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #response: KeptResponse | undefined;

  constructor(
    private readonly stream: OpenStream,
    private readonly parts: LiveStreamParts,
  ) {
    // The document opens with the confirmation, before the first message.
    this.#write();
  }

  get dropped(): number {
    return this.stream.dropped;
  }

  get error(): OpenStream['error'] {
    return this.stream.error;
  }

  async *messages(): AsyncGenerator<JsonValue, void, undefined> {
    for await (const message of this.stream.messages()) {
      this.#keep(message);
      this.#timer ??= setTimeout(() => this.#write(), WRITE_MS);
      yield message;
    }
  }

  /** Ends the stream; nothing is written once this has resolved. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([this.stream.close(), this.#writing]);
  }

  /** Where it was shown, to be replaced by the last outcome. */
  get response(): KeptResponse | undefined {
    return this.#response;
  }

  #keep(message: JsonValue): void {
    const { length } = printJson(message);
    this.#latest.push({ message, length });
    this.#length += length;
    this.#count++;
    while (this.#latest.length > SHOWN || (this.#length > SHOWN_LENGTH && this.#latest.length > 1))
      this.#length -= this.#latest.shift()?.length ?? 0;
  }

  #write(): void {
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      const text = printJson(this.#latest.map(({ message }) => message));
      const { block, request, endpoint, results, together, show } = this.parts;
      const outcome: ExecuteOutcome = {
        uri: block.file,
        line: block.line,
        title: titleOf(block),
        status: 'passed',
        assertions: [],
        durationMs: performance.now() - this.#since,
        bytes: Buffer.byteLength(text),
        transport: request.transport,
        method: request.method,
        endpoint: request.endpoint ?? endpoint,
        stream: { count: this.#count, dropped: this.dropped, isOpen: true },
        ...(together !== undefined && { together }),
        ...(this.#response !== undefined && { response: this.#response }),
      };
      // A document that cannot be written now may be at the end, which reports it.
      const kept = await results.save(requestName(block), new TextBody(text), outcome).catch(() => undefined);
      if (kept === undefined) return;
      this.#response = kept.response;
      show(kept);
    });
  }
}

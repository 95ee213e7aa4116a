// The window as the server sees it: the built language server with a stream open, and the panel's own pulling of rows.
// Counts what goes to the panel; draws nothing.
import path from 'node:path';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Rows } from '../../client/webview/stream/rows';
import type { OpenStreamResult, StreamRowsResult, StreamTick } from '../../protocol/streams';
import { startServer, WINDOW, type RunningServer } from '../../test/support/lsp/serverProcess';

const ROOT = path.join(import.meta.dirname, '..', '..');
const FILE = 'file:///requests/stream.jsonrpc';
const BLOCK = '### Accounts\nGRPC geyser.Geyser/Subscribe\n{ "accounts": { "all": {} } }\n';
/** Rows that a panel of usual height shows. */
const CAPACITY = 40;
/** As in client/streams/streamPanel.ts: the time between two messages about the state. */
const TELL_EVERY_MS = 100;

/** client/webview/shared/puller.ts, which is browser code: built along with the benchmarks. */
interface Puller {
  want(pulled: { readonly pull: () => Promise<boolean>; readonly every: number }, now?: 'now' | 'inTime'): void;
}

/** The parts of a page that the puller uses. */
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });

/** The report of the server's process about itself. */
export interface Watched {
  /** Of the delays of its main thread. */
  readonly p99Ms: number;
  /** Bytes. */
  readonly rss: number;
}

/** A message's way to the page: it is written, and read there. */
export const cross = <T>(message: T): T => JSON.parse(JSON.stringify(message)) as T;

export async function serverFor(grpcPort: number): Promise<RunningServer> {
  const profile = { name: 'bench', grpcUrl: `http://127.0.0.1:${grpcPort}`, auth: { grpc: 'none' } } as const;
  return startServer({
    window: { ...WINDOW, profiles: [{ profile, source: 'user' }], endpoint: 'bench' },
    env: { ...process.env, NODE_OPTIONS: `--import=${path.join(ROOT, 'bench', 'panel', 'watched.mjs')}` },
  });
}

/** Asks the server's process for its report since the last question. */
export async function watched({ child }: RunningServer): Promise<Watched> {
  child.send({ kind: 'watched' });
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ readonly watched?: Watched }];
    if (message.watched !== undefined) return message.watched;
  }
}

export class Panel {
  /** Messages to the page so far, and those of the busiest second. */
  messages = 0;
  busiest = 0;
  tick: StreamTick | undefined;
  #second = 0;
  #inSecond = 0;
  #lastTellAt = 0;
  #telling: NodeJS.Timeout | undefined;
  #isPaused = false;
  #asking: Promise<unknown> = Promise.resolve();
  readonly #rows = new Rows();
  #wake = (): void => undefined;

  private constructor(
    private readonly server: RunningServer,
    private readonly id: string,
    private readonly puller: Puller,
  ) {
    server.connection.onNotification('solanaRpc/streamTick', (tick: StreamTick) => {
      this.tick = tick;
      this.#tellSoon();
      this.#wake();
    });
  }

  static async open(server: RunningServer): Promise<Panel> {
    Object.assign(globalThis, { document: page });
    const built = pathToFileURL(path.join(ROOT, 'out', 'panel', 'puller.mjs')).href;
    const { Puller } = (await import(built)) as { Puller: new (isCalm: () => boolean) => Puller };
    await server.open(FILE, BLOCK);
    const source = { kind: 'block', uri: FILE, version: 1, line: 0 };
    const opened = await server.connection.sendRequest<OpenStreamResult>('solanaRpc/openStream', { source });
    if (opened.kind === 'refused') throw new Error(opened.error.message);
    return new Panel(server, opened.stream.id, new Puller(() => false));
  }

  /** Rows at hand of the newest ones. */
  get shown(): number {
    return this.#rows.newest(CAPACITY).length;
  }

  show(): void {
    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
  }

  hide(): void {
    page.visibilityState = 'hidden';
    clearTimeout(this.#telling);
    this.#telling = undefined;
  }

  /** Asks for nothing more; resolves when nothing is waited for. */
  async rest(): Promise<void> {
    this.hide();
    await this.#asking;
  }

  pause(): void {
    this.#isPaused = true;
    this.#rows.pause();
  }

  /** Resolves with the first tick that holds. */
  async until(holds: (tick: StreamTick) => boolean): Promise<StreamTick> {
    while (this.tick === undefined || !holds(this.tick)) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.tick;
  }

  #tellSoon(): void {
    if (page.visibilityState === 'hidden' || this.#telling !== undefined) return;
    this.#telling = setTimeout(
      () => {
        this.#telling = undefined;
        this.#lastTellAt = performance.now();
        const { tick } = this;
        if (tick === undefined) return;
        this.#count();
        if (this.#rows.take(cross(tick))) this.puller.want(this.#pulled);
      },
      Math.max(0, this.#lastTellAt + TELL_EVERY_MS - performance.now()),
    );
  }

  readonly #pulled = { pull: () => this.#askRows(), every: 1 };

  /** As the page does (client/webview/stream/main.ts). */
  async #askRows(): Promise<boolean> {
    const { next, first } = this.#rows.shown;
    const wanted = this.#rows.wanted({ first: Math.max(0, next - first - CAPACITY), next: next - first }, CAPACITY);
    if (wanted === undefined || this.#isPaused) return false;
    const params = { id: this.id, filter: '', ...cross(wanted) };
    const asking = this.server.connection.sendRequest<StreamRowsResult>('solanaRpc/streamRows', params);
    this.#asking = asking;
    const rows = cross(await asking);
    this.#count();
    return rows.kind === 'rows' && this.#rows.took(rows);
  }

  #count(): void {
    this.messages++;
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) [this.#second, this.#inSecond] = [second, 0];
    this.busiest = Math.max(this.busiest, ++this.#inSecond);
  }
}

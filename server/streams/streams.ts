// The streams as main sees them: opens and names them, asks the worker for everything else, and passes ticks on. Holds no
// message of any stream. Refuses where the window is not trusted (I12).
import path from 'node:path';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import { NO_PROGRAMS } from '../../core/solana/decode/decoded';
import type { KnownIdls } from '../../core/solana/decode/idl/registry';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { PreparedRequest } from '../../core/requests/run/model';
import { isPublicKey } from '../../core/solana/chain/keys';
import { known } from '../../core/solana/common/known';
import { failed, invalidRequest, ok, type ServiceError } from '../../core/service/errors';
import type { SendTarget } from '../../net/api';
import type { Suspensions } from '../../net/auth/suspensions';
import { profileFor, queryFor, settle } from '../../net/target/target';
import { discard, draftOf } from '../../process/leftovers';
import type * as protocol from '../../protocol/streams';
import { Calls } from '../calls';
import type { Keys } from '../keys/keys';
import { profileNamed } from '../profiles';
import type { Window } from '../window';
import { noEndpoint } from '../run/endpoint';
import { accountRequests } from '../../net/streams/account';
import { keyFor, sentProxy } from './keyPort';
import type { WayOut } from '../run/wayOut';
import type { Answers, Asks, FromWorker, StreamPlan, ToWorker, WorkerStart } from './messages';
import type { PreparedStream, Preparing } from './prepare';

export interface StreamsDeps {
  readonly window: Window;
  readonly keys: Keys;
  readonly wayOut: WayOut;
  /** Which keys are suspended, for all that the main thread sends. */
  readonly suspensions: Suspensions;
  /** The request of a block, filled in; a failure says why nothing can be opened. */
  readonly prepare: (
    source: Extract<protocol.StreamSource, { kind: 'block' }>,
    signal: AbortSignal,
  ) => Promise<Preparing>;
  /** The programs known now. */
  readonly idls: () => Promise<KnownIdls>;
  readonly onTick: (tick: protocol.StreamTick) => void;
  /** Called when a live stream of a named endpoint reaches a newer slot. */
  readonly onSlot: (endpoint: string, slot: bigint) => void;
}

interface Known {
  readonly info: protocol.StreamInfo;
  readonly request: PreparedRequest;
  readonly placed: PlacedProfile | undefined;
  readonly target: SendTarget;
  tick: protocol.StreamTick;
}

/** The parameters for opening a stream, before it has a name. */
type Wanted = PreparedStream & { readonly account?: string };

type Handler<V extends protocol.StreamVerb> = (
  params: protocol.StreamVerbParams[V],
  signal: AbortSignal,
) => Promise<protocol.StreamVerbResults[V]>;

/** Verbs that need more than the worker; all others go to it as they are, if main knows the stream. */
type Handlers = {
  readonly [V in Exclude<protocol.StreamVerb, protocol.OneStreamVerb>]: Handler<V>;
} & { readonly [V in protocol.OneStreamVerb]?: Handler<V> };

const GONE: ServiceError = {
  kind: 'network',
  message: 'The part of the server that holds the streams has ended.',
  hint: 'Open the stream again.',
};

const LOCAL_GONE: ServiceError = {
  kind: 'network',
  message: 'The local service does not run any more, or started again with another ledger.',
  hint: 'Reopen the stream to follow the ledger that runs now.',
};

export class Streams {
  readonly #known = new Map<string, Known>();
  readonly #calls = new Calls<Answers[protocol.StreamVerb]>();
  /** Of the exports of this worker. */
  readonly #drafts = new Set<string>();
  #worker: Worker | undefined;
  #opened = 0;
  #idlsAsked = 0;
  readonly #handlers: Handlers = {
    openStream: (params, signal) => this.#open(params, signal),
    reopenStream: (params) => this.#reopen(params),
    closeStream: async (params) => {
      const answer = await this.ask('closeStream', params);
      this.#known.delete(params.id);
      return answer;
    },
    moveStreams: async (params) => {
      const nothing = { moved: 0, unsure: 0, stayed: [], failed: [] };
      if (this.#worker === undefined || !this.deps.window.permit().ok) return nothing;
      return (await this.#ask('moveStreams', params)) ?? nothing;
    },
    exportStream: (params) => {
      const draft = draftOf(params.file);
      this.#drafts.add(draft);
      return this.ask('exportStream', { ...params, draft });
    },
  };
  /** Distinguishes this server's streams from its predecessor's. */
  readonly #life = Date.now().toString(36);

  constructor(private readonly deps: StreamsDeps) {
    deps.suspensions.onChanged = (suspension) => this.#send({ kind: 'suspension', suspension });
  }

  /** Answers a verb of the editor. */
  answer<V extends protocol.StreamVerb>(verb: V, params: protocol.StreamVerbParams[V], signal: AbortSignal) {
    const handler = this.#handlers[verb] as Handler<V> | undefined;
    if (handler !== undefined) return handler(params, signal);
    // Verbs without a handler are about one stream (Handlers).
    const answer: Promise<unknown> = this.ask(verb as protocol.OneStreamVerb, params as never);
    return answer as ReturnType<Handler<V>>;
  }

  /** The worker's answer about one stream. */
  async ask<V extends protocol.OneStreamVerb>(verb: V, ask: Asks[V]): Promise<Answers[V] | protocol.Gone> {
    return (this.#known.has(ask.id) ? await this.#ask(verb, ask) : undefined) ?? { kind: 'gone' };
  }

  async #open({ source }: protocol.OpenStreamParams, signal: AbortSignal): Promise<protocol.OpenStreamResult> {
    const permit = this.deps.window.permit();
    if (!permit.ok) return { kind: 'refused', error: permit.error };
    const wanted = await this.#wanted(source, signal);
    if (!wanted.ok) {
      const { error, sendFirst } = wanted;
      const line = source.kind === 'block' && { line: source.line };
      return { kind: 'refused', error, ...line, ...(sendFirst !== undefined && { sendFirst }) };
    }
    const { request, placed, title, account, until } = wanted.value;
    const target = settle(placed, request);
    if (!target.ok) return { kind: 'refused', error: target.error };
    const { decodedShape, Transactions } = await import('../../core/service/streams/shapes');
    const hasBeside = account !== undefined && request.transport === 'WS';
    const { columns } = decodedShape({
      request,
      programs: () => NO_PROGRAMS,
      ...(hasBeside && { beside: new Transactions() }),
    });
    const info: protocol.StreamInfo = {
      id: `${this.#life}-${++this.#opened}`,
      source,
      title,
      method: request.method,
      transport: request.transport === 'GRPC' ? 'GRPC' : 'WS',
      endpoint: placed?.profile.name ?? '',
      ...(target.value.auth !== 'none' && { key: queryFor(target.value, target.value.keyType, request.keyLabel) }),
      columns,
    };
    // Asked again: the block may have taken a while to be filled in.
    const still = this.deps.window.permit();
    if (!still.ok) return { kind: 'refused', error: still.error };
    const plan: StreamPlan = { info, placed, request, ...known({ until, account }) };
    const settled = await this.#settleProxy();
    if (settled !== undefined) return { kind: 'refused', error: settled };
    if (this.#worker === undefined) {
      this.#worker = this.#start();
      await this.idlsChanged();
    }
    const tick = await this.#ask('openStream', plan);
    if (tick === undefined) return { kind: 'refused', error: GONE };
    this.#known.set(info.id, { info, request, placed, target: target.value, tick });
    return { kind: 'opened', stream: info };
  }

  async #reopen(params: protocol.StreamParams): Promise<protocol.StreamResult> {
    const permit = this.deps.window.permit();
    if (!permit.ok) return { kind: 'refused', error: permit.error };
    const known = this.#known.get(params.id);
    // Its endpoint moved, as a local service that started again does: the client opens it from its source.
    if (known === undefined || !this.#isWhereItWas(known)) return { kind: 'gone' };
    return this.ask('reopenStream', params);
  }

  /** The window's state changed: streams stop with its trust. */
  windowChanged(): void {
    const { window } = this.deps;
    const permit = window.permit();
    if (!permit.ok) {
      this.#send({ kind: 'stopAll', error: permit.error });
      return;
    }
    this.#send({ kind: 'settings', respectPlan: window.state.settings['limits.respectPlan'] });
    void this.#settleProxy();
    // Another start is another ledger, at other ports, with other keys.
    const gone = [...this.#known.values()].filter((one) => one.placed?.source === 'local' && !this.#isWhereItWas(one));
    if (gone.length > 0) this.#send({ kind: 'stopAll', error: LOCAL_GONE, ids: gone.map(({ info }) => info.id) });
  }

  /** Other IDLs are known. Where there are no streams nothing is read: the first one asks. */
  async idlsChanged(): Promise<void> {
    if (this.#worker === undefined) return;
    const asked = ++this.#idlsAsked;
    const idls = await this.deps.idls();
    // A later question has the newer answer.
    if (asked === this.#idlsAsked) this.#send({ kind: 'idls', idls });
  }

  /** Ends every stream and the worker with them. */
  async end(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    // Also if the worker breaks meanwhile.
    const exit = new Promise((resolve) => worker.once('exit', resolve));
    this.#send({ kind: 'end' });
    const late = setTimeout(() => void worker.terminate(), END_MS);
    await exit;
    clearTimeout(late);
  }

  /** Whether its endpoint still leads to the place it was opened at, in the same way. */
  #isWhereItWas({ placed, request, target }: Known): boolean {
    const { window } = this.deps;
    const named = placed === undefined ? undefined : profileNamed(window, placed.profile.name);
    if (placed !== undefined && request.url === undefined && named === undefined) return false;
    const settled = settle(profileFor(named, request, window.state.profiles), request);
    return settled.ok && placeOf(settled.value) === placeOf(target);
  }

  async #wanted(source: protocol.StreamSource, signal: AbortSignal): Promise<Preparing<Wanted>> {
    if (source.kind === 'block') return this.deps.prepare(source, signal);
    const { address, endpoint } = source;
    if (!isPublicKey(address)) return failed(invalidRequest('This is not the address of an account.'));
    const placed = profileNamed(this.deps.window, endpoint);
    if (placed === undefined) return failed(noEndpoint(endpoint));
    const { request } = accountRequests(address, placed);
    return ok({ request, placed, title: address, account: address });
  }

  /** Sends the worker the current proxy; returns an error if the setting is invalid. */
  async #settleProxy(): Promise<ServiceError | undefined> {
    const settled = await this.deps.wayOut.settle();
    if (!settled.ok) return settled.error;
    this.#send(this.#proxy());
    return undefined;
  }

  #proxy(): ToWorker {
    return { kind: 'proxy', proxy: sentProxy(this.deps.wayOut.connect.proxy) };
  }

  /** The worker's answer; undefined where it ended before. */
  #ask<V extends protocol.StreamVerb>(verb: V, ask: Asks[V]): Promise<Answers[V] | undefined> {
    this.#worker ??= this.#start();
    const answer = this.#calls.ask((call) => this.#send({ kind: 'ask', call, verb, ask } as ToWorker));
    return answer as Promise<Answers[V] | undefined>;
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #start(): Worker {
    // Its output is not ours: stdout is the editor's.
    const { suspensions, window } = this.deps;
    const workerData: WorkerStart = { salt: suspensions.salt };
    const file = path.join(__dirname, 'streamWorker.js');
    const worker = new Worker(file, { workerData, stdout: true, stderr: true, resourceLimits: WORKER_LIMITS });
    worker.on('message', (message: FromWorker) => void this.#take(message));
    // An error ends the worker: `exit` follows.
    worker.on('error', () => undefined);
    worker.on('exit', () => this.#lost(worker));
    const respectPlan = window.state.settings['limits.respectPlan'];
    worker.postMessage({ kind: 'settings', respectPlan } satisfies ToWorker);
    worker.postMessage(this.#proxy());
    for (const suspension of suspensions.kept)
      worker.postMessage({ kind: 'suspension', suspension } satisfies ToWorker);
    return worker;
  }

  async #take(message: FromWorker): Promise<void> {
    switch (message.kind) {
      case 'tick': {
        const known = this.#known.get(message.tick.id);
        if (known === undefined) return;
        const { slot, state } = message.tick;
        if (slot !== undefined && slot !== known.tick.slot && state.kind === 'live' && known.placed !== undefined)
          this.deps.onSlot(known.info.endpoint, BigInt(slot));
        known.tick = message.tick;
        this.deps.onTick(message.tick);
        return;
      }
      case 'answer':
        this.#calls.answer(message.call, message.answer);
        return;
      case 'key': {
        const { keys, window } = this.deps;
        const key = window.permit().ok ? await keyFor(keys, message.query) : undefined;
        this.#send({ kind: 'key', call: message.call, key });
        return;
      }
      case 'suspension':
        this.deps.suspensions.learn(message.suspension);
        return;
      case 'ended':
        return;
    }
  }

  #lost(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#calls.end();
    for (const known of this.#known.values()) {
      const { export: exported } = known.tick;
      const isTorn = exported?.kind === 'writing';
      known.tick = {
        ...known.tick,
        state: { kind: 'ended', by: 'service', error: GONE },
        ...(isTorn && { export: { kind: 'failed', file: exported.file, message: GONE.message } }),
      };
      this.deps.onTick(known.tick);
    }
    this.#known.clear();
    for (const draft of this.#drafts) discard(draft);
    this.#drafts.clear();
  }

  /** Keys were stored, rotated or removed. */
  keysChanged(origin: string, type: Parameters<typeof queryFor>[0]['keyType']): void {
    this.#send({ kind: 'keysChanged', origin, type });
  }
}

/** A target in one text: where it is, and how keys travel there. */
const placeOf = ({ url, auth, beside }: SendTarget): string => JSON.stringify([url.href, auth, beside ?? null]);

/**
 * Most memory of a busy stream is garbage at once. Node 24 lets up to 128 MB of it pile up before it collects; with
 * this bound the process stays 100 MB smaller and takes no more time (`npm run flood`).
 */
const WORKER_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 32 };

/** How long the worker may take to close its connections, in milliseconds. */
const END_MS = 3_000;

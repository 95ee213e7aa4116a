// Starts the local service as a child process, reports its state, restarts it after a crash with the same port and keys.
// Passes no secret in argv or the environment and writes nothing of the ready line anywhere.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { serviceEnvironment } from './environment';
import { readQuestion, type SourceAnswer, type SourceReader } from './sourceQuestions';
import { readReadyLine, type LocalServiceReady } from './readyLine';

export type { LocalServiceReady } from './readyLine';

export type LocalServiceState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly ready: LocalServiceReady }
  /** It exited unexpectedly and is restarting; keys stay the same, the ledger is new. */
  | { readonly kind: 'restarting'; readonly reason: string }
  /** `log` is the end of its stderr. */
  | { readonly kind: 'failed'; readonly why: LocalFailure; readonly reason: string; readonly log: readonly string[] }
  | { readonly kind: 'stopped' };

/** It did not start; its engine has no binary for this machine; it ended too often. */
export type LocalFailure = 'start' | 'platform' | 'crashes';

export interface LocalServiceOptions {
  /** The built program, `dist/localnet.js`. */
  readonly program: string;
  /** Options of the service in their long forms, without `--json`, `--with-parent` and those of the seed; no secrets. */
  readonly args?: readonly string[];
  /** One line, from which keys, wallet and admin token follow; random if absent. */
  readonly seed?: string;
  /** Options of Node in front of the program. */
  readonly nodeArgs?: readonly string[];
  readonly cwd?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Reads from another endpoint for the service, over a dedicated IPC channel. */
  readonly source?: SourceReader;
  /** Called with every new state; the first is `starting`. */
  readonly onState?: (state: LocalServiceState) => void;
  /** Called with each line of its stderr, before and after it is ready. */
  readonly onLine?: (line: string) => void;
}

/** How far a ledger is. */
export interface LedgerProgress {
  /** Of the newest block. */
  readonly slot?: number;
  /** On a fork: how many accounts it has of its source. */
  readonly fetched?: number;
}

/** Transactions per second of others on a ledger for trying out: something always happens on it. */
export const STEADY_TRAFFIC = 5;

/** No ready line after this long is a failed start. */
const START_MS = 20_000;
/** A service that does not end when asked is killed after this long. */
const STOP_MS = 3_000;
/** More crashes than this within the window, and it is given up. */
const MAX_CRASHES = 5;
const CRASH_WINDOW_MS = 180_000;
/** The exit code of a service whose engine has no binary here (`localnet/main.ts`). */
const NO_ENGINE = 69;
const LOG_LINES = 50;
const LOG_LINE_LENGTH = 500;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export class LocalService {
  #current: LocalServiceState = { kind: 'starting' };
  readonly #log: string[] = [];
  #crashes: number[] = [];
  #child: Child | undefined;
  #stopping = false;
  #port: string | undefined;
  /** Gives the same keys, wallet and admin token after a restart. */
  readonly #seed: string;
  readonly #waiting = new Set<(state: LocalServiceState) => void>();
  /** Who asked how far it is, in the order of the answers. */
  #asking: ((progress: LedgerProgress) => void)[] = [];

  constructor(private readonly options: LocalServiceOptions) {
    this.#seed = options.seed ?? randomBytes(32).toString('hex');
    options.onState?.(this.#current);
    this.#launch();
  }

  get state(): LocalServiceState {
    return this.#current;
  }

  /** The state once it is neither starting nor restarting: running, failed or stopped. */
  settled(): Promise<LocalServiceState> {
    if (this.#current.kind !== 'starting' && this.#current.kind !== 'restarting') return Promise.resolve(this.#current);
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** As `settled`; an abort of `signal` in the meantime stops the service. */
  async settledUnless(signal: AbortSignal): Promise<LocalServiceState> {
    const stop = (): void => void this.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.settled();
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Progress of its ledger; empty if it does not run, has no block yet, or ended meanwhile. */
  progress(): Promise<LedgerProgress> {
    const child = this.#child;
    if (child === undefined || this.#current.kind !== 'running') return Promise.resolve({});
    return new Promise((resolve) => {
      this.#asking.push(resolve);
      child.stdin.write('slot\n');
    });
  }

  /** Ends the service; resolves when its process is gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === undefined) return;
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await new Promise<void>((resolve) => {
      child.once('close', () => resolve());
      child.kill('SIGTERM');
    });
    clearTimeout(killer);
  }

  #launch(): void {
    const { program, nodeArgs = [], args = [], cwd, environment } = this.options;
    // After a crash it continues with its saved state: --reset was meant for an older one.
    const again = this.#port !== undefined;
    const port = this.#port === undefined ? [] : ['--port', this.#port];
    const given = again ? args.filter((arg) => arg !== '--reset') : args;
    const channel = this.options.source === undefined ? [] : (['ipc'] as const);
    const child = spawn(
      process.execPath,
      [...nodeArgs, program, '--json', '--with-parent', '--seed-stdin', ...given, ...port],
      {
        stdio: ['pipe', 'pipe', 'pipe', ...channel],
        env: serviceEnvironment(environment),
        // A terminal sends Ctrl+C to a whole group. It is for the command alone, which ends the service when it is done.
        detached: true,
        windowsHide: true,
        ...(cwd === undefined ? {} : { cwd }),
      },
      // Its first three streams are pipes, with and without the channel.
    ) as Child;
    this.#child = child;
    let ready = false;
    const startsBy = (): NodeJS.Timeout => setTimeout(() => child.kill('SIGKILL'), START_MS);
    let deadline = startsBy();
    // Time that others take to answer does not count as start time.
    this.#serveSource(child, {
      before: () => clearTimeout(deadline),
      after: () => {
        if (!ready) deadline = startsBy();
      },
    });
    const said: string[] = [];
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${this.#seed}\n`);
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (said.length < 2) said.push(line.slice(0, LOG_LINE_LENGTH));
      this.#note(line);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (ready) {
        this.#asking.shift()?.(progressIn(line));
        return;
      }
      clearTimeout(deadline);
      const read = readReadyLine(line);
      if (read === undefined) {
        child.kill('SIGKILL');
        return;
      }
      ready = true;
      this.#port = new URL(read.rpcUrl).port;
      this.#become({ kind: 'running', ready: read });
    });
    child.once('error', (error) => this.#note(error.message));
    child.once('close', (code, signal) => {
      clearTimeout(deadline);
      for (const tell of this.#asking.splice(0)) tell({});
      const how = code === null ? `signal ${signal}` : `exit code ${code}`;
      // After it ran once, a silent exit is another crash, however early.
      if (ready || this.#stopping || (again && said.length === 0)) this.#ended(how);
      else this.#unstarted(said, how, code === NO_ENGINE ? 'platform' : 'start');
    });
  }

  /** Answers the service's questions about its source until it ends. */
  #serveSource(child: Child, { before, after }: { readonly before: () => void; readonly after: () => void }): void {
    const { source } = this.options;
    if (source === undefined) return;
    const ended = new AbortController();
    child.once('close', () => ended.abort());
    child.on('message', (message: unknown) => {
      const asked = readQuestion(message);
      if (asked === undefined) return;
      before();
      void source(asked.question, ended.signal)
        .catch((): SourceAnswer => ({ ok: false, message: 'Its reader met an internal error.' }))
        .then((answer) => {
          if (ended.signal.aborted || !child.connected) return;
          after();
          child.send({ source: asked.id, ...(answer.ok ? { result: answer.result } : { failure: answer.message }) });
        });
    });
  }

  /** Reports the service's own message if it is a single line. */
  #unstarted([only, ...more]: readonly string[], how: string, why: LocalFailure): void {
    this.#child = undefined;
    const isSingleLine = only !== undefined && more.length === 0;
    this.#fail(why, isSingleLine ? only : `The local service did not start (${how}).`);
  }

  #ended(how: string): void {
    this.#child = undefined;
    if (this.#stopping) {
      this.#become({ kind: 'stopped' });
      return;
    }
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < CRASH_WINDOW_MS), now];
    if (this.#crashes.length > MAX_CRASHES)
      this.#fail('crashes', `The local service ended ${this.#crashes.length} times (${how}).`);
    else {
      this.#become({ kind: 'restarting', reason: `The local service ended by itself (${how}).` });
      this.#launch();
    }
  }

  #fail(why: LocalFailure, reason: string): void {
    this.#become({ kind: 'failed', why, reason, log: [...this.#log] });
  }

  #note(line: string): void {
    this.#log.push(line.slice(0, LOG_LINE_LENGTH));
    if (this.#log.length > LOG_LINES) this.#log.shift();
    this.options.onLine?.(line.slice(0, LOG_LINE_LENGTH));
  }

  #become(state: LocalServiceState): void {
    this.#current = state;
    this.options.onState?.(state);
    if (state.kind === 'starting' || state.kind === 'restarting') return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve(state);
  }
}

/** `{"slot":N,"fetched":N}`, as localnet/main.ts writes it. */
function progressIn(line: string): LedgerProgress {
  try {
    const { slot, fetched } = JSON.parse(line) as { readonly slot?: unknown; readonly fetched?: unknown };
    return {
      ...(typeof slot === 'number' && { slot }),
      ...(typeof fetched === 'number' && { fetched }),
    };
  } catch {
    return {};
  }
}

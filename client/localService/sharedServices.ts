// The local service that one window runs, for the other windows on the same folder: its ready line, with its keys, lies in
// the editor's secret storage while it runs. The window that removes it ends the service.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SecretStorage } from 'vscode';
import type { LedgerProgress, LocalServiceState } from '../../process/localService';
import { isRunning } from '../../process/running';
import { readReadyLine, readyLine, type LocalServiceReady } from '../../process/readyLine';
import { textOfSecret } from '../keys/keyVault';
import { Queue } from '../shared/queue';

/** How long a window may take to end its service when asked to, and how often this is checked. Milliseconds. */
const END_MS = 5_000;
const LOOK_EVERY_MS = 50;
/** Between two looks whether a service of another window is there, in milliseconds. */
const WATCH_EVERY_MS = 1_000;

export interface SharedService {
  /** The window that runs it. */
  readonly owner: string;
  readonly ready: LocalServiceReady;
  /** Names its ledger. */
  readonly ledger: string;
  /** The endpoint that its ledger is a fork of. */
  readonly fork?: string;
}

export interface SharedServicesOptions {
  readonly secrets: Pick<SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;
  /** The same for all windows on a folder, which its last part names (`storageFor`). */
  readonly place: string;
  /** Another window wrote: the service as it is now, undefined where it was ended. */
  readonly onChange: (shared: SharedService | undefined) => void;
}

export class SharedServices {
  readonly #options: SharedServicesOptions;
  readonly #entry: string;
  readonly #subscription: { dispose(): unknown };
  /** The entry as this window last wrote or read it: the storage reports a window's own writes, too. */
  #seen: string | undefined;
  readonly #queue = new Queue();

  constructor(options: SharedServicesOptions) {
    this.#options = options;
    this.#entry = `solanaRpc.localService.${path.basename(options.place)}`;
    this.#subscription = options.secrets.onDidChange(({ key }) => {
      if (key === this.#entry) void this.#queue.add(() => this.#look());
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** The service that runs now, in whichever window. */
  find(): Promise<SharedService | undefined> {
    return this.#queue.add(async () => {
      this.#seen = await this.#options.secrets.get(this.#entry);
      return running(this.#seen);
    });
  }

  /** Lends a service to the other windows, in place of what was there. */
  lend(shared: SharedService): Promise<void> {
    const { ready, ...more } = shared;
    const text = JSON.stringify({ ...more, line: readyLine(ready, textOfSecret) });
    return this.#queue.add(async () => {
      this.#seen = text;
      await this.#options.secrets.store(this.#entry, text);
    });
  }

  /** Ends the service of this window, for all; where another one was lent meanwhile, that one stays. */
  remove(owner: string): Promise<void> {
    return this.#queue.add(async () => {
      const text = await this.#options.secrets.get(this.#entry);
      if (text === undefined || membersOf(text).owner !== owner) return;
      this.#seen = undefined;
      await this.#options.secrets.delete(this.#entry);
    });
  }

  async #look(): Promise<void> {
    const text = await this.#options.secrets.get(this.#entry);
    if (text === this.#seen) return;
    this.#seen = text;
    const shared = running(text);
    if (shared !== undefined || text === undefined) this.#options.onChange(shared);
  }
}

/** A service that another window runs, as far as this one can do something about it. */
export class JoinedService {
  readonly #shared: SharedService;
  readonly #services: Pick<SharedServices, 'remove'>;
  readonly #onEnd: () => void;
  readonly #watch: NodeJS.Timeout;

  /** `onEnd`: it has ended, with its window too, which may have had no time to say so. */
  constructor(shared: SharedService, services: Pick<SharedServices, 'remove'>, onEnd: () => void) {
    this.#shared = shared;
    this.#services = services;
    this.#onEnd = onEnd;
    this.#watch = setInterval(() => {
      if (!this.#isRunning) this.end();
    }, WATCH_EVERY_MS);
  }

  get #isRunning(): boolean {
    return isRunning(this.#shared.ready.pid);
  }

  /** The window that runs it. */
  get owner(): string {
    return this.#shared.owner;
  }

  settled(): Promise<LocalServiceState> {
    return Promise.resolve({ kind: 'running', ready: this.#shared.ready });
  }

  /** Only the window that runs the service knows its progress. */
  progress(): Promise<LedgerProgress> {
    return Promise.resolve({});
  }

  /** Has its window end it; resolves when its process is gone. */
  async stop(): Promise<void> {
    await this.#services.remove(this.owner);
    const end = performance.now() + END_MS;
    while (this.#isRunning && performance.now() < end) await pause(LOOK_EVERY_MS);
    this.end();
  }

  end(): void {
    this.leave();
    this.#onEnd();
  }

  /** Has nothing more to do with it. */
  leave(): void {
    clearInterval(this.#watch);
  }
}

/** Undefined also for what a window left that was killed: its service ended with it. */
function running(text: string | undefined): SharedService | undefined {
  const { owner, line, ledger, fork } = membersOf(text);
  const ready = typeof line === 'string' ? readReadyLine(line) : undefined;
  if (typeof owner !== 'string' || typeof ledger !== 'string' || ready === undefined) return undefined;
  if (!isRunning(ready.pid)) return undefined;
  return { owner, ready, ledger, ...(typeof fork === 'string' && { fork }) };
}

function membersOf(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

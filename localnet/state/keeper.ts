// Keeps a service between two runs: the ledger's changes and keys at once, usage and times of use a moment later.
// Knows what is kept; how it gets onto the disk is the file's.
import { randomBytes } from 'node:crypto';
import type { KeyType, Keyring } from '../keys/keyring';
import { CONSENSUS, type LedgerChain } from '../ledger/consensus';
import type { Ledger } from '../node/open';
import type { LedgerJournal, SavedChange } from '../ledger/saved';
import type { UsageMeter } from '../keys/meter';
import { StateFileError } from './error';
import { StateFile, type StartStateFile } from './file';
import { markOf } from './mark';
import type { LedgerOrigin, StateRecord } from './records';

/** Usage and times of use may be this old when the process is killed. */
const FLUSH_MS = 250;
/** Minutes of usage in one record. */
const MINUTES_AT_ONCE = 500;
const { slotMs, finalityLag, lamportsPerByte } = CONSENSUS.tower;
/** The ledger of a file that does not say: there was no other. */
const OLDER: LedgerChain = { consensus: 'tower', slotMs, finalityLag, lamportsPerByte };
const NO_KEYS = { rpc: 0, grpc: 0, swqos: 0 };

/** A seed that no other ledger has. */
export const freshSeed = (): string => randomBytes(32).toString('hex');

export interface KeeperOptions {
  /** A new file takes this seed, or a random one; a file with a seed keeps it. */
  readonly seed: string | undefined;
  /** Discards the file's content as soon as the service starts. */
  readonly isReset: boolean;
  /** Keeps the keys of a file that this user did not write on this machine. */
  readonly isTrusted: boolean;
}

export interface KeeperSources {
  readonly ledger: Pick<Ledger, 'saved'>;
  readonly keyring: Keyring;
  readonly meter: UsageMeter;
}

export class StateKeeper {
  /** The ledger's changes in the file, until the service starts; `undefined` if the file has no ledger yet. */
  saved: readonly SavedChange[] | undefined;
  /** The file's other records, until then. */
  #restored: readonly StateRecord[];
  /** True for a file that another run has left. */
  readonly #isOld: boolean;
  readonly #startFile: StartStateFile;
  #current: LedgerOrigin;
  #file: StateFile | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #used = new Set<string>();
  #sources: KeeperSources | undefined;

  /** True where the file came from elsewhere, so that its keys and usage were left out. */
  readonly hasNewKeys: boolean;

  /** Opens the file. `onFailure` is called once when it cannot be written any more. Throws StateFileError. */
  constructor(
    path: string,
    { seed, isReset, isTrusted }: KeeperOptions,
    private readonly onFailure: (error: StateFileError) => void,
  ) {
    const { restored, start } = StateFile.open(path, isReset);
    this.#isOld = restored.length > 0;
    this.#startFile = start;
    const origins = restored.flatMap((record) => (record.part === 'origin' ? [record.origin] : []));
    const fresh = { seed: seed ?? freshSeed(), hashSeed: freshSeed(), firstKeys: NO_KEYS };
    const last: LedgerOrigin = origins.at(-1) ?? fresh;
    const mark = markOf(keySeedOf(last));
    const isOwn = !this.#isOld || isTrusted || (mark !== undefined && last.mark === mark);
    this.hasNewKeys = !isOwn;
    this.#current = isOwn ? marked(last, mark) : withNewKeys(last);
    // Another writer of the file may know its keys. Its ledger stays, and with it the seed of the ledger's own accounts.
    this.#restored = isOwn ? restored.filter(({ part }) => part !== 'ledger') : [];
    const changes = restored.flatMap((record) => (record.part === 'ledger' ? [record.change] : []));
    this.saved = changes.length === 0 ? undefined : changes;
  }

  get origin(): LedgerOrigin {
    return this.#current;
  }

  /** Which chain an earlier run's ledger is; `undefined` in a new file. */
  get chain(): LedgerChain | undefined {
    return this.#isOld ? (this.#current.chain ?? OLDER) : undefined;
  }

  /** Notes which chain the ledger of a new file is. */
  madeAs(chain: LedgerChain): void {
    if (!this.#isOld) this.#current = { ...this.#current, chain };
  }

  /** True when an earlier run left its keys. */
  get hasKeys(): boolean {
    return this.#restored.some(({ part }) => part === 'key');
  }

  /** For the ledger: writes every change to the file before it is reported. */
  readonly journal: LedgerJournal = (change) => this.#file?.append({ part: 'ledger', change });

  /** For the keyring: a key that is not what it was. */
  readonly keyChanged = (keyId: string): void => {
    const key = this.#sources?.keyring.saved(keyId);
    if (key !== undefined) this.#file?.append({ part: 'key', key });
  };

  readonly keyUsed = (keyId: string): void => {
    this.#used.add(keyId);
  };

  /** The first key of a type is the one after `count` others. */
  countFirstKeys(type: KeyType, count: number): void {
    this.#current = { ...this.#current, firstKeys: { ...this.#current.firstKeys, [type]: count } };
  }

  /** Puts keys and usage back. Throws StateFileError if there are more keys than a service has. */
  restore({ keyring, meter }: Pick<KeeperSources, 'keyring' | 'meter'>): void {
    for (const record of this.#restored) {
      if (record.part === 'key' && !keyring.load(record.key))
        throw new StateFileError('The state file has more keys than a service can have. Move it away to start over.');
      if (record.part === 'usage') for (const minute of record.minutes) meter.load(minute);
    }
    meter.keepOnly(new Set(keyring.list().map(({ keyId }) => keyId)));
  }

  /**
   * Writes changes from now on. Afterwards a new file is complete; one of an earlier run contains everything but the
   * ledger, and is rewritten while the service runs.
   */
  async start(sources: KeeperSources): Promise<void> {
    this.#sources = sources;
    const file = this.#startFile(() => this.#all(sources), { onFailure: this.onFailure });
    this.#file = file;
    [this.saved, this.#restored] = [undefined, []];
    if (this.#isOld) {
      file.append({ part: 'origin', origin: this.#current });
      for (const { keyId } of sources.keyring.list()) this.keyChanged(keyId);
    }
    const written = file.compact();
    if (!this.#isOld) await written;
    this.#timer = setInterval(() => this.#flush(), FLUSH_MS).unref();
  }

  /** Writes what is still to be written and lets the file go. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#flush();
    await this.#file?.close();
  }

  #flush(): void {
    for (const keyId of this.#used) this.keyChanged(keyId);
    this.#used.clear();
    const minutes = this.#sources?.meter.takeChanges() ?? [];
    if (minutes.length > 0) this.#file?.append({ part: 'usage', minutes });
  }

  /** Everything as of now, however late it is read. */
  #all({ ledger, keyring, meter }: KeeperSources): Iterable<StateRecord> {
    const origin = this.#current;
    const keys = keyring.list().flatMap(({ keyId }) => keyring.saved(keyId) ?? []);
    const usage = meter.saved();
    const changes = ledger.saved();
    return (function* (): Generator<StateRecord, void, void> {
      yield { part: 'origin', origin };
      for (const key of keys) yield { part: 'key', key };
      for (let from = 0; from < usage.length; from += MINUTES_AT_ONCE)
        yield { part: 'usage', minutes: usage.slice(from, from + MINUTES_AT_ONCE) };
      for (const change of changes) yield { part: 'ledger', change };
    })();
  }
}

const keySeedOf = ({ seed, keySeed }: LedgerOrigin): string => keySeed ?? seed;

function marked({ mark: _before, ...origin }: LedgerOrigin, mark: string | undefined): LedgerOrigin {
  return { ...origin, ...(mark !== undefined && { mark }) };
}

function withNewKeys(origin: LedgerOrigin): LedgerOrigin {
  const keySeed = freshSeed();
  return marked({ ...origin, keySeed, firstKeys: NO_KEYS }, markOf(keySeed));
}

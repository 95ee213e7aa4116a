// The state file: a snapshot followed by a journal, in one file of checksummed lines. A change is written before it is
// reported, so that a killed process loses nothing it has acknowledged. Mode 0600: the file contains keys.
import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { discard, draftOf } from '../../process/leftovers';
import { fileAt, fillFromFile, openToAppend, requireStraightWay, withOwnFile } from '../files';
import { decodeRecords, encodeRecord, HEADER, type DecodedRecord, type StateBytes } from './codec';
import { StateFileError } from './error';
import { lockFile } from './lock';
import type { StateRecord } from './records';

const MODE = 0o600;
/** The journal may grow to this, or to the snapshot's own size, before a new snapshot takes its place. */
const JOURNAL_BYTES = 32 * 1024 * 1024;
/** The most that a file may have. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Bytes that are read at once. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** How often what was written is also forced onto the disk, for the day the machine itself goes down. */
const SYNC_MS = 1_000;
/** Bytes of a snapshot that are made before others get their turn. */
const TURN_BYTES = 256 * 1024;

export interface StateFileOptions {
  /** Called once when the file cannot be written any more; nothing is kept from then on. */
  readonly onFailure: (error: StateFileError) => void;
  readonly journalBytes?: number;
}

export class StateFile {
  /** `undefined` while the first snapshot of a new file is not in its place yet. */
  #file: number | undefined;
  readonly #release: () => void;
  readonly #timer: NodeJS.Timeout;
  /** Bytes behind the snapshot, and of it. */
  #journal = 0;
  #snapshot: number;
  #dirty = false;
  #failed = false;
  #compacting: Promise<void> | undefined;
  /** Records written while a new snapshot is being made: its journal. */
  #meanwhile: Buffer[] | undefined;

  private constructor(
    private readonly path: string,
    private readonly options: StateFileOptions,
    private readonly all: () => Iterable<StateRecord>,
    opened: Opened,
  ) {
    this.#file = opened.file;
    // Until now the file is as it was found: what it holds may still turn out to be no ledger.
    if (opened.file !== undefined) ftruncateSync(opened.file, opened.length);
    this.#release = opened.release;
    this.#snapshot = opened.length;
    this.#timer = setInterval(() => this.#sync(), SYNC_MS).unref();
  }

  /**
   * Opens the file; `restored` is its content without a torn end, and empty for a new file or if `isReset`. `start` then
   * takes the source of snapshots and returns the file to write to. A new file replaces the previous one with its first
   * snapshot: until then nothing changes on disk. Throws StateFileError.
   */
  static open(
    file: string,
    isReset = false,
  ): { readonly restored: readonly StateRecord[]; readonly start: StartStateFile } {
    const where = path.resolve(file);
    requireStraightWay(where);
    const release = guarded(where, () => lockFile(where));
    try {
      const { records, ...opened } = guarded(where, () => openRecords(where, isReset));
      return {
        restored: records,
        start: (all, options) => guarded(where, () => new StateFile(where, options, all, { ...opened, release })),
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Writes a record; it is kept when this returns, and in a new file once its first snapshot is written. */
  append(record: StateRecord): void {
    if (this.#failed) return;
    let line: Buffer;
    try {
      line = encodeRecord(record);
      if (this.#file !== undefined) writeAll(this.#file, line);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#meanwhile?.push(line);
    this.#dirty = true;
    this.#journal += line.length;
    if (this.#journal > Math.max(this.options.journalBytes ?? JOURNAL_BYTES, this.#snapshot)) void this.compact();
  }

  /** Puts a snapshot of everything in the place of the file: the old one stays until the new one is whole. */
  compact(): Promise<void> {
    this.#compacting ??= this.#writeSnapshot()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => (this.#compacting = undefined));
    return this.#compacting;
  }

  /** Waits for a snapshot that is being made, and lets the file go. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#compacting;
    if (this.#file !== undefined) {
      if (!this.#failed) fsyncSync(this.#file);
      closeSync(this.#file);
    }
    this.#release();
  }

  async #writeSnapshot(): Promise<void> {
    // The change that made the journal too long is not made yet: what is written now would lack it.
    await nextTurn();
    const next = draftOf(this.path);
    const file = openSync(next, 'wx', MODE);
    try {
      await this.#fill(file);
      renameSync(next, this.path);
    } catch (error) {
      closeSync(file);
      throw error;
    } finally {
      discard(next);
    }
    syncFolder(path.dirname(this.path));
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = file;
  }

  /** Writes everything, and behind it what changes meanwhile. */
  async #fill(file: number): Promise<void> {
    this.#meanwhile = [];
    let length = writeAll(file, Buffer.from(HEADER));
    let turn = 0;
    for (const record of this.all()) {
      const line = encodeRecord(record);
      length += writeAll(file, line);
      turn += line.length;
      if (turn < TURN_BYTES) continue;
      turn = 0;
      await nextTurn();
    }
    this.#snapshot = length;
    this.#journal = 0;
    for (const line of this.#meanwhile) this.#journal += writeAll(file, line);
    this.#meanwhile = undefined;
    fsyncSync(file);
  }

  #sync(): void {
    if (!this.#dirty || this.#failed || this.#file === undefined) return;
    this.#dirty = false;
    // A descriptor that a snapshot has replaced meanwhile needs no sync any more.
    fdatasync(this.#file, () => undefined);
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    const why = error instanceof Error ? error.message : String(error);
    this.options.onFailure(new StateFileError(`The state file ${this.path} cannot be written: ${why}.`));
  }
}

export type StartStateFile = (all: () => Iterable<StateRecord>, options: StateFileOptions) => StateFile;

interface Opened {
  readonly file: number | undefined;
  readonly length: number;
  readonly release: () => void;
}

function openRecords(
  where: string,
  isReset: boolean,
): Omit<Opened, 'release'> & { readonly records: readonly StateRecord[] } {
  const begun = { records: [], file: undefined, length: 0 };
  if (fileAt(where) === undefined || isReset) return begun;
  const read = withOwnFile(where, (file, size) => readRecords(where, new FileBytes(file, size)));
  return read === undefined ? begun : { ...read, file: openToAppend(where) };
}

/** The records of a file and where they end; undefined for a file that was never more than begun. Throws StateFileError. */
function readRecords(
  where: string,
  bytes: StateBytes,
): { readonly records: readonly StateRecord[]; readonly length: number } | undefined {
  const head = bytes.subarray(0, HEADER.length).toString('utf8');
  // The header may be cut off.
  if (!HEADER.startsWith(head)) throw new StateFileError(`${where} is not a state file of this version.`);
  if (head !== HEADER) return undefined;
  const decoded: DecodedRecord =
    bytes.length > MAX_BYTES ? { ok: false, message: 'it is larger than 2 GiB' } : decodeRecords(bytes);
  if (!decoded.ok) throw new StateFileError(`${where} cannot be used: ${decoded.message}. Move it away to start over.`);
  return decoded;
}

/** A file, in pieces. */
class FileBytes implements StateBytes {
  #piece = Buffer.alloc(0);
  #from = 0;

  constructor(
    private readonly file: number,
    readonly length: number,
  ) {}

  subarray(from: number, to: number): Buffer {
    const end = Math.min(to, this.length);
    if (from < this.#from || end > this.#from + this.#piece.length) {
      const piece = Buffer.allocUnsafe(Math.min(Math.max(end - from, PIECE_BYTES), this.length - from));
      this.#piece = piece.subarray(0, fillFromFile(this.file, piece, from));
      this.#from = from;
    }
    return this.#piece.subarray(from - this.#from, end - this.#from);
  }
}

/** Runs `action`; reports an error of the file system with the file's name. Throws StateFileError. */
function guarded<T>(where: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof StateFileError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new StateFileError(`The state file ${where} cannot be used: ${why}.`);
  }
}

function writeAll(file: number, bytes: Buffer): number {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
  return bytes.length;
}

/** A rename is on the disk once its folder is. Not every system can do that for a folder. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    return;
  }
}

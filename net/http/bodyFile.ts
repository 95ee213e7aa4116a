// Stores a response body while it streams: in memory at first, above a bound in a new file; indexed on the way and
// readable in parts during and after. Opens no socket. The file is private to its owner, never an existing one, and is
// removed if the body is incomplete.
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { Outline, type BytePart } from '../../core/service/response/outline';
import { JsonScanner } from '../../core/service/response/scanner';
import type { BodyFile } from '../../core/requests/run/model';

/** Bytes gathered before they are written: a call for every packet costs more than the packet. */
const GATHERED = 512 * 1024;
/** Bytes at the start that stay in memory during the transfer: a read of the file would have to wait its turn. */
const START = 128 * 1024;

/** A body that can be read while it still grows, and after its file was moved. */
export class StoredFile implements BodyFile {
  #path: string;
  /** The first bytes; all of them while there is no file. */
  #memory: Uint8Array[] = [];
  #held = 0;

  /** `bytes`: readable so far. */
  constructor(
    path: string,
    public bytes = 0,
  ) {
    this.#path = path;
  }

  get path(): string {
    return this.#path;
  }

  async moveTo(path: string): Promise<void> {
    await rename(this.#path, path);
    this.#path = path;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const end = offset + Math.max(0, Math.min(length, this.bytes - offset));
    if (end <= this.#held) return this.#remembered(offset, end);
    const handle = await this.#open();
    try {
      const buffer = new Uint8Array(end - offset);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** Bytes after the written ones, in memory. */
  hold(piece: Uint8Array): void {
    this.#memory.push(piece);
    this.#held += piece.length;
    this.bytes = this.#held;
  }

  /** All that is held, while there is no file. */
  get held(): readonly Uint8Array[] {
    return this.#memory;
  }

  /** The file that now stores the body, including what follows. */
  wentTo(path: string): void {
    this.#path = path;
    this.#memory = [this.#remembered(0, Math.min(START, this.#held)).slice()];
    this.#held = this.#memory[0]?.length ?? 0;
  }

  #remembered(start: number, end: number): Uint8Array {
    const slices: Uint8Array[] = [];
    let at = 0;
    for (const piece of this.#memory) {
      if (at >= end) break;
      if (at + piece.length > start) slices.push(piece.subarray(Math.max(0, start - at), end - at));
      at += piece.length;
    }
    const [only] = slices;
    return slices.length === 1 && only !== undefined ? only : Buffer.concat(slices);
  }

  /** Every read opens the file, so no reader needs to signal that it is the last. */
  async #open(): Promise<FileHandle> {
    const path = this.#path;
    try {
      return await open(path, 'r');
    } catch (error) {
      // Moved in this very moment.
      if (path === this.#path) throw error;
      return open(this.#path, 'r');
    }
  }
}

/** Stores a body chunk by chunk. Throws the file system's errors. */
export class BodyWriter {
  readonly file = new StoredFile('');
  #handle: FileHandle | undefined;
  #path: string | undefined;
  readonly #outline = new Outline();
  readonly #scanner = new JsonScanner(this.#outline);
  #gathered: Uint8Array[] = [];
  #waiting = 0;
  /** The write that is under way, or the last one. */
  #writing: Promise<void> = Promise.resolve();

  /** `isIndexed`: an index is made. */
  constructor(private readonly isIndexed: boolean) {}

  /** The index of the bytes so far, including items that are not written yet. */
  get root(): BytePart | undefined {
    return this.#outline.root;
  }

  get isInFile(): boolean {
    return this.#handle !== undefined;
  }

  /** Returns a promise if the next chunk has to wait. One write is in progress while the next is gathered. */
  add(piece: Uint8Array): Promise<void> | undefined {
    if (this.isIndexed) this.#scanner.push(piece);
    if (this.#handle === undefined) {
      this.file.hold(piece);
      return undefined;
    }
    this.#gathered.push(piece);
    this.#waiting += piece.length;
    if (this.#waiting < GATHERED) return undefined;
    const before = this.#writing;
    this.#write(this.#handle);
    return before;
  }

  /** From here on the body lies in a file. */
  async toFile(path: string): Promise<void> {
    // Readable by its owner alone; never an existing file, never through a link.
    const handle = await open(path, 'wx', 0o600);
    this.#handle = handle;
    this.#path = path;
    await writeAll(handle, this.file.held, this.file.bytes);
    this.file.wentTo(path);
  }

  /** All of a body that did not go to a file. */
  text(): string {
    return Buffer.concat(this.file.held).toString('utf8');
  }

  async finish(): Promise<void> {
    if (this.#handle === undefined) return;
    this.#write(this.#handle);
    await this.#writing;
    await this.#handle.close();
  }

  async discard(): Promise<void> {
    // The original error is the one to report; a failed clean-up must not replace it.
    await this.#writing.catch(() => undefined);
    await this.#handle?.close().catch(() => undefined);
    if (this.#path !== undefined) await rm(this.#path, { force: true }).catch(() => undefined);
  }

  /** Starts writing the gathered bytes after the write in progress. */
  #write(handle: FileHandle): void {
    const pieces = this.#gathered;
    const bytes = this.#waiting;
    this.#gathered = [];
    this.#waiting = 0;
    this.#writing = this.#writing.then(async () => {
      await writeAll(handle, pieces, bytes);
      this.file.bytes += bytes;
    });
    // The next waiter gets the error; until there is one it is not unhandled.
    this.#writing.catch(() => undefined);
  }
}

async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[], bytes: number): Promise<void> {
  if (pieces.length === 0) return;
  const { bytesWritten } = await handle.writev([...pieces]);
  if (bytesWritten < bytes) await handle.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
}

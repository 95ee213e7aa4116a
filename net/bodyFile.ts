// A response's body in a file of its own: written as it streams in, indexed on the way, read back in parts. Opens no
// socket. The file is its owner's alone, never one that was there before, and is removed where the body does not come whole.
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { Outline, type Part } from '../core/response/outline';
import { JsonScanner } from '../core/response/scanner';
import type { BodyFile } from '../core/run/model';

/** Bytes gathered before they are written: a call for every packet costs more than the packet. */
const GATHERED = 512 * 1024;

/** A file that can be read while it still grows, and after it was moved. */
export class StoredFile implements BodyFile {
  /** Bytes that can be read by now. */
  bytes = 0;
  #path: string;

  constructor(path: string) {
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
    const handle = await this.#open();
    try {
      const buffer = new Uint8Array(Math.max(0, Math.min(length, this.bytes - offset)));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** Each read opens it anew: nobody has to say when the last one was. */
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

/** Writes a body and its index. Throws what the file system throws. */
export class BodyWriter {
  readonly file: StoredFile;
  readonly #handle: FileHandle;
  readonly #outline = new Outline();
  readonly #scanner = new JsonScanner(this.#outline);
  #gathered: Uint8Array[] = [];
  #waiting = 0;

  private constructor(path: string, handle: FileHandle) {
    this.file = new StoredFile(path);
    this.#handle = handle;
  }

  static async create(path: string): Promise<BodyWriter> {
    // Readable by its owner alone; never an existing file, never through a link.
    return new BodyWriter(path, await open(path, 'wx', 0o600));
  }

  /** The index as far as the bytes have come; of items that are not written yet, too. */
  get root(): Part | undefined {
    return this.#outline.root;
  }

  async add(piece: Uint8Array): Promise<void> {
    this.#scanner.push(piece);
    this.#gathered.push(piece);
    this.#waiting += piece.length;
    if (this.#waiting >= GATHERED) await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#flush();
    await this.#handle.close();
  }

  async discard(): Promise<void> {
    // The error that led here is the one to tell; what cleaning up says does not replace it.
    await this.#handle.close().catch(() => undefined);
    await rm(this.file.path, { force: true }).catch(() => undefined);
  }

  async #flush(): Promise<void> {
    const gathered = Buffer.concat(this.#gathered, this.#waiting);
    this.#gathered = [];
    this.#waiting = 0;
    await this.#handle.writeFile(gathered);
    this.file.bytes += gathered.length;
  }
}

// Notices that nobody reads a stream any more without writing to it: a write fails only when there is something to write,
// and a quiet account may have nothing for hours.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** How often the other end is looked for. ms */
const LOOK_MS = 500;
/** Looks without a reader after which none is looked for. */
const MOST_MISSES = 4;

/**
 * Calls `then` once when the reader of the stream is gone; the answer ends the watch. Of a pipe Linux shows who holds its
 * other end; elsewhere, and of other streams, the next write fails.
 */
export function onReaderGone(stream: NodeJS.WriteStream, then: () => void): () => void {
  const stop = (): void => {
    clearInterval(timer);
    stream.off('error', gone).off('close', gone);
  };
  const gone = (): void => {
    stop();
    then();
  };
  const pipe = pipeOf(stream);
  const readers = pipe === undefined ? undefined : new PipeReaders(pipe);
  const timer = setInterval(() => {
    if (readers?.areGone() === true) gone();
  }, LOOK_MS).unref();
  if (readers === undefined) clearInterval(timer);
  readers?.areGone();
  stream.once('error', gone).once('close', gone);
  return stop;
}

/** `pipe:[INODE]`, as Linux names it; undefined for anything else. */
function pipeOf(stream: NodeJS.WriteStream): string | undefined {
  const fd = 'fd' in stream && typeof stream.fd === 'number' ? stream.fd : undefined;
  const link = process.platform !== 'linux' || fd === undefined ? undefined : linkAt(`/proc/self/fd/${fd}`);
  return link?.startsWith('pipe:') === true ? link : undefined;
}

class PipeReaders {
  /** The reader that was found last, as /proc/PID/fd/N. */
  #last: string | undefined;
  #wasSeen = false;
  #misses = 0;

  constructor(private readonly pipe: string) {}

  /** A reader that was never seen proves nothing: it may be another user's, or outside this container. */
  areGone(): boolean {
    if (this.#last !== undefined && linkAt(this.#last) === this.pipe) return false;
    if (!this.#wasSeen && this.#misses >= MOST_MISSES) return false;
    this.#last = this.#find();
    if (this.#last === undefined) this.#misses++;
    else this.#wasSeen = true;
    return this.#last === undefined && this.#wasSeen;
  }

  #find(): string | undefined {
    for (const pid of namesIn('/proc')) {
      if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
      for (const fd of namesIn(`/proc/${pid}/fd`)) {
        const place = `/proc/${pid}/fd/${fd}`;
        if (linkAt(place) === this.pipe && canRead(`/proc/${pid}/fdinfo/${fd}`)) return place;
      }
    }
    return undefined;
  }
}

/** Whether an open file may be read: its access mode is in the lowest bits of its flags, which are octal. */
function canRead(info: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(info, 'utf8'))?.[1] ?? '1';
    return (parseInt(flags, 8) & 3) !== 1;
  } catch {
    return false;
  }
}

/** Processes end, and others are nobody's business: what cannot be read is not there. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkAt(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch {
    return undefined;
  }
}

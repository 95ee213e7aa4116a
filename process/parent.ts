// The process that started this one: a line that it writes to standard input, and its end.

const MAX_LINE = 64 * 1024;
/** How often the parent is looked for. A parent that was killed closes no pipe that a grandchild holds open. ms */
const PARENT_POLL_MS = 1_000;

/**
 * The first line of a stream, without its end, for text that must not be in argv or the environment. The rest of the stream
 * is left to others; a stream that ends first gives the text so far.
 */
export function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer | string): void => {
      text += chunk.toString();
      if (!text.includes('\n') && text.length < MAX_LINE) return;
      stream.pause();
      finish();
    };
    const finish = (): void => {
      stream.off('data', onData).off('end', finish).off('error', reject);
      resolve(text.split(/\r?\n/, 1)[0] ?? '');
    };
    stream.on('data', onData).on('end', finish).on('error', reject);
  });
}

/**
 * Calls `end`, perhaps repeatedly, when standard input ends or the process that started this one is gone. Watches until
 * standard input is destroyed.
 */
export function endWithParent(end: () => void): void {
  if (process.stdin.readableEnded) end();
  process.stdin.on('end', end).on('error', end).resume();
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_POLL_MS).unref();
}

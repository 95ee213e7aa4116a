// The first line of a stream of text, for what must not stand in argv or the environment.

const MAX_LINE = 64 * 1024;

/** The line without its end; the rest of the stream is left to others. A stream that ends first gives what was there. */
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
      resolve(text.split('\n', 1)[0]?.trim() ?? '');
    };
    stream.on('data', onData).on('end', finish).on('error', reject);
  });
}

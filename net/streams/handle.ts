// What leaves net of an open stream: what its type says and nothing more.
import type { RawStream } from '../api';

/** The stream without what else is in it: it holds no connection, and with it no headers. */
export const handleOf = (stream: RawStream): RawStream => ({
  ended: stream.ended,
  get error() {
    return stream.error;
  },
  pause: () => stream.pause(),
  resume: () => stream.resume(),
  drained: () => stream.drained(),
  redact: (text) => stream.redact(text),
  close: () => stream.close(),
});

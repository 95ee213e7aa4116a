// Narrows a stream to its public interface.
import type { RawStream } from '../api';

/** The stream without its connection and headers. */
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

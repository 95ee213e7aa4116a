// The bound of a message from a gRPC service, and the refusal of one that breaks it.
import type { CheckFrame } from '../../proto/frames';
import { Refusal } from '../failures';

/** Bytes of one message from a service, decompressed; a block with its transactions and accounts fits. */
export const MAX_MESSAGE = 64 * 1024 * 1024;

/** Refuses compressed messages, which the HTTP/2 client never asks for, and those above the bound. */
export const checkFrame =
  (host: string): CheckFrame =>
  (size, isCompressed) => {
    if (!isCompressed && size <= MAX_MESSAGE) return;
    throw new Refusal({
      kind: 'protocol',
      message: isCompressed
        ? `${host} sent a compressed message that was not asked for.`
        : `${host} sent a message of ${size} bytes, above the bound of ${MAX_MESSAGE}.`,
      hint: isCompressed ? 'Check that grpcUrl is a gRPC service.' : 'Narrow the request with filters.',
    });
  };

/** Flow-control window of a connection and of each call, in bytes; measured: below 1 MB a fast stream has to wait for us. */
export const WINDOW = 1024 * 1024;

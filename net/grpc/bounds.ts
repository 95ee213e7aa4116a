// The size limit of a message from a gRPC service, and the refusal of a larger one.
import type { ServiceError } from '../../core/service/errors';
import type { CheckFrame } from '../../proto/frames';
import { RefusedAnswer } from '../failures';

/** Bytes of one message from a service, decompressed; a block with its transactions and accounts fits. */
export const MAX_GRPC_MESSAGE = 64 * 1024 * 1024;

/** `size`: of the message, in words. */
export const tooLargeError = (host: string, size = `more than ${MAX_GRPC_MESSAGE} bytes`): ServiceError => ({
  kind: 'protocol',
  message: `${host} sent a message of ${size}, which is above the bound.`,
  hint: 'Narrow the request with filters.',
});

export const unreadableError = (host: string): ServiceError => ({
  kind: 'protocol',
  message: `${host} sent a compressed message that cannot be unpacked.`,
  hint: 'Check that grpcUrl is a gRPC service.',
});

/** Refuses messages above the bound, and compressed ones if `isCompressible` is false. */
export const checkFrame =
  (host: string, isCompressible: () => boolean): CheckFrame =>
  (size, isCompressed) => {
    if (isCompressed && !isCompressible())
      throw new RefusedAnswer({
        kind: 'protocol',
        message: `${host} sent a compressed message that was not asked for.`,
        hint: 'Check that grpcUrl is a gRPC service.',
      });
    if (size > MAX_GRPC_MESSAGE) throw new RefusedAnswer(tooLargeError(host, `${size} bytes`));
  };

/** Flow-control window of a connection and of each call, in bytes; measured: below 1 MB a fast stream has to wait for us. */
export const WINDOW = 1024 * 1024;

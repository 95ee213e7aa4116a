// The state of a live stream: reported by the connection, shown by every shell.
import type { ServiceError } from '../errors';

/** Every state of "A stream"; `paused` is the panel's own, since what comes is counted all the same. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Updates missed while disconnected are being replayed from this slot. */
  | { readonly kind: 'catchingUp'; readonly fromSlot: string }
  | { readonly kind: 'reconnecting'; readonly attempt: number; readonly nextInMs: number; readonly error: ServiceError }
  /** The old key expired; the stream resumes by itself once the new one is stored. */
  | { readonly kind: 'keyRotated' }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** The service ended it because this client read too slowly; it is reopened. */
  | { readonly kind: 'lagged' }
  | { readonly kind: 'ended'; readonly by: 'user' | 'service' | 'until'; readonly error?: ServiceError };

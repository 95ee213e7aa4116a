// Errors by WebSocket close code (RFC 6455, 7.4.1; codes from 4000 on are the service's own).
import type { ServiceError } from '../../core/service/errors';
import { excerpt, quotedTail } from '../http/answer';

/** The code of a connection whose key was rotated or revoked. */
const KEY_ENDED = 4001;
/** The code of a connection whose key was suspended; the next request reports until when. */
const KEY_SUSPENDED = 4003;
const POLICY_VIOLATION = 1008;

interface CloseText {
  readonly kind: 'network' | 'protocol';
  /** Follows the host's name. */
  readonly message: string;
  readonly hint: string;
}

const CODES: Readonly<Record<number, CloseText>> = {
  1001: { kind: 'network', message: 'is going away', hint: 'Open the stream again in a moment.' },
  1002: { kind: 'protocol', message: 'says that the protocol was broken', hint: 'Check that the URL is right.' },
  1003: { kind: 'protocol', message: 'does not take what was sent', hint: 'Check the request.' },
  1006: {
    kind: 'network',
    message: 'closed the connection without a word',
    hint: 'Open the stream again; what came in between is lost.',
  },
  1007: { kind: 'protocol', message: 'does not take what was sent', hint: 'Check the request.' },
  1009: { kind: 'protocol', message: 'finds the request too large', hint: 'Use fewer or shorter filters.' },
  1011: { kind: 'network', message: 'had an internal error', hint: 'Open the stream again in a moment.' },
  1012: { kind: 'network', message: 'is restarting', hint: 'Open the stream again in a moment.' },
  1013: { kind: 'network', message: 'has too much to do', hint: 'Open the stream again in a moment.' },
};

/** The error of a close by the service; undefined for its normal end. `reason` is free of keys. */
export function closeError(code: number, reason: string, host: string): ServiceError | undefined {
  if (code === 1000 || code === 1005) return undefined;
  const words = quotedTail(excerpt(reason));
  if (code === KEY_ENDED || (code === POLICY_VIOLATION && /\bkey\b|\btoken\b|unauthori[sz]ed/i.test(reason)))
    return {
      kind: 'keyRejected',
      message: `${host} ended the connection of this key${words}.`,
      hint: 'A rotated or revoked key stops working at once: store the new one, then open the stream again.',
    };
  if (code === KEY_SUSPENDED)
    return {
      kind: 'suspended',
      message: `${host} ended the connection: it has suspended the key${words}.`,
      hint: 'The service lifts a suspension by itself; bursts far above the plan lead to one.',
    };
  const found = CODES[code] ?? { kind: 'network', message: 'closed the connection', hint: 'Open the stream again.' };
  const { kind, message, hint } = found;
  return { kind, message: `${host} ${message} (close code ${code})${words}.`, hint };
}

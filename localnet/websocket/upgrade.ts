// The opening of a WebSocket as HTTP: answers that are no upgrade, and the faults that strike it.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { replacementOf } from '../faults/deliver';
import { delayOf, KINDS_AT, UPGRADE } from '../faults/kinds';
import type { FaultBox } from '../faults/rules';
import type { Payer } from '../keys/access';

/** How long a client may take to end its half of a connection that was refused. ms */
const HALF_OPEN_MS = 5_000;

/** Answers the request with a status in place of the upgrade, and ends the connection. */
export function answerUpgrade(
  stream: Duplex,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): void {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const late = setTimeout(() => stream.destroy(), HALF_OPEN_MS).unref();
  stream.on('close', () => clearTimeout(late)).resume();
  stream.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
}

/** Opens the connection by `go`, or does what a fault puts in its place. */
export function openFaulty(faults: FaultBox, { keyId }: Payer, stream: Duplex, go: () => void): void {
  // A fault that names no method is meant for messages, unless only the opening can show it.
  const meant = (kind: string, method: string | undefined): boolean =>
    method === UPGRADE || kind === 'status' || kind === 'redirect';
  const fault = faults.strike('ws', { methods: [UPGRADE], keyIds: [keyId] }, KINDS_AT.upgrade, ({ kind, method }) =>
    meant(kind, method),
  );
  const replacement = replacementOf(fault);
  if (replacement !== undefined) {
    answerUpgrade(stream, replacement.status, fault?.body ?? '', replacement.headers ?? {});
    return;
  }
  switch (fault?.kind) {
    case 'drop':
      stream.destroy();
      return;
    case 'hang':
      // A client that gives up is noticed only by reading.
      stream.on('end', () => stream.destroy()).resume();
      return;
    case 'latency':
      void pause(delayOf(fault), undefined, { ref: false }).then(() => {
        if (!stream.destroyed) go();
      });
      return;
    case 'status':
    case 'redirect':
    case undefined:
      go();
  }
}

// Opens a WebSocket over net's sockets (connect.ts): key in its place, no compression, no redirects, bounded messages. A
// refused upgrade is judged like a refused request.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { failed, ok, type Result, type ServiceError } from '../../core/service/errors';
import { whenAborted } from '../aborts';
import { judgeAnswer } from '../http/answer';
import type { AuthorizedRequest } from '../auth/auth';
import type { NetClock } from '../api';
import type { Connect } from '../connect/connect';
import { hostPlace } from '../connect/place';
import { CANCELLED, failureOf, timedOut } from '../failures';
import type { HeaderPairs } from '../target/headers';
import type { Redactor } from '../secrets/redactor';
import { shownHost } from '../target/target';
import { MAX_TEXT_MESSAGE, TextGate } from './textGate';

/** Longest part of a refusal's body that is read, in bytes. */
const MAX_REFUSAL = 64 * 1024;

export interface Dialing {
  /** Without any key. */
  readonly url: URL;
  readonly authorized: AuthorizedRequest;
  /** The file's own. */
  readonly headers: HeaderPairs;
  readonly redactor: Redactor;
  readonly connect: Connect;
  readonly clock: NetClock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Dialed {
  readonly socket: WebSocket;
  /** All received bytes pass through it. */
  readonly gate: TextGate;
}

/** Opens a WebSocket. Every failure is a value; ends at once when `signal` is aborted. */
export function dial(dialing: Dialing): Promise<Result<Dialed>> {
  const { url, timeoutMs, signal } = dialing;
  const host = shownHost(url);
  if (signal.aborted) return Promise.resolve(failed(CANCELLED));
  const stop = new AbortController();
  return new Promise((resolve) => {
    const settle = (result: Result<Dialed>): void => {
      clearTimeout(timer);
      forget();
      resolve(result);
      if (!result.ok) stop.abort();
    };
    const timer = setTimeout(() => settle(failed(timedOut(host, timeoutMs))), timeoutMs);
    const forget = whenAborted(signal, () => settle(failed(CANCELLED)));
    upgrade(dialing, stop.signal).then(settle, (error: unknown) => settle(failed(failureOf(error, host))));
  });
}

async function upgrade(dialing: Dialing, signal: AbortSignal): Promise<Result<Dialed>> {
  const { url, authorized, headers, redactor } = dialing;
  const socket = await dialing.connect(hostPlace(url), signal);
  if (signal.aborted) {
    socket.destroy();
    return failed(CANCELLED);
  }
  const gate = new TextGate(socket);
  const webSocket = new WebSocket(`${url.protocol}//${url.host}${authorized.path}`, {
    // Node's HTTP takes any Duplex; the types of ws name only the usual one.
    createConnection: () => gate as Duplex as Socket,
    headers: Object.fromEntries([...headers, ...authorized.headers]),
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: MAX_TEXT_MESSAGE,
  });
  return new Promise((resolve, reject) => {
    const giveUp = (): void => webSocket.terminate();
    signal.addEventListener('abort', giveUp, { once: true });
    const settle = (): void => signal.removeEventListener('abort', giveUp);
    webSocket.once('open', () => {
      settle();
      gate.follow();
      resolve(ok({ socket: webSocket, gate }));
    });
    webSocket.once('unexpected-response', (_, response: IncomingMessage) => {
      // The refusal is the result now, and the socket is ours to end.
      refusalOf(response, dialing, redactor).then((error) => {
        settle();
        socket.destroy();
        resolve(failed(error));
      }, reject);
    });
    // Stays attached: nobody else handles an error after a refusal or the end.
    webSocket.on('error', (error) => {
      settle();
      reject(error);
    });
  });
}

async function refusalOf(
  response: IncomingMessage,
  { url, clock }: Dialing,
  redactor: Redactor,
): Promise<ServiceError> {
  const host = shownHost(url);
  const parts: Buffer[] = [];
  let bytes = 0;
  let isCut = false;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      isCut = bytes > MAX_REFUSAL;
      if (isCut) break;
    }
  } catch {
    // The body broke off: the status is enough.
    isCut = true;
  }
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, redactor.text(value)] as const] : [],
  );
  const body = Buffer.concat(parts).toString('utf8');
  const text = isCut ? redactor.cutText(body) : redactor.text(body);
  const error = judgeAnswer(
    { httpStatus: response.statusCode ?? 0, headers, text, host, unixMs: clock.unixMs() },
    [],
    false,
  );
  return (
    error ?? {
      kind: 'protocol',
      message: `${host} answered, but does not speak WebSocket at this path.`,
      hint: 'Check wsUrl in the endpoint profile: the hosted service serves WebSocket under /ws/sol.',
    }
  );
}

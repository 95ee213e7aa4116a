// Makes the faults of HTTP answers: writes an answer damaged in the way a rule asks for.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { deliver, writeHead, type HttpReply } from '../http/answer';
import { delayOf, faultStatus } from './kinds';
import type { Fault, FaultAt } from './rules';

const GARBAGE = '<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>';

/** The answer that a fault gives in place of the call's own, which then is never made; `undefined` for the other kinds. */
export function replacementOf(fault: Fault | undefined): HttpReply | undefined {
  if (fault?.kind !== 'status' && fault?.kind !== 'redirect') return undefined;
  return {
    status: faultStatus(fault),
    headers: { ...(fault.kind === 'redirect' ? { location: '/redirected' } : {}), ...fault.headers },
    body: fault.body ?? '',
  };
}

/** A route's answer to a request, and the fault that may damage it. */
export interface Routed {
  readonly answer: HttpReply;
  readonly fault?: FaultAt<'call' | 'restCall'> | undefined;
}

/** Writes the answer, damaged where the fault is one of damage; `undefined` when the client has gone. */
export function deliverRouted(
  request: IncomingMessage,
  response: ServerResponse,
  routed: Routed | undefined,
): Promise<void> | undefined {
  if (routed === undefined) {
    response.destroy();
    return undefined;
  }
  // The unread rest of a body must not be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  const { answer, fault } = routed;
  return fault === undefined ? deliver(response, answer) : damaged(response, answer, fault);
}

async function damaged(
  response: ServerResponse,
  answer: HttpReply,
  fault: FaultAt<'call' | 'restCall'>,
): Promise<void> {
  switch (fault.kind) {
    case 'latency':
      await pause(delayOf(fault));
      return deliver(response, answer);
    case 'drop':
      await textOf(answer);
      response.destroy();
      return;
    case 'hang':
      // The call is made; its answer never comes. The client's own deadline ends it, or the end of the service.
      await textOf(answer);
      return;
    case 'garbage':
      await textOf(answer);
      return deliver(response, {
        status: faultStatus(fault),
        contentType: 'text/html',
        body: fault.body ?? GARBAGE,
        ...(fault.headers === undefined ? {} : { headers: fault.headers }),
      });
    case 'truncate': {
      const bytes = Buffer.from(await textOf(answer));
      writeHead(response, answer);
      response.setHeader('content-length', bytes.length);
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
      return;
    }
    case 'slowloris':
      return drip(response, answer, delayOf(fault));
    case 'status':
    case 'redirect':
    case 'wrongid':
      // Done by now: the answer is that of the fault, or has its id.
      return deliver(response, answer);
  }
}

async function drip(response: ServerResponse, answer: HttpReply, ms: number): Promise<void> {
  const bytes = Buffer.from(await textOf(answer));
  writeHead(response, answer);
  for (let at = 0; at < bytes.length && !response.destroyed; at++) {
    response.write(bytes.subarray(at, at + 1));
    await pause(ms, undefined, { ref: false });
  }
  response.end();
}

async function textOf(answer: HttpReply): Promise<string> {
  if (typeof answer.body === 'string') return answer.body;
  let text = '';
  for await (const chunk of answer.body) text += chunk;
  return text;
}

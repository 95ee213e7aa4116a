// Decides by its method whether a request sends a transaction or only reads: on any transport, alone or in a batch. A
// method that only a run can know counts as sending until it is filled in.
import { callsIn } from '../../solana/json/calls';
import { fillBody } from '../document/variables/fill';
import { isSendingMethod } from '../../solana/wire/sending';
import { isJsonArray, isJsonObject, member, parseJson, type JsonValue } from '../../solana/json/json';
import type { Home } from '../document/variables/evaluate';
import type { PreparedRequest } from './model';

/** How methods that change nothing are named, those of providers among them. */
const READS = /^(?:get|is|minimum|search|simulate)[A-Z]/;

/** Whether a request that is ready to leave sends a transaction. */
export function sendsTransaction({ transport, method, body }: PreparedRequest): boolean {
  if (transport === 'GRPC') return isSendingCall(method);
  return callsIn(parseJson(body)).some(({ request }) => isSendingMethod(member(request, 'method')));
}

/** Whether a block sends a transaction once it is filled in, or may: its method is not known before a run. */
export function maySendTransaction({ scope, block }: Home): boolean {
  const { requestLine, body } = block;
  if (requestLine?.transport === 'GRPC') return isSendingCall(requestLine.method?.text ?? '');
  if (body?.valid !== true) return false;
  const { value, isUnknown } = fillBody(scope, block, body).filled;
  const calls = isJsonArray(value) ? value : [value];
  return calls.some((call: JsonValue) => {
    if (!isJsonObject(call)) return isUnknown(call);
    const method = member(call, 'method');
    if (method !== undefined && isUnknown(method)) return true;
    return isSendingMethod(method) || Object.keys(call).some((key) => isUnknown(key));
  });
}

/** Whether a block has one answer and changes nothing; false if that is unknown until it is filled in. */
export function onlyReads({ scope, block }: Home): boolean {
  const { requestLine, body } = block;
  if (requestLine !== undefined && requestLine.transport !== 'POST') return false;
  if (body?.valid !== true) return false;
  const { value } = fillBody(scope, block, body).filled;
  return callsIn(value).every(({ request }) => {
    const method = member(request, 'method');
    return typeof method === 'string' && READS.test(method);
  });
}

/** The call of a gRPC path `package.Service/Method`. */
const isSendingCall = (path: string): boolean => isSendingMethod(path.slice(path.lastIndexOf('/') + 1));

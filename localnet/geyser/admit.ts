// Who makes a gRPC call: the same keys, plans and usage as over HTTP. The key comes as metadata (`authorization`,
// `x-token` or `api_key`) or as `?api_key=` on the path; each one presented must be good.
import { browserRefusal } from '../guard/browser';
import { parseTarget } from '../guard/target';
import type { ServiceContext } from '../calls/context';
import { identify, takeRequest, suspended, wrongKeyType, type AccessRefusal } from '../keys/access';
import type { ApiKey } from '../keys/keyring';
import { singleHeader, type GeyserCall } from './call';
import type { Status } from './status';

export type Admission =
  | { readonly ok: true; readonly key: ApiKey; readonly path: string }
  | { readonly ok: false; readonly status: Status };

/** Metadata that holds a bare key. */
const KEY_METADATA = ['x-token', 'api_key'];

/** Identifies the caller and takes the call's cost. A refused call of a known key counts in its usage as an error. */
export function admit(context: ServiceContext, call: GeyserCall, port: number): Admission {
  const { headers } = call;
  const { ':authority': authority = headers.host, host = authority } = headers;
  // `host` may repeat `:authority` (RFC 9113, 8.3.1); where they differ, the call has no host that is let in.
  const guarded = browserRefusal({ ...headers, host: host === authority ? host : undefined }, port, false);
  if (guarded !== undefined) return { ok: false, status: { code: 'PERMISSION_DENIED', message: guarded } };
  const target = parseTarget(headers[':path']);
  if (target === undefined) return { ok: false, status: { code: 'UNIMPLEMENTED', message: 'There is no such path' } };

  const query = new URLSearchParams(target.searchParams);
  for (const name of KEY_METADATA) {
    const key = singleHeader(headers[name]);
    if (key !== undefined && key !== '') query.append('api_key', key);
  }
  const path = target.pathname;
  const method = path.slice(1);
  const refuse = (refusal: AccessRefusal): Admission => {
    if (refusal.key !== undefined) context.meter.record(refusal.key.keyId, method, true);
    return { ok: false, status: statusOfRefusal(refusal) };
  };
  const identified = identify(context.keyring, { authorization: headers.authorization, query }, context.now());
  if (!identified.ok) return refuse(identified.refusal);
  const key = identified.value.find(({ type }) => type === 'grpc');
  const other = identified.value.find(({ type }) => type !== 'grpc');
  if (key === undefined || other !== undefined) return refuse(wrongKeyType(other, 'grpc', 'gRPC'));

  // A call costs one request of the plan; messages on its stream cost nothing.
  const refused = takeRequest(context.keyring, key, context.now());
  if (refused === undefined) return { ok: true, key, path };
  if (refused.kind === 'suspended') return refuse(suspended(key, refused.retryAfterSeconds));
  context.meter.record(key.keyId, method, true);
  const { message, retryAfterSeconds } = refused;
  return { ok: false, status: { code: 'RESOURCE_EXHAUSTED', message, retryAfterSeconds } };
}

export function statusOfRefusal({ status, message, retryAfterSeconds }: AccessRefusal): Status {
  const code = status === 401 ? 'UNAUTHENTICATED' : 'PERMISSION_DENIED';
  return retryAfterSeconds === undefined ? { code, message } : { code, message, retryAfterSeconds };
}

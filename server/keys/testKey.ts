// Tries a key with one cheap call, and finds out which type a key of the wrong type is. Sends no transaction.
import { ok, type KeyType, type Result, type ServiceError } from '../../core/errors';
import type { PlacedProfile } from '../../core/profile';
import type { Exchange, PreparedRequest } from '../../core/run/model';
import type { KeyPort, Net, Target } from '../../net/api';
import { settleInterface } from '../../net/target/target';
import type { TestKeyParams, TestKeyResult } from '../../protocol/lsp';
import { profileNamed } from '../profiles';
import type { Transports } from '../run/transports';
import type { Window } from '../window';

const TIMEOUT_MS = 10_000;

export async function testKey(
  window: Window,
  transports: Transports,
  keys: KeyPort,
  { profile, type, label }: TestKeyParams,
  signal: AbortSignal,
): Promise<TestKeyResult> {
  const placed = profileNamed(window, profile);
  if (placed === undefined) return refused({ kind: 'invalidRequest', message: 'This endpoint is gone.' });
  let verdict: TestKeyResult = { kind: 'accepted' };
  const answer = await transports.once(keys, async (net) => {
    verdict = await judge(net, placed, type, label, signal);
    return ok(undefined);
  });
  return answer.ok ? verdict : refused(answer.error);
}

const refused = (error: ServiceError, actual?: KeyType): TestKeyResult => ({
  kind: 'refused',
  error,
  ...(actual !== undefined && { actual }),
});

async function judge(
  net: Net,
  placed: PlacedProfile,
  type: KeyType,
  label: string | undefined,
  signal: AbortSignal,
): Promise<TestKeyResult> {
  const target = settleInterface(placed, type);
  if (!target.ok) return refused(target.error);
  if (type === 'grpc') {
    const opened = errorOf(await call(net, target.value, GRPC_CALL, label, signal));
    if (opened === undefined || opened.kind === 'rpc') return { kind: 'accepted' };
    return refused(
      opened,
      opened.kind === 'wrongKeyType' ? await typeOver(net, placed, target.value.origin, label, signal) : undefined,
    );
  }
  if (target.value.interface === 'swqos') {
    // A sender answers nothing but sends; the call names no transaction.
    const sent = errorOf(await call(net, target.value, 'sendTransaction', label, signal));
    return sent === undefined || sent.kind === 'rpc' ? { kind: 'accepted' } : refused(sent);
  }
  const read = errorOf(await call(net, target.value, 'getSlot', label, signal));
  if (type === 'rpc') {
    if (read === undefined || read.kind === 'rpc') return { kind: 'accepted' };
    if (read.kind !== 'wrongKeyType') return refused(read);
    return refused(read, await sendsTransactions(net, target.value, label, signal));
  }
  // A SWQoS key opens nothing but sending: being told so, and not that it is unknown, is the good answer.
  if (read?.kind !== 'wrongKeyType') return refused(read ?? NO_SWQOS, read === undefined ? 'rpc' : undefined);
  const actual = await sendsTransactions(net, target.value, label, signal);
  return actual === 'swqos' ? { kind: 'accepted' } : refused(read, actual);
}

/** The cheapest call of the streaming service. */
const GRPC_CALL = 'geyser.Geyser/GetVersion';

/** The type of a key that may not stream, found over HTTPS; only at the origin the key is meant for. */
async function typeOver(
  net: Net,
  placed: PlacedProfile,
  origin: string,
  label: string | undefined,
  signal: AbortSignal,
): Promise<KeyType | undefined> {
  const target = settleInterface(placed, 'rpc');
  if (!target.ok || target.value.origin !== origin) return undefined;
  const read = errorOf(await call(net, target.value, 'getSlot', label, signal));
  if (read === undefined || read.kind === 'rpc') return 'rpc';
  const actual = read.kind === 'wrongKeyType' ? await sendsTransactions(net, target.value, label, signal) : undefined;
  return actual === 'swqos' ? actual : undefined;
}

const NO_SWQOS: ServiceError = {
  kind: 'wrongKeyType',
  needs: 'swqos',
  message: 'This key reads the ledger, so it is an RPC key.',
  hint: 'Create a SWQoS key in the dashboard.',
};

/** The type of a key that may not read: one that may send is a SWQoS key. The call names no transaction. */
async function sendsTransactions(
  net: Net,
  target: Target,
  label: string | undefined,
  signal: AbortSignal,
): Promise<KeyType | undefined> {
  const error = errorOf(await call(net, target, 'sendTransaction', label, signal));
  if (error?.kind === 'rpc') return 'swqos';
  return error?.kind === 'wrongKeyType' ? 'grpc' : undefined;
}

function call(
  net: Net,
  target: Target,
  method: string,
  label: string | undefined,
  signal: AbortSignal,
): Promise<Result<Exchange>> {
  const isGrpc = target.interface === 'grpc';
  const request: PreparedRequest = {
    transport: isGrpc ? 'GRPC' : 'POST',
    method,
    body: isGrpc ? '{}' : `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}`,
    ids: isGrpc ? [] : ['1'],
    isBatch: false,
    headers: [],
    timeoutMs: TIMEOUT_MS,
    ...(label !== undefined && { keyLabel: label }),
  };
  // The key goes alone, in the place its type takes: beside another one it would not be told apart.
  const { profile, interface: face, url, origin, auth, keyType } = target;
  return net.call({ profile, interface: face, url, origin, auth, keyType }, request, { signal });
}

/** A refusal within an answer and no answer at all are both errors here. */
function errorOf(answer: Result<Exchange>): ServiceError | undefined {
  return answer.ok ? answer.value.error : answer.error;
}

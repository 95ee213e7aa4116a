// Tries a key with one cheap call, and finds out which type a key of the wrong type is. Sends no transaction.
import { invalidRequest, ok, type KeyType, type Result, type ServiceError } from '../../core/service/errors';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { Exchange } from '../../core/requests/run/model';
import type { KeyPort, Net, SendTarget } from '../../net/api';
import { settleInterface } from '../../net/target/target';
import type { TestKeyParams, TestKeyResult } from '../../protocol/usage';
import { profileNamed } from '../profiles';
import type { Transports } from '../run/transports';
import type { Window } from '../window';
import { questionTo } from './question';

const TIMEOUT_MS = 10_000;

interface TestKeyDeps {
  readonly window: Window;
  readonly transports: Transports;
  readonly keys: KeyPort;
}

export async function tryKey(
  { window, transports, keys }: TestKeyDeps,
  { profile, type, label }: TestKeyParams,
  signal: AbortSignal,
): Promise<TestKeyResult> {
  const placed = profileNamed(window, profile);
  if (placed === undefined) return refused(invalidRequest('This endpoint is gone.'));
  const answer = await transports.once(keys, async (net) => ok(await verdictOn(type, { net, placed, label, signal })));
  return answer.ok ? answer.value : refused(answer.error);
}

const refused = (error: ServiceError, actual?: KeyType): TestKeyResult => ({
  kind: 'refused',
  error,
  ...(actual !== undefined && { actual }),
});

/** Shared by the calls of one test. */
interface KeyTest {
  readonly net: Net;
  readonly placed: PlacedProfile;
  readonly label: string | undefined;
  readonly signal: AbortSignal;
}

async function verdictOn(type: KeyType, test: KeyTest): Promise<TestKeyResult> {
  const target = settleInterface(test.placed, type);
  if (!target.ok) return refused(target.error);
  if (type === 'grpc') {
    const opened = errorOf(await call(test, target.value, GRPC_CALL));
    if (opened === undefined || opened.kind === 'rpc') return { kind: 'accepted' };
    return refused(opened, opened.kind === 'wrongKeyType' ? await typeOver(test, target.value.origin) : undefined);
  }
  if (target.value.interface === 'swqos') {
    // A sender answers nothing but sends; the call names no transaction.
    const sent = errorOf(await call(test, target.value, 'sendTransaction'));
    return sent === undefined || sent.kind === 'rpc' ? { kind: 'accepted' } : refused(sent);
  }
  const read = errorOf(await call(test, target.value, 'getSlot'));
  if (type === 'rpc') {
    if (read === undefined || read.kind === 'rpc') return { kind: 'accepted' };
    if (read.kind !== 'wrongKeyType') return refused(read);
    return refused(read, await sendsTransactions(test, target.value));
  }
  // A SWQoS key may only send: 403 for its type, and not 401, is the good answer.
  if (read?.kind !== 'wrongKeyType') return refused(read ?? NO_SWQOS, read === undefined ? 'rpc' : undefined);
  const actual = await sendsTransactions(test, target.value);
  return actual === 'swqos' ? { kind: 'accepted' } : refused(read, actual);
}

/** The cheapest call of the streaming service. */
const GRPC_CALL = 'geyser.Geyser/GetVersion';

/** The type of a key that may not stream, found over HTTPS; only at the origin the key is meant for. */
async function typeOver(test: KeyTest, origin: string): Promise<KeyType | undefined> {
  const target = settleInterface(test.placed, 'rpc');
  if (!target.ok || target.value.origin !== origin) return undefined;
  const read = errorOf(await call(test, target.value, 'getSlot'));
  if (read === undefined || read.kind === 'rpc') return 'rpc';
  const actual = read.kind === 'wrongKeyType' ? await sendsTransactions(test, target.value) : undefined;
  return actual === 'swqos' ? actual : undefined;
}

const NO_SWQOS: ServiceError = {
  kind: 'wrongKeyType',
  needs: 'swqos',
  message: 'This key reads the ledger, so it is an RPC key.',
  hint: 'Create a SWQoS key in the dashboard.',
};

/** The type of a key that may not read: if it may send, it is a SWQoS key. The call names no transaction. */
async function sendsTransactions(test: KeyTest, target: SendTarget): Promise<KeyType | undefined> {
  const error = errorOf(await call(test, target, 'sendTransaction'));
  if (error?.kind === 'rpc') return 'swqos';
  return error?.kind === 'wrongKeyType' ? 'grpc' : undefined;
}

function call({ net, label, signal }: KeyTest, target: SendTarget, method: string): Promise<Result<Exchange>> {
  const request = {
    ...questionTo(target.interface, method, TIMEOUT_MS),
    ...(label !== undefined && { keyLabel: label }),
  };
  // The key is sent alone, in its type's place: with a second one it would be unclear which was refused.
  const { profile, interface: face, url, origin, auth, keyType } = target;
  return net.call({ profile, interface: face, url, origin, auth, keyType }, request, { signal });
}

/** A refusal within an answer and no answer at all are both errors here. */
function errorOf(answer: Result<Exchange>): ServiceError | undefined {
  return answer.ok ? answer.value.error : answer.error;
}

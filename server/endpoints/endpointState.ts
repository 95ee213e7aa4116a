// Asks an endpoint how it is: health, slot, version, genesis hash and consensus over JSON-RPC, or slot and version over gRPC. One
// request after the other, so that the second is measured on an open connection. Asks nothing by itself.
import { failed, invalidRequest, ok, type Result } from '../../core/service/errors';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { Chains } from '../../core/requests/run/chains';
import type { Exchange } from '../../core/requests/run/model';
import { known } from '../../core/solana/common/known';
import { jsonOf, member, printJson, type JsonValue } from '../../core/solana/json/json';
import type { Net, SendTarget } from '../../net/api';
import { settleInterface } from '../../net/target/target';
import type { EndpointFacts, EndpointStateParams, EndpointStateResult } from '../../protocol/endpointState';
import { profileNamed } from '../profiles';
import type { Transports } from '../run/transports';
import type { Window } from '../window';
import { shownBy } from '../../core/solana/chain/chain';
import { questionTo } from './question';

const CERTIFICATE = 'getAgGenesisCert';
/** For one request, in milliseconds. */
const TIMEOUT_MS = 8_000;

export async function askEndpointState(
  window: Window,
  transports: Transports,
  { profile }: EndpointStateParams,
  { signal, chains }: { readonly signal: AbortSignal; readonly chains: Chains },
): Promise<EndpointStateResult> {
  const placed = profileNamed(window, profile);
  if (placed === undefined) return { kind: 'failed', error: invalidRequest('This endpoint is gone.') };
  const face = faceOf(placed);
  if (face === undefined) return { kind: 'failed', error: NOTHING_TO_ASK };
  const target = settleInterface(placed, face);
  if (!target.ok) return { kind: 'failed', error: target.error };
  const answer = await transports.use((net) => {
    const asking: Asking = { net, target: target.value, signal };
    return face === 'rpc'
      ? overRpc(asking, (method, result) => chains.read(profile, method, result))
      : overGrpc(asking);
  });
  return answer.ok ? { kind: 'answered', ...answer.value } : { kind: 'failed', error: answer.error };
}

const faceOf = ({ profile }: PlacedProfile): 'rpc' | 'grpc' | undefined =>
  profile.rpcUrl !== undefined ? 'rpc' : profile.grpcUrl === undefined ? undefined : 'grpc';

const NOTHING_TO_ASK = invalidRequest(
  'This endpoint has no interface that says how it is.',
  'Give it an rpcUrl or a grpcUrl.',
);

interface Asking {
  readonly net: Net;
  readonly target: SendTarget;
  readonly signal: AbortSignal;
}

async function overRpc(
  asking: Asking,
  learn: (method: string, result: JsonValue | undefined) => void,
): Promise<Result<EndpointFacts>> {
  const health = await ask(asking, 'getHealth');
  if (!health.ok) return health;
  const unhealthy = health.value.error;
  if (unhealthy !== undefined && unhealthy.kind !== 'rpc') return failed(unhealthy);
  const slot = await ask(asking, 'getSlot');
  if (!slot.ok) return slot;
  const version = textOf(member(resultOf(await ask(asking, 'getVersion')), 'solana-core'));
  const genesisHash = textOf(resultOf(await ask(asking, 'getGenesisHash')));
  const certificate = resultOf(await ask(asking, CERTIFICATE));
  learn(CERTIFICATE, certificate);
  const consensus = shownBy(CERTIFICATE, certificate)?.consensus;
  const facts = { version, unhealthy: unhealthy?.message, genesisHash, consensus };
  return ok(known({ latencyMs: slot.value.durationMs, slot: slotText(resultOf(slot)), ...facts }));
}

async function overGrpc(asking: Asking): Promise<Result<EndpointFacts>> {
  const version = await ask(asking, 'geyser.Geyser/GetVersion');
  if (!version.ok) return version;
  const refusal = version.value.error;
  if (refusal !== undefined && refusal.kind !== 'rpc') return failed(refusal);
  const slot = await ask(asking, 'geyser.Geyser/GetSlot');
  if (!slot.ok) return slot;
  const said = geyserVersion(textOf(member(bodyOf(version), 'version')));
  const newest = slotText(member(bodyOf(slot), 'slot'));
  return ok(known({ latencyMs: slot.value.durationMs, slot: newest, version: said }));
}

/** The version is itself JSON: `{"version":{"package":"…","version":"…"}}` (yellowstone-grpc, "GetVersion"). */
function geyserVersion(text: string | undefined): string | undefined {
  const inner = text === undefined ? undefined : member(jsonOf(text), 'version');
  // Another service names its version as plain text.
  return textOf(member(inner, 'version')) ?? textOf(inner) ?? text;
}

function slotText(slot: JsonValue | undefined): string | undefined {
  const digits = slot === undefined ? '' : (textOf(slot) ?? printJson(slot));
  return /^\d{1,20}$/.test(digits) ? digits : undefined;
}

const ask = ({ net, target, signal }: Asking, method: string): Promise<Result<Exchange>> =>
  net.call(target, questionTo(target.interface, method, TIMEOUT_MS), { signal });

const bodyOf = (answer: Result<Exchange>): JsonValue | undefined =>
  answer.ok && answer.value.body.kind === 'text' ? answer.value.body.value : undefined;

const resultOf = (answer: Result<Exchange>): JsonValue | undefined => member(bodyOf(answer), 'result');

/** Longer values are ignored. UTF-16 units. */
const LONGEST = 200;

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value.length <= LONGEST ? value : undefined;

// Asks addresses of no known provider what they serve: getHealth over HTTPS, a subscription over WebSocket, GetVersion over
// gRPC. Each is asked once, all at the same time, and none for longer than a few seconds.
import { ok, type Result, type ServiceError } from '../../core/service/errors';
import { URL_OF, type PlacedProfile } from '../../core/service/profiles/profile';
import { withoutKeyPlace } from '../../core/service/providers/urlText';
import type { KeyPort, Net, SendTarget } from '../../net/api';
import { settleInterface } from '../../net/target/target';
import type { ProbedAddress, ProbeFinding, ProbeParams, ProbeResult } from '../../protocol/probing';
import type { Transports } from '../run/transports';
import type { Keys } from '../keys/keys';
import { questionTo } from './question';

/** For one address, in milliseconds. */
const TIMEOUT_MS = 8_000;
/** No more than there are interfaces. */
const MAX_ADDRESSES = 3;

export async function probeAddress(
  transports: Transports,
  keys: Pick<Keys, 'candidate'>,
  { addresses }: ProbeParams,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const asked = addresses.slice(0, MAX_ADDRESSES);
  const candidates = asked.flatMap(({ interface: face, candidate }) =>
    candidate === undefined ? [] : [[face, keys.candidate(candidate)] as const],
  );
  const ports = new Map<string, KeyPort>(candidates);
  const port: KeyPort = {
    key: (query, aborted) => ports.get(query.interface)?.key(query, aborted) ?? Promise.resolve({ kind: 'none' }),
  };
  const done = await transports.once(port, async (net) =>
    ok(await Promise.all(asked.map((address) => find(net, address, signal)))),
  );
  return done.ok ? { kind: 'probed', findings: done.value } : { kind: 'refused', error: done.error };
}

async function find(net: Net, address: ProbedAddress, signal: AbortSignal): Promise<ProbeFinding> {
  const face = address.interface;
  const target = settleInterface(placedAt(address), face);
  if (!target.ok) return { interface: face, outcome: 'nothing', error: target.error };
  // A service that asks to be left alone is not asked again.
  const stop = new AbortController();
  let isBusy = false;
  const options = {
    signal: AbortSignal.any([signal, stop.signal]),
    onWait: (): void => {
      isBusy = true;
      stop.abort();
    },
  };
  const asked = await ask(net, target.value, options);
  if (isBusy) return { interface: face, outcome: 'busy', error: BUSY };
  return { interface: face, ...judged(asked) };
}

/** Only the address, as the user agreed. Without a key it is probed without one, in any form. */
function placedAt({ interface: face, url, auth, candidate }: ProbedAddress): PlacedProfile {
  const isKeyless = candidate === undefined;
  const form = isKeyless ? ('none' as const) : auth;
  const address = isKeyless ? withoutKeyPlace(url) : url;
  return {
    source: 'user',
    profile: { name: 'probe', [URL_OF[face]]: address, ...(form !== undefined && { auth: { [face]: form } }) },
  };
}

type Asked = Result<{ readonly error?: ServiceError | undefined }>;

async function ask(
  net: Net,
  target: SendTarget,
  options: { readonly signal: AbortSignal; readonly onWait: () => void },
): Promise<Asked> {
  const request = questionTo(target.interface, METHODS[target.interface], TIMEOUT_MS);
  if (target.interface !== 'ws') return net.call(target, request, options);
  const opened = await net.open(target, request, options);
  if (!opened.ok) return opened;
  await opened.value.close();
  return ok({});
}

/** Read-only calls that every service of the kind offers. */
const METHODS: Readonly<Record<SendTarget['interface'], string>> = {
  rpc: 'getHealth',
  ws: 'slotSubscribe',
  grpc: 'geyser.Geyser/GetVersion',
  rest: '',
  swqos: '',
};

/** The gRPC status of a service that speaks gRPC and not this one. */
const UNIMPLEMENTED = 12;

function judged(asked: Asked): Omit<ProbeFinding, 'interface'> {
  const error = asked.ok ? asked.value.error : asked.error;
  if (error === undefined) return { outcome: 'answers' };
  switch (error.kind) {
    case 'rpc':
      return { outcome: error.code === UNIMPLEMENTED ? 'nothing' : 'answers', error };
    case 'keyRejected':
    case 'wrongKeyType':
    case 'suspended':
      return { outcome: 'wantsKey', error };
    case 'rateLimited':
      return { outcome: 'busy', error };
    default:
      return { outcome: 'nothing', error };
  }
}

const BUSY: ServiceError = {
  kind: 'rateLimited',
  message: 'It asks to be left alone for now.',
  hint: 'Try again in a moment.',
};

// Reads a watched account once its stream is open, as its first update, and again after a reconnect that replays nothing.
import type { Net, NetClock } from '../../net/api';
import { readAccount } from '../../net/streams/account';
import type { Follow } from '../../net/streams/follow';
import type { ProtoJson } from '../../proto/json';
import type { StreamPlan } from './messages';

interface ReadWorld {
  readonly net: Pick<Net, 'openRaw' | 'call'>;
  readonly clock: NetClock;
  readonly grpc: { bytesOfUpdate(path: string, json: ProtoJson): Uint8Array };
}

/** False: the node is behind what was seen before, so that something is missing. */
export async function readNow(
  { account, placed, request }: StreamPlan,
  { net, grpc, clock }: ReadWorld,
  again: { readonly follow: Follow | undefined; readonly sinceSlot: number | undefined },
  signal: AbortSignal,
): Promise<boolean> {
  const { follow, sinceSlot } = again;
  if (account === undefined || placed === undefined || placed.profile.rpcUrl === undefined) return true;
  const isGrpc = request.transport === 'GRPC';
  // There the service replays what was missed.
  if (sinceSlot !== undefined && isGrpc) return true;
  const now = await readAccount(
    {
      net,
      placed,
      address: account,
      transport: isGrpc ? 'GRPC' : 'WS',
      ...(sinceSlot !== undefined && sinceSlot >= 0 && { minSlot: sinceSlot }),
      toUpdate: (json) => grpc.bytesOfUpdate(request.method, json),
    },
    clock,
    signal,
  );
  if (now.kind === 'account' && !signal.aborted) follow?.insert(now.bytes);
  return signal.aborted || now.kind !== 'behind';
}

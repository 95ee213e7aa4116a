// Reads a watched account once its stream is open, as its first update, and again after a reconnect that replays nothing.
import { readAccount } from '../../net/streams/account';
import type { Follow } from '../../net/streams/follow';
import type { StreamPlan } from './messages';
import type { StreamWorld } from './stream';

/** False: the node is behind what was seen before, so that something is missing. */
export async function readNow(
  { account, placed, request }: StreamPlan,
  { net, grpc, clock }: Pick<StreamWorld, 'net' | 'grpc' | 'clock'>,
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

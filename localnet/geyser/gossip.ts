// One SubscribeGossip stream: the nodes of the ledger's cluster, which is this one, and its entry again with each ping.
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { SubscribeUpdateGossipSchema, type SubscribeUpdateContactInfoNodeSchema } from '../../proto';
import { decodeBase58 } from '../../core/solana/encoding/base58';
import { known } from '../../core/solana/common/known';
import type { RpcEngine, WireJson } from '../api';
import type { ApiKey } from '../keys/keyring';
import { wireAt } from '../wireJson';
import type { GeyserCall } from './call';
import { writeDamaged } from './faults';
import type { Status } from './status';
import type { StreamSources } from './subscription';
import { timestampOf } from './updates';

type Node = MessageInitShape<typeof SubscribeUpdateContactInfoNodeSchema>;
type Body = NonNullable<MessageInitShape<typeof SubscribeUpdateGossipSchema>['updateOneof']>;

/** Agave, among the clients that gossip numbers. */
const CLIENT_AGAVE = 3;

interface GossipSources extends Pick<StreamSources, 'now' | 'fault'> {
  readonly engine: RpcEngine;
}

export class GossipStream {
  #seq = 0n;

  constructor(
    private readonly call: GeyserCall,
    readonly key: ApiKey,
    private readonly sources: GossipSources,
  ) {}

  /** Opens the call with the snapshot. */
  async begin(): Promise<void> {
    const nodes = await this.#nodes();
    if (this.call.over) return;
    this.call.open();
    this.#send({ case: 'snapshot', value: { nodes: [...nodes] } });
  }

  /** Sends a ping, and the node's entry, which a node renews while it lives. */
  ping(): void {
    // A reader that does not read misses entries that a later one replaces.
    if (this.#seq === 0n || this.call.blocked) return;
    this.#send({ case: 'ping', value: {} });
    void this.#nodes().then((nodes) => {
      for (const node of nodes) this.#send({ case: 'node', value: node });
    });
  }

  end(status: Status): void {
    this.call.end(status);
  }

  async #nodes(): Promise<readonly Node[]> {
    const outcome = await this.sources.engine.call('getClusterNodes', undefined, { staked: false });
    const wallclock = BigInt(this.sources.now());
    return outcome.ok && Array.isArray(outcome.result)
      ? outcome.result.map((node: WireJson) => nodeOf(node, wallclock))
      : [];
  }

  #send(updateOneof: Body): void {
    const fault = this.sources.fault();
    if (this.call.over || fault?.kind === 'gap') return;
    const createdAt = timestampOf(this.sources.now());
    const message = create(SubscribeUpdateGossipSchema, { updateOneof, createdAt, seq: ++this.#seq });
    const parts = [toBinary(SubscribeUpdateGossipSchema, message)];
    if (fault?.kind === 'duplicate') this.call.write(parts);
    void writeDamaged(this.call, parts, fault);
  }
}

/** A node of getClusterNodes as its entry in gossip; `wallclock` is when it made the entry, in Unix milliseconds. */
function nodeOf(node: WireJson, wallclock: bigint): Node {
  const text = (name: string): string | undefined => {
    const value = wireAt(node, name);
    return typeof value === 'string' ? value : undefined;
  };
  const number = (name: string): number => Number(wireAt(node, name) ?? 0);
  const [versionMajor = 0, versionMinor = 0, versionPatch = 0] = (text('version') ?? '').split('.').map(Number);
  return {
    pubkey: decodeBase58(text('pubkey') ?? '') ?? new Uint8Array(),
    wallclock,
    shredVersion: number('shredVersion'),
    versionMajor,
    versionMinor,
    versionPatch,
    versionFeatureSet: number('featureSet'),
    versionClientId: CLIENT_AGAVE,
    ...known({ gossip: text('gossip'), rpc: text('rpc'), rpcPubsub: text('pubsub') }),
  };
}

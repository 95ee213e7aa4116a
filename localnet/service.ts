// Puts the service together over an open ledger: first keys, transports, admin interface. Owns no ledger and no process.
import { randomBytes, createHmac } from 'node:crypto';
import { encodeBase58 } from '../core/solana/encoding/base58';
import type { PlanName } from './keys/plans';
import type { AdminContext } from './admin/routes';
import { delayOf } from './faults/kinds';
import { FaultBox } from './faults/rules';
import { serveGrpc } from './geyser/listen';
import { GRPC_METHODS } from './geyser/serviceNames';
import { BodyReader } from './http/body';
import { closeServer, portOf, type HttpTimeouts } from './http/listen';
import { serveHttp } from './httpService';
import { issueFrom, Keyring, KEY_TYPE_NAMES, type IssuedKey, type KeyType } from './keys/keyring';
import type { Ledger } from './node/open';
import { serveOpen, type OpenPorts } from './open/serve';
import { StateFileError } from './state/error';
import type { StateKeeper } from './state/keeper';
import type { SourceChannel } from './source/channel';
import { UsageMeter } from './keys/meter';
import { Feed } from './websocket/feed';
import { serveWebSocket } from './websocket/listen';
import { PUBSUB } from './websocket/topics';

export interface ServiceOptions {
  /** 0 is any free port. */
  readonly port: number;
  /** Default 0. */
  readonly grpcPort?: number;
  /** Compressions of gRPC messages for clients that accept them; default none. */
  readonly grpcCompression?: readonly string[];
  /** The plan of the first keys. */
  readonly plan: PlanName;
  /** Serves without keys on these ports too; its close frees them. */
  readonly openPorts?: OpenPorts;
  /** The same first keys and admin token each time; random when undefined. Keys made later are always random. */
  readonly seed: string | undefined;
  /** Keeps the service's state between two runs; the ledger must have been opened with the same one. */
  readonly state?: StateKeeper;
  /** Where accounts are fetched from. */
  readonly source?: SourceChannel;
  /** Unix milliseconds; default the wall clock. */
  readonly now?: () => number;
  readonly timeouts?: HttpTimeouts;
}

export interface Service {
  readonly port: number;
  readonly grpcPort: number;
  readonly adminToken: string;
  /** The first key of each type. */
  readonly keys: Readonly<Record<KeyType, IssuedKey>>;
  close(): Promise<void>;
}

/** Rejects when the port is taken. */
export async function startService(ledger: Ledger, options: ServiceOptions): Promise<Service> {
  const now = options.now ?? Date.now;
  const { state } = options;
  const keyring = new Keyring({
    now,
    random: randomBytes,
    ...(state === undefined ? {} : { onChange: state.keyChanged, onUse: state.keyUsed }),
  });
  const known = new Set([...ledger.rpc.methods, ...PUBSUB.keys(), ...GRPC_METHODS]);
  const meter = new UsageMeter(known, now);
  state?.restore({ keyring, meter });
  const keys = firstKeys(keyring, options);
  await state?.start({ ledger, keyring, meter });
  const streams: { drop(): number; close(): void }[] = [];
  const context: AdminContext = {
    engine: ledger.rpc,
    cheats: ledger.cheats,
    fork: ledger.fork,
    source: options.source,
    keyring,
    meter,
    faults: new FaultBox(Math.random),
    bodies: new BodyReader(),
    adminToken: `admin_${encodeBase58(source(options.seed, 'admin')(24))}`,
    dropStreams: () => streams.reduce((sum, one) => sum + one.drop(), 0),
    now,
  };
  const trouble = (): void =>
    ledger.troubledBy({
      stall: () => {
        const fault = context.faults.strikeLedger('stall');
        return fault === undefined ? 0 : delayOf(fault);
      },
      fork: () =>
        context.faults.strikeLedger('fork') !== undefined
          ? 'lost'
          : context.faults.strikeLedger('twobanks') !== undefined
            ? 'replaced'
            : 'kept',
    });
  trouble();
  context.faults.onReplace(trouble);
  const http = await serveHttp(context, options.port, options.timeouts);
  const feed = new Feed(ledger, now);
  const stopFeed = feed.start();
  const grpc = await serveGrpc(context, ledger, {
    port: options.grpcPort ?? 0,
    compressions: options.grpcCompression ?? [],
  });
  streams.push(serveWebSocket(context, feed, http), grpc);
  // Usage belongs to keys: what comes without one is counted where nobody looks.
  const open =
    options.openPorts && serveOpen({ ...context, meter: new UsageMeter(known, now) }, feed, options.openPorts);
  if (open !== undefined) streams.push({ drop: () => open.drop(), close: () => undefined });
  return {
    port: portOf(http),
    grpcPort: grpc.port,
    adminToken: context.adminToken,
    keys,
    close: async () => {
      stopFeed();
      for (const one of streams) one.close();
      await closeServer(http);
      await open?.close();
    },
  };
}

function firstKeys(keyring: Keyring, { plan, seed, state }: ServiceOptions): Record<KeyType, IssuedKey> {
  const make = (type: KeyType): IssuedKey => {
    const before = state?.origin.firstKeys[type] ?? 0;
    const kept = state?.hasKeys === true ? issueFrom(type, source(seed, purposeOf(type, before))) : undefined;
    if (kept !== undefined && keyring.find(kept.key) !== undefined) return kept;
    // The one before was rotated or revoked: its secret is nobody's to print any more.
    const count = kept === undefined ? before : before + 1;
    const random = source(seed, purposeOf(type, count));
    const issued = keyring.create({ type, label: `First ${KEY_TYPE_NAMES[type]}`, plan }, random);
    if (issued === undefined) throw new StateFileError('There is no room for the keys that every start needs.');
    state?.countFirstKeys(type, count);
    return issued;
  };
  return { rpc: make('rpc'), grpc: make('grpc'), swqos: make('swqos') };
}

function purposeOf(type: KeyType, before: number): string {
  return before === 0 ? type : `${type}:${before}`;
}

/** Bytes for one purpose: the same ones for the same seed, else unpredictable. */
function source(seed: string | undefined, purpose: string): (bytes: number) => Uint8Array {
  if (seed === undefined) return randomBytes;
  return (bytes) => createHmac('sha256', seed).update(`service:${purpose}:${bytes}`).digest().subarray(0, bytes);
}

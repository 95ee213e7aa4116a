// P8, P9 and P11: account updates into a ring, over gRPC and WebSocket, to the ways others take them. The load comes from a
// process of its own, which writes frames encoded once and waits for whoever reads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Ring } from '../server/streams/ring';
import { interleaved, median, ratioOf, type Measured } from './measure';
import { peerFolder } from './peers';
import { grpcJs, intoRing, overWs, web3, yellowstone, type Ports, type Reader } from './streams/readers';

const ROUNDS = 5;
const COUNT = 200_000;
/** Of those that take far longer for each. */
const SLOW_COUNT = 20_000;
/** How long updates come after the ring is full, in milliseconds. */
const HELD_MS = 30_000;

async function withLoad<T>(work: (ports: Ports) => Promise<T>): Promise<T> {
  const serve = path.join(import.meta.dirname, 'streams', 'serve.mjs');
  const child = spawn(process.execPath, [serve], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return await work(JSON.parse(line.toString()) as Ports);
  } finally {
    child.kill();
  }
}

interface Compared {
  readonly name: string;
  readonly read: Reader | undefined;
  readonly count: number;
  readonly atLeast: number;
}

/** Our way beside each of the others, round by round. */
async function compare(goal: string, own: Reader, others: readonly Compared[]): Promise<Measured[]> {
  return withLoad(async (ports) => {
    const present = others.filter((other) => other.read !== undefined);
    const works = [
      () => own(ports, COUNT),
      ...present.map(
        ({ read, count }) =>
          () =>
            read?.(ports, count) ?? Promise.resolve(NaN),
      ),
    ];
    const [ours = [], ...theirs] = await interleaved(ROUNDS, works);
    const perSecond = (values: readonly number[]): string => `${(median(values) / 1_000).toFixed(0)}k/s`;
    return others.map(({ name, read, atLeast }): Measured => {
      const row = { goal, name, bound: { atLeast } };
      if (read === undefined) return { ...row, absent: 'no peer', note: 'could not be installed' };
      const values = theirs[present.findIndex((other) => other.name === name)] ?? [];
      return { ...row, figure: ratioOf(ours, values), note: `${perSecond(ours)} to ${perSecond(values)}` };
    });
  });
}

export async function measureGrpcStreams(): Promise<readonly Measured[]> {
  const peers = await peerFolder();
  return compare('P8', intoRing('GRPC'), [
    { name: 'gRPC updates into a ring, to grpc-js passing them on', read: grpcJs, count: COUNT, atLeast: 2 },
    {
      name: 'the same, to @triton-one/yellowstone-grpc',
      read: peers === undefined ? undefined : yellowstone(peers),
      count: SLOW_COUNT,
      atLeast: 20,
    },
  ]);
}

export async function measureWebSocketStreams(): Promise<readonly Measured[]> {
  const peers = await peerFolder();
  return compare('P9', intoRing('WS'), [
    { name: 'notifications into a ring, to ws + JSON.parse', read: overWs(true), count: COUNT, atLeast: 2 },
    { name: 'the same, to ws alone', read: overWs(false), count: COUNT, atLeast: 0.5 },
    {
      name: 'the same, to @solana/web3.js',
      read: peers === undefined ? undefined : web3(peers),
      count: SLOW_COUNT,
      atLeast: 10,
    },
  ]);
}

/** A panel that nobody looks at while updates pour in: what grows, once the ring is full. */
export async function measureHeldStream(): Promise<readonly Measured[]> {
  return withLoad(async (ports) => {
    const ring = new Ring();
    const read = intoRing('GRPC', ring);
    const perSecond = await read(ports, COUNT);
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const seen = ring.next;
    const count = Math.ceil((perSecond * HELD_MS) / 1_000);
    await read(ports, count);
    const grown = (process.memoryUsage().rss - before) / 1_000_000;
    const isExact = ring.dropped + (ring.next - ring.first) === ring.next && ring.next >= seen + count;
    return [
      {
        goal: 'P11',
        name: 'memory that grows while nobody looks',
        ...(isExact && { figure: Math.max(0, Math.round(grown)) }),
        unit: 'MB',
        bound: { atMost: 50 },
        note: isExact ? `${ring.next} came, ${ring.dropped} made room` : 'the counts do not add up',
      },
    ];
  });
}

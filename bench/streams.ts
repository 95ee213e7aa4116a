// P8 and P9: account updates into a ring, over gRPC and WebSocket, to the ways others take them. The load comes from a
// process of its own, which writes frames encoded once and waits for whoever reads.
import { interleaved, median, ratioOf, type Measured } from './measure';
import { peerFolder } from './peers';
import { streamLoad } from './streams/load';
import { grpcJs, intoRing, overWs, web3, yellowstone, type Reader } from './streams/readers';

const ROUNDS = 5;
const COUNT = 200_000;
/** Of those that take far longer for each. */
const SLOW_COUNT = 20_000;

interface Compared {
  readonly name: string;
  readonly read: Reader | undefined;
  readonly count: number;
  readonly atLeast: number;
}

/** Our way beside each of the others, round by round. */
async function compare(goal: string, own: Reader, others: readonly Compared[]): Promise<Measured[]> {
  const load = await streamLoad(import.meta.dirname);
  try {
    const present = others.filter((other) => other.read !== undefined);
    const busy: number[] = [];
    const ours = async (): Promise<number> => {
      const [before, since] = [await load.sent(), performance.now()];
      const perSecond = await own(load.ports, COUNT);
      const ms = performance.now() - since;
      busy.push(((await load.sent()).cpuMs - before.cpuMs) / ms);
      return perSecond;
    };
    const theirs = present.map(
      ({ read, count }) =>
        () =>
          read?.(load.ports, count) ?? Promise.resolve(NaN),
    );
    const [our = [], ...their] = await interleaved(ROUNDS, [ours, ...theirs]);
    const perSecond = (values: readonly number[]): string => `${(median(values) / 1_000).toFixed(0)}k/s`;
    const generator = `the load generator took ${(median(busy) * 100).toFixed(0)} % of a core for ours`;
    return others.map(({ name, read, atLeast }): Measured => {
      const row = { goal, name, bound: { atLeast } };
      if (read === undefined) return { ...row, absent: 'no peer', note: 'could not be installed' };
      const values = their[present.findIndex((other) => other.name === name)] ?? [];
      const note = `${perSecond(our)} to ${perSecond(values)}; ${generator}`;
      return { ...row, figure: ratioOf(our, values), note };
    });
  } finally {
    await load.stop();
  }
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

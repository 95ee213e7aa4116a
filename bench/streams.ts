// P8 and P9: account updates into a ring, over gRPC and WebSocket, compared with other receivers. The load is from a
// separate process, which writes pre-encoded frames at the reader's pace: each is an update of a token account with all
// fields filled (bench/streams/updates.ts).
import { interleaved, median, ratioOf, type Measured } from './measure';
import { peerFolder } from './peers';
import { streamLoad, type StreamLoad } from './streams/load';
import { Ring } from '../runner/streams/ring';
import { grpcJs, intoRing, overWs, web3, yellowstone, type Reader } from './streams/readers';

const ROUNDS = 5;
/** Updates of a turn: each way reads for about a second, so that what else the machine does meets all of them alike. */
const TURNS = { grpc: 1_500_000, grpcJs: 250_000, yellowstone: 25_000, ws: 1_000_000, wsParsed: 250_000, web3: 30_000 };

interface Compared {
  readonly name: string;
  readonly read: Reader | undefined;
  readonly count: number;
  readonly atLeast: number;
}

/** Processor time of one way's turns: of this process with all its threads, and of the load generator. */
interface Spent {
  /** Microseconds an update. */
  readonly ours: number[];
  /** Parts of a core. */
  readonly generator: number[];
}

/** A turn that notes what it spent. */
const turn = (load: StreamLoad, read: Reader, count: number, spent: Spent) => async (): Promise<number> => {
  const [sent, since, cpu] = [await load.sent(), performance.now(), process.cpuUsage()];
  const perSecond = await read(load.ports, count);
  const { user, system } = process.cpuUsage(cpu);
  const ms = performance.now() - since;
  spent.ours.push((user + system) / count);
  spent.generator.push(((await load.sent()).cpuMs - sent.cpuMs) / ms);
  return perSecond;
};

const noneSpent = (): Spent => ({ ours: [], generator: [] });

/** Compares our way with each of the others, round by round. */
async function compare(
  goal: string,
  own: Required<Pick<Compared, 'read' | 'count'>>,
  others: readonly Compared[],
): Promise<Measured[]> {
  const load = await streamLoad(import.meta.dirname);
  try {
    const ways = [own, ...others].flatMap(({ read, count }) => {
      const spent = noneSpent();
      return read === undefined ? [] : [{ read, spent, work: turn(load, read, count, spent) }];
    });
    const rates = await interleaved(
      ROUNDS,
      ways.map(({ work }) => work),
    );
    const figuresOf = (read: Reader | undefined) => {
      const at = ways.findIndex((way) => way.read === read);
      return { rates: rates[at] ?? [], spent: ways[at]?.spent ?? noneSpent() };
    };
    const ours = figuresOf(own.read);
    const perSecond = (values: readonly number[]): string => `${(median(values) / 1_000).toFixed(0)}k/s`;
    const micro = (values: readonly number[]): string => `${median(values).toFixed(2)} µs`;
    const generator = `load generator ${(median(ours.spent.generator) * 100).toFixed(0)} % busy for ours`;
    return others.map(({ name, read, atLeast }): Measured => {
      const row = { goal, name, bound: { atLeast } };
      if (read === undefined) return { ...row, absent: 'no peer', note: 'could not be installed' };
      const theirs = figuresOf(read);
      const cpu = `${micro(ours.spent.ours)} to ${micro(theirs.spent.ours)} of processor time each`;
      const note = `${perSecond(ours.rates)} to ${perSecond(theirs.rates)}; ${cpu}; ${generator}`;
      return { ...row, figure: ratioOf(ours.rates, theirs.rates), note };
    });
  } finally {
    await load.stop();
  }
}

export async function measureGrpcStreams(): Promise<readonly Measured[]> {
  const peers = await peerFolder();
  const direct = await compare('P8', { read: intoRing('GRPC'), count: TURNS.grpc }, [
    { name: 'gRPC updates into a ring, to grpc-js passing them on', read: grpcJs, count: TURNS.grpcJs, atLeast: 2 },
    {
      name: 'the same, to @triton-one/yellowstone-grpc',
      read: peers === undefined ? undefined : yellowstone(peers),
      count: TURNS.yellowstone,
      atLeast: 20,
    },
  ]);
  // As with a proxy or compression.
  const byLibrary = intoRing('GRPC', new Ring(), 'grpc-js');
  const through = await compare('P8', { read: byLibrary, count: TURNS.grpcJs }, [
    { name: 'the same by grpc-js, to grpc-js passing them on', read: grpcJs, count: TURNS.grpcJs, atLeast: 0.8 },
  ]);
  return [...direct, ...through];
}

export async function measureWebSocketStreams(): Promise<readonly Measured[]> {
  const peers = await peerFolder();
  return compare('P9', { read: intoRing('WS'), count: TURNS.ws }, [
    { name: 'notifications into a ring, to ws + JSON.parse', read: overWs(true), count: TURNS.wsParsed, atLeast: 2 },
    { name: 'the same, to ws alone', read: overWs(false), count: TURNS.ws, atLeast: 0.5 },
    {
      name: 'the same, to @solana/web3.js',
      read: peers === undefined ? undefined : web3(peers),
      count: TURNS.web3,
      atLeast: 10,
    },
  ]);
}

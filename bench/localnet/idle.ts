// P15: what the local service costs before anybody asks for something: its start, and standing idle.
import { setTimeout as wait } from 'node:timers/promises';
import { medians, type Measured } from '../measure';
import { plainClient, prepared } from './plainHttp';
import { benchService, type BenchService } from './service';

const STARTS = 7;
/** After the start: until then the engine of Node compiles what it runs often, once. */
const SETTLE_MS = 30_000;
const IDLE_MS = 60_000;
const seconds = (ms: number): string => `${ms / 1_000} s`;
const UNKNOWN = 'the system does not report it';

/** Milliseconds from the start of the process to its first answer. */
async function start(): Promise<number> {
  const since = performance.now();
  const service = await benchService();
  const client = await plainClient(service.port);
  try {
    const body = '{"jsonrpc":"2.0","id":1,"method":"getSlot"}';
    await client.call(prepared(service.port, '/sol', service.ready.keys.rpc.key, body));
    return performance.now() - since;
  } finally {
    client.close();
    await service.stop();
  }
}

/** Percent of a core that it uses without requests; undefined if the system does not report it. */
async function idleShare(service: BenchService): Promise<number | undefined> {
  const before = service.processorSeconds();
  const since = performance.now();
  await wait(IDLE_MS);
  const after = service.processorSeconds();
  if (before === undefined || after === undefined) return undefined;
  return ((after - before) * 100_000) / (performance.now() - since);
}

export async function measureIdle(): Promise<readonly Measured[]> {
  const [first = NaN] = await medians(STARTS, [start]);
  const service = await benchService();
  try {
    await wait(SETTLE_MS);
    const share = await idleShare(service);
    const bytes = service.residentBytes();
    const row = { goal: 'P15' };
    return [
      {
        ...row,
        name: 'start to first answer',
        figure: Math.round(first),
        unit: 'ms',
        bound: { atMost: 300 },
        note: 'from the start of the process',
      },
      {
        ...row,
        name: 'idle: processor',
        ...(share !== undefined && { figure: Number(share.toFixed(2)) }),
        unit: '% of a core',
        bound: { atMost: 0.3 },
        note:
          share === undefined
            ? UNKNOWN
            : `${seconds(SETTLE_MS)} after the start, over ${seconds(IDLE_MS)}, slots of ${service.ready.slotMs} ms`,
      },
      {
        ...row,
        name: 'idle: memory',
        ...(bytes !== undefined && { figure: Math.round(bytes / 1e6) }),
        unit: 'MB',
        bound: { atMost: 80 },
        note: bytes === undefined ? UNKNOWN : 'resident',
      },
    ];
  } finally {
    await service.stop();
  }
}

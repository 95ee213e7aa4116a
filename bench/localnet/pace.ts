// P15: the pace of the local service on real time: how long its slots last, and how long a send takes to be final.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { interleaved, median, type Measured } from '../measure';
import { sendAll } from './instant';
import { benchService, type BenchService } from './service';

const ROUNDS = 5;
const SLOTS = 50;
const SENDS = 10;

/** Milliseconds that a number of slots take, from one slot's start to another's. */
async function slots({ ready }: BenchService): Promise<number> {
  const socket = new WebSocket(`${ready.wsUrl}?api_key=${ready.keys.rpc.key}`, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}');
  try {
    const next = async (): Promise<number> => {
      for (;;) {
        const [data] = (await once(socket, 'message')) as [Buffer];
        if (data.includes('"slotNotification"')) return performance.now();
      }
    };
    const since = await next();
    for (let slot = 1; slot < SLOTS; slot++) await next();
    return (await next()) - since;
  } finally {
    socket.terminate();
  }
}

export async function measurePace(): Promise<readonly Measured[]> {
  const service = await benchService();
  try {
    const { slotMs } = service.ready;
    const [taken = [], final = []] = await interleaved(ROUNDS, [
      () => slots(service),
      () => sendAll(service, SENDS, 'finalized'),
    ]);
    return [
      {
        goal: 'P15',
        name: `the time of ${SLOTS} slots, to what they should take`,
        figure: median(taken) / (SLOTS * slotMs),
        bound: { atMost: 1.02 },
        note: `${median(taken).toFixed(0)} ms, slots of ${slotMs} ms`,
      },
      {
        goal: 'P15',
        name: "a send until it is final, to a slot's time",
        figure: median(final) / slotMs,
        bound: { atMost: 3 },
        note: `${median(final).toFixed(0)} ms, by the WebSocket`,
      },
    ];
  } finally {
    await service.stop();
  }
}

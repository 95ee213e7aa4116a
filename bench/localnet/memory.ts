// The local service's memory under continuous load: what it keeps of many transactions is bounded.
import type { Measured } from '../measure';
import { loadGenerator } from './loadProcess';
import { benchService } from './service';
import { subscribe } from './subscribers';

const TRANSFERS = 60_000;
const CHUNK = 5_000;
/** Megabytes. */
const MOST = 400;

export async function measureMemory(): Promise<readonly Measured[]> {
  const service = await benchService();
  const seen: number[] = [];
  try {
    const load = await loadGenerator(service);
    const subscribers = await subscribe(service);
    for (let sent = 0; sent < TRANSFERS; sent += CHUNK) {
      await load.run({ kind: 'transfers', count: CHUNK });
      seen.push((service.residentBytes() ?? NaN) / 1024 / 1024);
    }
    subscribers.close();
    await load.stop();
  } finally {
    await service.stop();
  }
  const name = `memory, the most of ${TRANSFERS.toLocaleString('en')} transfers on end`;
  const note = `after each ${CHUNK.toLocaleString('en')}: ${seen.map((megabytes) => megabytes.toFixed(0)).join(', ')}`;
  const figure = Math.round(Math.max(...seen));
  return [
    Number.isNaN(figure)
      ? { goal: 'P15', name, unit: 'MB', note: 'the system does not report it' }
      : { goal: 'P15', name, figure, unit: 'MB', bound: { atMost: MOST }, note },
  ];
}

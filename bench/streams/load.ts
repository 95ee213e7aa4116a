// The load generator of streams as the benchmarks use it: started, asked what it sent, ended.
import path from 'node:path';
import { lineProcess } from '../localnet/service';
import type { Ports, Sent } from './serve';

export interface StreamLoad {
  readonly ports: Ports;
  /** The updates sent so far. */
  sent(): Promise<Sent>;
  /** Sends nothing until `pour`; what was sent so far is all. */
  hold(): Promise<Sent>;
  pour(): Promise<Sent>;
  stop(): Promise<void>;
}

/** `pace`: updates a second; without it as fast as they are taken. `outdir` holds the built benchmarks. */
export async function streamLoad(outdir: string, pace?: number): Promise<StreamLoad> {
  const serve = path.join(outdir, 'streams', 'serve.mjs');
  const child = lineProcess([serve, ...(pace === undefined ? [] : [String(pace)])]);
  const ports = JSON.parse(await child.line()) as Ports;
  const ask = async (word: string): Promise<Sent> => JSON.parse(await child.ask(word)) as Sent;
  return {
    ports,
    sent: () => ask('sent'),
    hold: () => ask('hold'),
    pour: () => ask('pour'),
    stop: () => child.stop(),
  };
}

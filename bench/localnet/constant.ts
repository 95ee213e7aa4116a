// The least that a server in Node can do: `bench/responder.mjs`, which answers every POST with the same balance. What the
// load generator gets from it is the limit of any service in Node on this machine.
import path from 'node:path';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import { root } from '../root';
import type { Loaded } from './loadProcess';
import { lineProcess, processorSeconds } from './service';

export interface ConstantServer extends Loaded {
  /** Seconds of processor time so far; undefined if the system does not report it. */
  processorSeconds(): number | undefined;
  stop(): Promise<void>;
}

/** Starts the server. It asks for no key, and knows no wallet. */
export async function constantServer(): Promise<ConstantServer> {
  const program = lineProcess([path.join(root, 'bench', 'responder.mjs')]);
  const port = Number(await program.line());
  return {
    port,
    newKeys: (count) => Promise.resolve(Array.from({ length: count }, (_, at) => `a key of a common length ${at}`)),
    ready: { wallet: { secretKey: encodeBase58(new Uint8Array(64).fill(1)) } },
    processorSeconds: () => processorSeconds(program.child.pid ?? 0),
    stop: () => program.stop(),
  };
}

// The way out: loads the transports when something is first sent, and asks for trust before each request (I12).
import type { Result } from '../../core/service/errors';
import type { KeyPort, Net, Traffic } from '../../net/api';
import type { Suspensions } from '../../net/auth/suspensions';
import type { KeyWatch } from '../../net/api';
import type { Keys } from '../keys/keys';
import type { Window } from '../window';
import { WayOut } from './wayOut';

export class Transports {
  readonly wayOut: WayOut;
  #net: Promise<Net> | undefined;

  constructor(
    private readonly window: Window,
    private readonly keys: Keys,
    private readonly onTraffic: (traffic: Traffic) => void,
    private readonly suspensions: Suspensions,
  ) {
    this.wayOut = new WayOut(window, keys);
  }

  /** Sends with the stored keys. In an untrusted window nothing is loaded and no key is requested. */
  async use<T>(send: (net: Net) => Promise<Result<T>>): Promise<Result<T>> {
    const permit = await this.#permit();
    if (!permit.ok) return permit;
    this.#net ??= this.#create(this.keys, this.suspensions);
    return send(await this.#net);
  }

  /** Tests keys of another port, including suspended ones, over separate sockets that end with the answer. */
  async once<T>(keys: KeyPort, send: (net: Net) => Promise<Result<T>>): Promise<Result<T>> {
    const permit = await this.#permit();
    if (!permit.ok) return permit;
    const net = await this.#create(keys, this.suspensions.testing());
    try {
      return await send(net);
    } finally {
      await net.close();
    }
  }

  async close(): Promise<void> {
    await (await this.#net)?.close();
  }

  /** Trust, and a way out that is one. */
  async #permit(): Promise<Result<void>> {
    const permit = this.window.permit();
    return permit.ok ? this.wayOut.settle() : permit;
  }

  async #create(keys: KeyPort, suspensions: KeyWatch): Promise<Net> {
    const { createNet } = await import('../../net/transports');
    return createNet({
      keys,
      respectPlan: () => this.window.state.settings['limits.respectPlan'],
      onTraffic: this.onTraffic,
      suspensions,
      connect: this.wayOut.connect,
    });
  }
}

// The user's way to the network: the proxy of the editor's settings, else the environment's. Never a workspace's.
import { ok, type Result } from '../../core/errors';
import type { ProxySettings } from '../../net/api';
import { connectSettings, proxySettings } from '../../net/connect/environment';
import type { Keys } from '../keys/keys';
import type { Window } from '../window';

const WRONG = {
  message: 'The setting http.proxy names no HTTP proxy.',
  hint: 'Write it as http://HOST:PORT in your user settings, or take it out.',
};

export class WayOut {
  /** For the transports, which read it with each new connection. */
  readonly connect: { proxy?: ProxySettings } = {};
  /** The setting that `connect` was made of; undefined until `settle` was called. */
  #settled: string | undefined;

  constructor(
    private readonly window: Window,
    private readonly keys: Keys,
  ) {}

  /** Brings `connect` up to date. A failure where what is set is no proxy: nothing may leave then. */
  async settle(): Promise<Result<void>> {
    const set = this.window.state.settings.proxy;
    const now = JSON.stringify(set ?? null);
    if (now === this.#settled) return ok(undefined);
    const found = await this.#proxy();
    if (!found.ok) return found;
    delete this.connect.proxy;
    if (found.value !== undefined) this.connect.proxy = found.value;
    this.#settled = now;
    return ok(undefined);
  }

  async #proxy(): Promise<Result<ProxySettings | undefined>> {
    const set = this.window.state.settings.proxy;
    if (set?.kind === 'direct') return ok(undefined);
    const read = set === undefined ? connectSettings(process.env) : proxySettings(set.url, set.noProxy, WRONG);
    if (!read.ok) return read;
    const { proxy } = read.value;
    if (proxy === undefined || set?.hasCredentials !== true) return ok(proxy);
    const credentials = await this.keys.proxyCredentials(set.url, new AbortController().signal);
    return ok({ ...proxy, ...(credentials !== undefined && { credentials }) });
  }
}

// The user's way to the network: the proxy of the editor's settings, else the environment's. Never a workspace's.
import { failed, invalidRequest, ok, type Result } from '../../core/service/errors';
import type { ProxySettings } from '../../net/api';
import { connectSettings, isHeaderValue, noProxyOf, proxySettings } from '../../net/connect/environment';
import type { ProxySetting } from '../../protocol/lsp';
import type { Keys } from '../keys/keys';
import type { Window } from '../window';

const WRONG = {
  message: 'The setting http.proxy names no HTTP proxy.',
  hint: 'Write it as http://HOST:PORT in your user settings, or take it out.',
};
const WRONG_HEADER = invalidRequest(
  'The setting http.proxyAuthorization is not a valid header value.',
  'Write it on one line in your user settings, as in "Basic …", or take it out.',
);

type SetProxy = Extract<ProxySetting, { kind: 'proxy' }>;

export class WayOut {
  /** For the transports, which read it with each new connection. */
  readonly connect: { proxy?: ProxySettings } = {};
  /** The setting that `connect` was made of; undefined until `settle` was called. */
  #settled: string | undefined;

  constructor(
    private readonly window: Window,
    private readonly keys: Keys,
  ) {}

  /** Updates `connect`. Fails if the configured proxy is invalid: then nothing may be sent. */
  async settle(): Promise<Result<void>> {
    const set = this.window.state.proxy;
    const now = JSON.stringify(set ?? null);
    // Only the password may have changed.
    const isNamed = set?.kind === 'proxy' && set.credentials !== 'none';
    if (now === this.#settled && !isNamed) return ok(undefined);
    const found = await this.#proxy();
    if (!found.ok) return found;
    delete this.connect.proxy;
    if (found.value !== undefined) this.connect.proxy = found.value;
    this.#settled = now;
    return ok(undefined);
  }

  async #proxy(): Promise<Result<ProxySettings | undefined>> {
    const set = this.window.state.proxy;
    if (set?.kind === 'direct') return ok(undefined);
    const read =
      set?.url === undefined ? connectSettings(process.env) : proxySettings(set.url, noProxyOf(process.env), WRONG);
    if (!read.ok) return read;
    const { proxy } = read.value;
    if (proxy === undefined || set === undefined) return ok(proxy);
    const named = await this.#credentials(set);
    if (!named.ok) return named;
    return ok({ ...proxy, ...(set.noProxy.length > 0 && { noProxy: set.noProxy }), ...named.value });
  }

  async #credentials({
    url,
    credentials: as,
  }: SetProxy): Promise<Result<Pick<ProxySettings, 'credentials' | 'authorization'>>> {
    if (as === 'none') return ok({});
    const secret = await this.keys.proxyCredentials({ as, ...(url !== undefined && { url }) });
    if (secret === undefined) return ok({});
    if (as === 'user') return ok({ credentials: secret });
    return isHeaderValue(secret) ? ok({ authorization: secret }) : failed(WRONG_HEADER);
  }
}

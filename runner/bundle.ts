// Watches a bundle that was sent: asks its sender how far it is until it is finalized, dropped, or no longer known. Only
// reads; nothing is ever sent again.
import { bundleIn, inflightStatusIn } from '../core/requests/run/bundle';
import { advanced } from '../core/requests/run/landing';
import { blockhashMs, chainAge } from '../core/solana/chain/chain';
import type { Landing, PreparedRequest } from '../core/requests/run/model';
import type { JsonValue } from '../core/solana/json/json';
import type { Watched } from './landing';
import type { RunPorts } from './ports';
import { nodeRequest } from './nodeRequest';
import { abortable, Cancelled } from './wait';

/** Between two questions, in milliseconds: senders allow one a second without a key. */
const POLL_MS = 1_500;
/** Longest time that a bundle is watched, in lifetimes of a blockhash. */
const MAX_LIFETIMES = 2;
/** After this many polls in a row without a usable answer, the watch ends with the current state. */
const MAX_FAILURES = 5;

interface WatchedBundle {
  /** As sendBundle answered it. */
  readonly id: string;
  /** Polled at the address it was sent to, in the same way. */
  readonly request: Pick<PreparedRequest, 'transport' | 'endpoint' | 'url' | 'isKeyless' | 'timeoutMs'>;
  readonly ports: RunPorts;
  readonly signal: AbortSignal;
  readonly onChange: (landing: Landing) => void;
}

/** Never throws; on cancellation, returns the current state. */
export async function watchBundle(watching: WatchedBundle): Promise<Watched> {
  const { id, request, ports, signal } = watching;
  const since = ports.clock.now();
  const most = MAX_LIFETIMES * blockhashMs(ports.chain?.(request.endpoint) ?? chainAge());
  let landing: Landing = { signature: id, bundle: id, level: 'sent', times: {} };
  let failures = 0;
  try {
    for (;;) {
      const ms = ports.clock.now() - since;
      try {
        const status =
          landing.level === 'sent' ? inflightStatusIn(await ask(watching, 'getInflightBundleStatuses')) : 'Landed';
        failures = 0;
        if (status === 'Failed') return dropped(landing);
        if (status === 'Landed') {
          const seen = bundleIn(await ask(watching, 'getBundleStatuses')) ?? { level: 'processed' as const };
          const { level } = landing;
          landing = advanced(landing, seen, { ms: ports.clock.now() - since });
          if (landing.level !== level) watching.onChange(landing);
          if (landing.level === 'finalized') return { landing };
        }
      } catch (error) {
        if (error instanceof Cancelled || signal.aborted || ++failures >= MAX_FAILURES) throw error;
      }
      if (ms > most) return { landing };
      await abortable(ports.clock.sleep(POLL_MS, signal), signal);
    }
  } catch (error) {
    if (error instanceof Cancelled || signal.aborted || failures >= MAX_FAILURES) return { landing };
    throw error;
  }
}

function dropped(landing: Landing): Watched {
  return {
    landing: { ...landing, level: 'expired' },
    error: {
      kind: 'expired',
      signature: landing.signature,
      message: `The bundle ${landing.signature} failed: no validator took it.`,
      hint: 'Sign it again with a fresh blockhash and a higher tip.',
    },
  };
}

/** Throws without a readable answer. */
async function ask({ id, request, ports, signal }: WatchedBundle, method: string): Promise<JsonValue> {
  const { transport, endpoint, url, isKeyless, timeoutMs } = request;
  const wanted = nodeRequest({ transport, endpoint, url, isKeyless, timeoutMs }, method, `[[${JSON.stringify(id)}]]`);
  const answer = await abortable(ports.look(wanted, signal), signal);
  const { error, body } = answer.ok ? answer.value : { error: answer.error, body: undefined };
  const read = error === undefined && body?.kind === 'text' ? body.value : undefined;
  if (read !== undefined) return read;
  throw new Error('no answer');
}

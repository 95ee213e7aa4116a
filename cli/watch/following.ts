// Puts together what `watch` follows: the stream, the view it is shown in, and what an account begins with. Holds the keys'
// cleaners of its connections; nothing is shown that did not go through them.
import { failed, ok, type Result } from '../../core/service/errors';
import { Banks } from '../../core/service/streams/banks';
import { resultText } from '../../core/service/streams/pubsub';
import { utf8Text } from '../../core/service/streams/shape';
import { shapeOf } from '../../core/service/streams/shapes';
import { printJson } from '../../core/solana/json/json';
import { accountRequests, readAccount } from '../../net/streams/account';
import { systemClock } from '../../net/clock';
import { escapeText, jsonFor, painterFor } from '../terminal';
import { Followed, type Counts, type View, type Wanted } from './followed';
import { Lag } from './lag';
import { Lines } from './lines';
import { Live } from './live';
import { updateLines } from './updateLine';
import type { RequestDocument } from '../../core/requests/document/model';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { Net } from '../../net/api';
import type { RunProgress, StreamPort } from '../../runner/ports';
import type { Session } from '../session/session';

export interface FollowingOptions {
  /** Write NDJSON, even to a terminal. */
  readonly isPlain: boolean;
  /** Messages that are shown. */
  readonly most: number;
  readonly onEnough: () => void;
}

export interface Following {
  /** How the account is now, and from then on each update. */
  account(address: string, isGrpc: boolean, signal: AbortSignal): Promise<Result<Followed>>;
  /** The ports of a run in which the request of this name is followed; the streams it needs are read as in any run. */
  portFor(name: string, files: readonly RequestDocument[], stream: StreamPort | undefined): { stream: StreamPort };
  /** Takes an event of the run that `portFor` is for; prints the answer of a request that is not a stream. */
  take(event: RunProgress): void;
  /** Nothing comes any more: the view is left as it is. */
  end(): void;
}

/** Cleaners to keep: for the current connection and the one before. */
const MAX_CLEANERS = 2;

export function createFollowing(session: Session, { isPlain, most, onEnough }: FollowingOptions): Following {
  const { stdout, stderr, env } = process;
  let cleaners: readonly ((text: string) => string)[] = [];
  const clean = (text: string): string => cleaners.reduce((rest, cleaner) => cleaner(rest), text);
  let endView = (): void => undefined;
  let name: string | undefined;

  const openRaw: Net['openRaw'] = async (...args) => {
    const opened = await session.net.openRaw(...args);
    if (opened.ok) cleaners = [(text: string) => opened.value.redact(text), ...cleaners].slice(0, MAX_CLEANERS);
    return opened;
  };

  const follow = async (
    request: PreparedRequest,
    signal: AbortSignal,
    atMost: number,
    now?: Wanted['now'],
  ): Promise<Result<Followed>> => {
    const target = session.place(request);
    if (!target.ok) return target;
    const shape = shapeOf(request);
    const banks = new Banks(shape);
    const { textOfUpdate } = await import('../../net/transports');
    const text = (bytes: Buffer, start: number, end: number): string =>
      clean(
        (request.transport === 'GRPC'
          ? textOfUpdate(request.method, bytes.subarray(start, end))
          : resultText(bytes, start, end)) ?? printJson(utf8Text(bytes, start, end)),
      );
    const lag = new Lag(request, shape, Date.now);
    const live = (): View => {
      const paint = painterFor(stdout, env);
      const view = new Live({
        out: stdout,
        paint,
        now: () => performance.now(),
        line: updateLines(banks.with(shape), paint, clean),
        counts: (): Counts => followed.counts,
        lag,
        isSmart: env['TERM'] !== 'dumb',
      });
      endView = () => view.end();
      return view;
    };
    const view = isPlain ? new Lines(stdout, stderr, text) : live();
    const followed = new Followed({
      net: { openRaw, call: (...args) => session.net.call(...args) },
      target: target.value,
      request,
      shape,
      banks,
      view,
      most: atMost,
      onEnough,
      ...(!isPlain &&
        lag.beside !== undefined && {
          beside: { request: lag.beside, take: (bytes, start, end) => lag.seeSlot(bytes, start, end) },
        }),
      ...(now !== undefined && { now }),
    });
    const opened = await followed.open(signal);
    return opened.ok ? ok(followed) : failed(opened.error);
  };

  return {
    async account(address, isGrpc, signal) {
      const { active, net } = session;
      const { request } = accountRequests(
        address,
        { profile: active?.profile ?? { name: '' } },
        { encoding: 'jsonParsed', ...(isGrpc && { transport: 'GRPC' }) },
      );
      const { bytesOfUpdate } = await import('../../net/transports');
      const now: Wanted['now'] = async (sinceSlot, until) => {
        const isMissed = sinceSlot !== undefined && request.transport !== 'GRPC';
        if (active?.profile.rpcUrl === undefined || (sinceSlot !== undefined && !isMissed)) return undefined;
        const read = await readAccount(
          {
            net,
            placed: active,
            address,
            transport: request.transport === 'GRPC' ? 'GRPC' : 'WS',
            encoding: 'jsonParsed',
            ...(sinceSlot !== undefined && sinceSlot >= 0 && { minSlot: sinceSlot }),
            toUpdate: (json) => bytesOfUpdate(request.method, json),
          },
          systemClock,
          until,
        );
        return read.kind === 'account' ? read.bytes : undefined;
      };
      return follow(request, signal, most, now);
    },

    portFor(wanted, files, stream) {
      name = wanted;
      const own = files.flatMap(({ blocks }) => blocks).find(({ block }) => block.settings.name?.text === wanted);
      const until = own?.block.settings.until?.messages ?? Infinity;
      return {
        stream: {
          openStream: (request, signal) => {
            if (request.block?.name === wanted) return follow(request, signal, Math.min(most, until));
            if (stream === undefined) throw new Error('A run in a terminal opens streams.');
            return stream.openStream(request, signal);
          },
        },
      };
    },

    take(event) {
      if (event.kind !== 'done' || event.report.name !== name || event.report.response === undefined) return;
      const { response } = event.report;
      stdout.write(`${isPlain ? jsonFor(stdout, printJson(response)) : escapeText(printJson(response, 2))}\n`);
    },

    end: () => {
      endView();
      endView = () => undefined;
    },
  };
}

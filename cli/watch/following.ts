// Puts together what `watch` follows: the stream, the view it is shown in, and what an account begins with. Holds the keys'
// cleaners of its connections; nothing is shown that did not go through them.
import { failed, ok, type Result } from '../../core/service/errors';
import { Banks } from '../../core/service/streams/banks';
import { shapeOf } from '../../core/service/streams/shapes';
import { updateText } from '../../core/service/streams/updateText';
import { printJson } from '../../core/solana/json/json';
import { accountRequests, readAccount } from '../../net/streams/account';
import { Cleaners } from '../../net/streams/cleaners';
import { systemClock } from '../../net/clock';
import { escapeText, jsonFor, painterFor } from '../terminal';
import { SlotTips } from '../../runner/streams/slotTips';
import { Followed, type WatchedEngine, type View, type Wanted } from './followed';
import { Lines } from './lines';
import { Live } from './live';
import { slotsBeside } from './slots';
import { updateLines } from './updateLine';
import type { RequestDocument } from '../../core/requests/document/model';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { RunProgress, StreamPort } from '../../runner/ports';
import type { Session } from '../session/session';

export interface FollowingOptions {
  /** Write NDJSON, even to a terminal. */
  readonly isPlain: boolean;
  /** Messages that are shown. */
  readonly most: number;
  readonly onEnough: () => void;
}

export interface WatchedStreams {
  /** How the account is now, and from then on each update. */
  account(address: string, isGrpc: boolean, signal: AbortSignal): Promise<Result<Followed>>;
  /** The ports of a run in which the request of this name is followed; the streams it needs are read as in any run. */
  portFor(name: string, files: readonly RequestDocument[], stream: StreamPort | undefined): { stream: StreamPort };
  /** Takes an event of the run that `portFor` is for; prints the answer of a request that is not a stream. */
  take(event: RunProgress): void;
  /** Nothing comes any more: the view is left as it is. */
  end(): void;
}

export function createFollowing(session: Session, { isPlain, most, onEnough }: FollowingOptions): WatchedStreams {
  const { stdout, stderr, env } = process;
  const cleaners = new Cleaners();
  const { clean } = cleaners;
  const openRaw = cleaners.from(session.net);
  let endView = (): void => undefined;
  let name: string | undefined;

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
    const text = updateText(request, textOfUpdate);
    const tips = new SlotTips();
    const viewOf = (engine: WatchedEngine): View => {
      if (isPlain) return new Lines({ engine, out: stdout, notes: stderr, text: (...place) => clean(text(...place)) });
      const paint = painterFor(stdout, env);
      const line = updateLines(banks.with(shape), paint, clean);
      return new Live({ engine, out: stdout, paint, line, isSmart: env['TERM'] !== 'dumb' });
    };
    const followed = new Followed({
      net: { openRaw, call: (...args) => session.net.call(...args) },
      target: target.value,
      request,
      beside: isPlain ? undefined : slotsBeside(request, tips),
      shape,
      banks,
      tips,
      view: (engine) => {
        const view = viewOf(engine);
        endView = () => view.end();
        return view;
      },
      most: atMost,
      onEnough,
      now,
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
      if (active === undefined) return follow(request, signal, most);
      const reading = {
        net,
        clock: systemClock,
        placed: active,
        address,
        request,
        encoding: 'jsonParsed',
        toUpdate: bytesOfUpdate,
      } as const;
      const now: Wanted['now'] = (sinceSlot, until) => readAccount(reading, sinceSlot, until);
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

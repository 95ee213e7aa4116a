// A stream as the worker holds it, in this process: over real transports, with its states and rows to look at.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { PlacedProfile } from '../../../core/service/profiles/profile';
import type { PreparedRequest } from '../../../core/requests/run/model';
import { NO_PROGRAMS, type Programs } from '../../../core/solana/decode/decoded';
import type { KeyPort, Net, NetClock } from '../../../net/api';
import { systemClock } from '../../../net/clock';
import { settle } from '../../../net/target/target';
import { bytesOfUpdate, createNet, textOfUpdate } from '../../../net/transports';
import type { StreamRow, StreamState } from '../../../protocol/streams';
import type { RingLimits } from '../../../runner/streams/bounds';
import { KeptStream } from '../../../server/streams/stream';
import { SlotTips } from '../../../runner/streams/slotTips';
import { KEY, keysOf } from '../wire/wire';

export interface Wanted {
  readonly profile: PlacedProfile['profile'];
  readonly request: PreparedRequest;
  readonly account?: string;
  readonly limits?: RingLimits;
  readonly programs?: Programs;
  /** Whether another key is stored than the one that was refused; without it nobody waits for one. */
  readonly hasNewKey?: () => Promise<boolean>;
  /** Distinguishes it from other streams of its endpoint. */
  readonly id?: string;
  /** Shared by the streams of one endpoint. */
  readonly tips?: SlotTips;
  /** The machine's, where none is given. */
  readonly clock?: NetClock;
}

export class Watched {
  readonly stream: KeptStream;
  /** Every state, in order. */
  readonly states: StreamState[] = [];

  constructor(
    net: Net,
    {
      profile,
      request,
      account,
      limits,
      programs = NO_PROGRAMS,
      hasNewKey,
      clock = systemClock,
      tips = new SlotTips(),
      id = 'one',
    }: Wanted,
  ) {
    const placed: PlacedProfile = { profile, source: 'user' };
    this.stream = new KeptStream(
      {
        info: {
          id,
          source: { kind: 'account', address: '' },
          title: '',
          method: request.method,
          transport: request.transport === 'GRPC' ? 'GRPC' : 'WS',
          endpoint: profile.name,
          columns: [],
          ...(hasNewKey !== undefined && {
            key: { type: 'rpc', profile: profile.name, origin: '', interface: 'rpc' },
          }),
        },
        placed,
        request,
        ...(account !== undefined && { account }),
      },
      {
        net,
        clock,
        random: () => 0,
        tips,
        programs: () => programs,
        grpc: { textOfUpdate, bytesOfUpdate },
        redact: (text) => text,
        target: () => {
          const target = settle(placed, request);
          return target.ok ? target.value : target.error;
        },
        hasNewKey: hasNewKey ?? (() => Promise.resolve(false)),
        onState: (state) => this.states.push(state),
        ...(limits !== undefined && { limits }),
      },
    );
    this.stream.start();
  }

  /** Looks again and again, as a panel does. */
  async until(holds: (stream: KeptStream) => boolean): Promise<void> {
    while (!holds(this.stream)) {
      const { state } = this.stream;
      assert.ok(state.kind !== 'refused', JSON.stringify(state));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  rows(filter = ''): readonly StreamRow[] {
    const rows: StreamRow[] = [];
    for (let from = 0; ;) {
      const answer = this.stream.rows({ id: 'one', from, count: 500, filter });
      assert.ok(answer.kind === 'rows', JSON.stringify(answer));
      rows.push(...answer.rows);
      from = answer.from + answer.rows.length;
      if (from >= answer.next || answer.rows.length === 0) return rows;
    }
  }

  /** The cells of a column, of the updates. */
  column(field: string, filter = ''): readonly string[] {
    const at = this.stream.shape.columns.findIndex((column) => column.field === field);
    return this.rows(filter).flatMap((row) => (row.kind === 'update' ? [row.cells[at] ?? ''] : []));
  }

  gaps(): readonly Extract<StreamRow, { kind: 'gap' }>[] {
    return this.rows().filter((row) => row.kind === 'gap');
  }
}

/** A stream on a separate net, which ends with the test. */
export function watch(t: TestContext, wanted: Wanted, keys: KeyPort = keysOf({ rpc: KEY, grpc: KEY })): Watched {
  const net = createNet({ keys, random: () => 0 });
  const watched = new Watched(net, wanted);
  t.after(async () => {
    await watched.stream.stop();
    await net.close();
  });
  return watched;
}

// The live streams of a running server as a client sees them: opened, reported by ticks, paged.
import assert from 'node:assert/strict';
import type * as live from '../../../protocol/streams';
import type { RunningServer } from './serverProcess';
import type { Broker } from './window';

/** The request file whose blocks are opened. */
export const STREAMS_FILE = 'file:///requests/live.jsonrpc';

/** Opens streams of a server and reads their ticks and rows. */
export class LiveStreams {
  readonly ticks: live.StreamTick[] = [];
  #wake = (): void => undefined;

  constructor(
    readonly server: RunningServer,
    readonly broker: Broker,
  ) {
    server.connection.onNotification('solanaRpc/streamTick', (tick: live.StreamTick) => {
      this.ticks.push(tick);
      this.#wake();
    });
  }

  ask<T>(method: string, params: unknown): Promise<T> {
    return this.server.connection.sendRequest<T>(method, params);
  }

  async open(source: live.StreamSource): Promise<live.StreamInfo> {
    const answer = await this.ask<live.OpenStreamResult>('solanaRpc/openStream', { source });
    assert.equal(answer.kind, 'opened', JSON.stringify(answer));
    return answer.stream;
  }

  block = (line = 0): Promise<live.StreamInfo> => this.open({ kind: 'block', uri: STREAMS_FILE, version: 1, line });

  /** The first tick from now on, or the last one that came, that is as wanted. */
  async tick(holds: (tick: live.StreamTick) => boolean): Promise<live.StreamTick> {
    for (let seen = 0; ; seen = this.ticks.length) {
      const found = this.ticks.slice(Math.max(0, seen - 1)).find(holds);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async rows(id: string, filter = '', from = 0, count = 100) {
    const answer = await this.ask<live.StreamRowsResult>('solanaRpc/streamRows', { id, from, count, filter });
    assert.equal(answer.kind, 'rows', JSON.stringify(answer));
    return answer;
  }
}

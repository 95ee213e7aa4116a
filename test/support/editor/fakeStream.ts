// A stream of any length for a page: rows are made when asked for. Answers the page's questions as the server would.
import type { StreamAnswer, StreamAsk, StreamHello, StreamCommand, StreamUpdate } from '../../../protocol/streamPanel';
import type { StreamInfo, StreamRow, StreamRowResult, StreamTick } from '../../../protocol/streams';
import { viewState } from '../../../client/streams/streamState';
import type { ShownState } from '../../../protocol/streamPanel';
import { english } from '../data/english';
import type { PageHost } from './webviewPage';

export const INFO: StreamInfo = {
  id: 's1',
  source: { kind: 'block', uri: 'file:///project/accounts.jsonrpc', version: 1, line: 0 },
  title: 'Token accounts of the wallet',
  method: 'programSubscribe',
  transport: 'WS',
  endpoint: 'local',
  columns: [
    { field: 'slot', title: 'Slot', align: 'end' },
    { field: 'pubkey', title: 'Account', align: 'start' },
    { field: 'lamports', title: 'Lamports', align: 'end' },
    { field: 'owner', title: 'Owner', align: 'start' },
  ],
};

const ADDRESS = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

export function updateRow(number: number): StreamRow {
  const cells = [String(280_000_000 + number), ADDRESS, String(2_039_280 + number * 17), TOKEN];
  return { kind: 'update', number, time: Date.UTC(2026, 0, 5, 12, 0, 0, number % 1000), bytes: 412, cells };
}

export class FakeStream implements PageHost {
  info: StreamInfo = INFO;
  state: ShownState = { kind: 'live' };
  first = 0;
  next = 0;
  dropped = 0;
  rate = 0;
  still: number | undefined;
  changed: number | undefined;
  reconnects = 0;
  abandoned: number | undefined;
  exporting: StreamTick['export'];
  row: (number: number) => StreamRow = updateRow;
  detail: (number: number) => StreamRowResult = (number) => detailOf(number);
  /** Places that pass a filter. */
  passes: (filter: string, number: number) => boolean = () => true;
  readonly asked: StreamAsk[] = [];
  readonly commands: StreamCommand[] = [];

  hello(): StreamHello {
    const tick = this.tick();
    return { info: this.info, state: viewState(this.state, english, tick), tick };
  }

  tick(): StreamTick {
    return {
      id: this.info.id,
      state: 'by' in this.state || this.state.kind === 'live' ? this.state : { kind: 'live' },
      total: this.next,
      first: this.first,
      next: this.next,
      dropped: this.dropped,
      bytes: this.next * 412,
      rate: this.rate,
      slot: String(280_000_000 + this.next),
      lag: 1,
      reconnects: this.reconnects,
      ...(this.abandoned !== undefined && { abandoned: this.abandoned }),
      ...(this.still !== undefined && { still: this.still }),
      ...(this.changed !== undefined && { changed: this.changed }),
      ...(this.exporting !== undefined && { export: this.exporting }),
    };
  }

  /** The extension's next update. */
  news(): StreamUpdate {
    const tick = this.tick();
    return { kind: 'tick', state: viewState(this.state, english, tick), tick };
  }

  answer(body: unknown): StreamAnswer | undefined {
    const ask = body as StreamAsk;
    this.asked.push(ask);
    switch (ask.kind) {
      case 'rows':
        return this.#rows(ask);
      case 'row':
        return this.detail(ask.number);
      case 'export':
        return { kind: 'done' };
    }
  }

  onCommand(body: unknown): void {
    this.commands.push(body as StreamCommand);
  }

  #rows({ from, count, filter }: Extract<StreamAsk, { kind: 'rows' }>): StreamAnswer {
    if (filter.includes('===')) return { kind: 'badFilter', message: 'Use == to compare.', start: 9, end: 12 };
    if (filter === '') {
      const start = Math.max(from, this.first);
      const end = Math.min(this.next, start + count);
      const rows = Array.from({ length: Math.max(0, end - start) }, (_, at) => this.row(start + at));
      return { kind: 'rows', from: start, rows, first: this.first, next: this.next };
    }
    const passing: number[] = [];
    for (let number = this.first; number < this.next; number++) if (this.passes(filter, number)) passing.push(number);
    const rows = passing.slice(from, from + count).map((number) => this.row(number));
    return { kind: 'rows', from, rows, first: 0, next: passing.length };
  }
}

/** A token account whose amount changed since the update before. */
export function detailOf(number: number): Extract<StreamRowResult, { kind: 'row' }> {
  return {
    kind: 'row',
    number,
    json: `{\n  "slot": ${280_000_000 + number},\n  "lamports": 18446744073709551615\n}`,
    isCut: false,
    decoded: {
      name: 'Token account',
      text: 'SPL Token',
      parts: [
        { name: 'mint', text: 'EPjFWdd5…TDt1v', address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
        { name: 'owner', text: ADDRESS, address: ADDRESS },
        { name: 'amount', text: '1,250.5 USDC' },
        { name: 'state', text: 'initialized' },
        { name: 'extensions', text: '1', parts: [{ name: 'cpiGuard', text: 'locked', isGuess: true }] },
      ],
    },
    changes: [{ path: ['amount'], before: '1,000 USDC', after: '1,250.5 USDC' }],
    since: Math.max(0, number - 1),
  };
}

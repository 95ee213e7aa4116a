// A watched token account for a page: its balance steps with each update, and its amount of tokens with it.
import type { StreamRow, StreamRowResult } from '../../../protocol/streams';
import { FakeStream, INFO } from './fakeStream';

export const WATCHED = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const OWNER = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

const LAMPORTS = [2_039_280n, 5_002_039_280n, 4_902_034_280n, 18_446_744_073_709_551_615n, 7_000_000_001n];

export const lamportsAt = (number: number): bigint => LAMPORTS[number % LAMPORTS.length] ?? 0n;

export class FakeAccount extends FakeStream {
  constructor() {
    super();
    this.info = {
      ...INFO,
      source: { kind: 'account', address: WATCHED },
      title: WATCHED,
      method: 'accountSubscribe',
      columns: [
        { field: 'slot', title: 'Slot', align: 'end' },
        { field: 'lamports', title: 'Lamports', align: 'end' },
        { field: 'size', title: 'Size', align: 'end' },
        { field: 'owner', title: 'Owner', align: 'start' },
        { field: 'signature', title: 'Transaction', align: 'start' },
      ],
    };
    this.row = accountRow;
    this.detail = accountDetail;
  }
}

function accountRow(number: number): StreamRow {
  const signature =
    number === 0 ? '' : number % 2 === 0 ? `${SIGNATURE}, ${SIGNATURE.split('').reverse().join('')}` : SIGNATURE;
  const cells = [String(280_000_000 + number), lamportsAt(number).toString(), '165', OWNER, signature];
  return { kind: 'update', number, time: Date.UTC(2026, 0, 5, 12, 0, number), bytes: 300, cells };
}

function accountDetail(number: number): StreamRowResult {
  const amount = 1_000_000_000 + number * 250_500_000;
  return {
    kind: 'row',
    number,
    json: `{ "lamports": ${lamportsAt(number)} }`,
    isCut: false,
    decoded: {
      name: 'Token account',
      text: 'SPL Token',
      parts: [
        { name: 'mint', text: WATCHED, address: WATCHED },
        { name: 'amount', text: `${(amount / 1e6).toLocaleString('en-US')} (raw ${amount})` },
      ],
    },
    ...(number > 0 && { changes: [{ path: ['amount'], before: 'less', after: 'more' }], since: number - 1 }),
  };
}

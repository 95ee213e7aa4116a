// The sender that P10 is compared with, a separate process: makes each update's row and sends it at once as a message.
// `node oneByOne.mjs UPDATES_A_SECOND`; pours while its stdin is open, as far as it is read.
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { yellowstoneShape } from '../../core/service/streams/yellowstone';
import { cellsOf } from '../../core/service/streams/shape';
import { parseJson } from '../../core/solana/json/json';
import type { StreamRow } from '../../protocol/streams';
import { accountFrame, SLOT } from '../streams/updates';

const TURN_MS = 5;
const HEAD = 5;
/** Messages that wait to be read, at most. */
const MAX_WAITING = 1_000;

const pace = Number(process.argv[2]);
const shape = yellowstoneShape('geyser.Geyser/Subscribe', parseJson('{"accounts":{"all":{}}}'));
const rows = Array.from({ length: 512 }, (_, account): Omit<Extract<StreamRow, { kind: 'update' }>, 'number'> => {
  const frame = accountFrame(account, SLOT);
  const cells = cellsOf(shape, frame, HEAD, frame.length);
  return { kind: 'update', time: Date.now(), bytes: frame.length - HEAD, cells };
});

const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
connection.listen();
connection.onClose(() => process.exit(0));

let number = 0;
let waiting = 0;
let owed = 0;
let at = performance.now();
setInterval(() => {
  const now = performance.now();
  owed = Math.min(pace, owed + ((now - at) * pace) / 1_000);
  at = now;
  for (; owed >= 1 && waiting < MAX_WAITING; owed--) {
    waiting++;
    void connection
      .sendNotification('update', { ...rows[number % rows.length], number: number++ })
      .finally(() => waiting--);
  }
}, TURN_MS);

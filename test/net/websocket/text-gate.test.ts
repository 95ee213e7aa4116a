// The gate in front of ws: for any frames, cut anywhere, messages, pings, pongs and the end are the same as with ws
// alone.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { MAX_TEXT_MESSAGE, TextGate } from '../../../net/websocket/textGate';

/** The value that a server adds to the client's key (RFC 6455, 1.3). */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A service's end of a connection: says `first` behind its part of the handshake, takes what is written. */
class Service extends Duplex {
  #asked = '';

  constructor(private readonly first: Buffer = Buffer.alloc(0)) {
    super();
  }

  override _read(): void {
    // Data is pushed.
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    const wasAsked = this.#asked.endsWith('\r\n\r\n');
    if (!wasAsked) this.#asked += chunk.toString('latin1');
    if (!wasAsked && this.#asked.endsWith('\r\n\r\n')) {
      const key = /sec-websocket-key: (\S+)/i.exec(this.#asked)?.[1] ?? '';
      const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64');
      const head = `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`;
      this.push(Buffer.concat([Buffer.from(head), this.first]));
    }
    done();
  }
}

/** Everything received on a connection. */
interface Received {
  /** Texts and binary messages, in order. */
  readonly messages: string[];
  /** Pings, pongs, errors and the close, in order. */
  readonly signs: string[];
}

/** Reads pieces to the end of the connection, through the gate or with ws alone. */
async function receivedOn(pieces: readonly Buffer[], isGated: boolean, first?: Buffer): Promise<Received> {
  const service = new Service(first);
  const gate = isGated ? new TextGate(service) : undefined;
  const wire: Duplex = gate ?? service;
  const messages: string[] = [];
  const signs: string[] = [];
  const text = (bytes: Uint8Array): void => void messages.push(`text ${Buffer.from(bytes).toString('hex')}`);
  if (gate !== undefined) gate.onText = (bytes, start, end) => text(bytes.subarray(start, end));
  const socket = new WebSocket('ws://service', {
    createConnection: () => wire as Socket,
    perMessageDeflate: false,
    maxPayload: MAX_TEXT_MESSAGE,
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) messages.push(`binary ${data.toString('hex')}`);
    else text(data);
  });
  socket.on('ping', (data) => signs.push(`ping ${data.toString('hex')}`));
  socket.on('pong', (data) => signs.push(`pong ${data.toString('hex')}`));
  socket.on('error', (error) => signs.push(`error ${error.message}`));
  socket.on('open', () => gate?.follow());
  await once(socket, 'open');
  const closed = new Promise<void>((resolve) =>
    socket.on('close', (code, reason) => {
      signs.push(`close ${code} ${reason.toString('hex')}`);
      resolve();
    }),
  );
  for (const piece of pieces) {
    service.push(piece);
    // As from a socket: each piece in a separate turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (service.destroyed) break;
  }
  if (!service.destroyed) service.push(null);
  await closed;
  return { messages, signs };
}

/** A frame as a server writes it. */
function frame(first: number, payload: Buffer, masked = 0): Buffer {
  const { length } = payload;
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.alloc(head);
  bytes[0] = first;
  bytes[1] = masked | (head === 2 ? length : head === 4 ? 126 : 127);
  if (head === 4) bytes.writeUInt16BE(length, 2);
  if (head === 10) bytes.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([bytes, payload]);
}

const text = (payload: string): Buffer => frame(0x81, Buffer.from(payload));

function inPieces(bytes: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

async function assertSame(bytes: Buffer, sizes: readonly number[], first?: Buffer): Promise<Received> {
  const expected = await receivedOn([bytes], false, first);
  for (const size of sizes)
    assert.deepEqual(await receivedOn(inPieces(bytes, size), true, first), expected, `by ${size}`);
  return expected;
}

const LONG = 'a long one, é€😀 '.repeat(5_000);
const BEFORE = [text('{"a":1}'), text(''), frame(0x89, Buffer.from('are you there')), text('x'.repeat(126))];
const AFTER = [text('behind'), frame(0x8a, Buffer.alloc(0)), text('last'), frame(0x88, Buffer.from([0x03, 0xe8]))];
const SIZES = [1, 2, 3, 5, 64, 1_000, 1_000_000];

describe('the messages, pings and pongs and the end are the same as with ws alone', () => {
  const ODD: Readonly<Record<string, Buffer>> = {
    'nothing else': Buffer.alloc(0),
    'a message in fragments, a ping between them': Buffer.concat([
      frame(0x01, Buffer.from([0x61, 0xe2])),
      frame(0x89, Buffer.from('1')),
      frame(0x80, Buffer.from([0x82, 0xac])),
    ]),
    'a text inside a message in fragments': Buffer.concat([frame(0x01, Buffer.from('a')), text('b')]),
    'a binary message': frame(0x82, Buffer.from([0xff, 0])),
    'an end without a beginning': frame(0x80, Buffer.from('a')),
    'bytes that are no UTF-8': frame(0x81, Buffer.from([0x61, 0xff])),
    'a character that is cut off': frame(0x81, Buffer.from([0x61, 0xe2, 0x82])),
    'a frame with a mask': frame(0x81, Buffer.from('abcdefgh'), 0x80),
    'a reserved bit': frame(0xc1, Buffer.from('a')),
    'an unknown opcode': frame(0x83, Buffer.from('a')),
    'a ping that is too long': frame(0x89, Buffer.alloc(126)),
    'a ping in fragments': frame(0x09, Buffer.from('a')),
    'a close before the last texts': frame(0x88, Buffer.concat([Buffer.from([0x03, 0xf3]), Buffer.from('gone')])),
    'a length written longer than it must be': Buffer.from([0x81, 126, 0, 2, 0x68, 0x69]),
    'a length above the bound': Buffer.from([0x81, 127, 0, 0, 0, 0, 0x02, 0, 0, 1, 0x61]),
    'a length beyond all numbers': Buffer.from([0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x61]),
  };
  for (const [name, odd] of Object.entries(ODD))
    test(`with ${name}`, async () => {
      const { messages } = await assertSame(Buffer.concat([...BEFORE, odd, ...AFTER]), SIZES);
      assert.ok(messages.length >= 3);
    });

  test('with messages longer than any piece', async () => {
    const { messages } = await assertSame(
      Buffer.concat([...BEFORE, text(LONG), text('between'), text(LONG)]),
      [1_000, 65_536, 1_000_000],
    );
    assert.equal(messages.length, 6);
  });

  test('where the connection breaks inside a message', async () => {
    for (const cut of [1, 2, 3, 4, 50])
      await assertSame(Buffer.concat([...BEFORE, text('y'.repeat(200)).subarray(0, cut)]), [7, 1_000]);
  });

  test('of a service that speaks with its handshake', async () => {
    const first = Buffer.concat([text('early'), text('cut').subarray(0, 3)]);
    const { messages } = await assertSame(Buffer.concat([text('cut').subarray(3), ...AFTER]), SIZES, first);
    assert.equal(messages.length, 4);
  });
});

test('a text is handed on where it lies: no copy of it is made', async () => {
  const service = new Service();
  const gate = new TextGate(service);
  const socket = new WebSocket('ws://service', { createConnection: () => gate as Duplex as Socket });
  await once(socket, 'open');
  gate.follow();
  const piece = Buffer.concat([text('one'), text('two')]);
  const places: (readonly [bytes: Buffer, start: number, end: number])[] = [];
  gate.onText = (bytes, start, end) => void places.push([bytes, start, end]);
  service.push(piece);
  while (places.length < 2) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    places.map(([bytes, start, end]) => [bytes === piece, start, end]),
    [
      [true, 2, 5],
      [true, 7, 10],
    ],
  );
  const closed = once(socket, 'close');
  socket.terminate();
  await closed;
});

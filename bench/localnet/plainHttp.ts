// The least an HTTP client can do: one connection, one prepared request at a time, the answer by its Content-Length.
import { once } from 'node:events';
import net from 'node:net';

export interface PlainClient {
  /** Sends prepared bytes and gives the body of the answer; rejects for any status but 200. */
  call(request: Buffer): Promise<string>;
  close(): void;
}

/** A POST of JSON, as bytes to be sent. */
export function prepared(port: number, path: string, key: string, body: string): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
  const length = Buffer.byteLength(body);
  return Buffer.from(`${head}authorization: Bearer ${key}\r\ncontent-length: ${length}\r\n\r\n${body}`);
}

/** Connects; an answer in chunks is refused. */
export async function plainClient(port: number): Promise<PlainClient> {
  const socket = net.connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  let got = '';
  let done = (body: string): void => void body;
  let fail = (error: Error): void => void error;
  socket.on('error', (error) => fail(error));
  socket.on('close', () => fail(new Error('The connection was closed.')));
  socket.on('data', (chunk: Buffer) => {
    got += chunk.toString('latin1');
    const end = got.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = /content-length: (\d+)/i.exec(got.slice(0, end))?.[1];
    if (length === undefined) {
      fail(new Error('An answer came without a length.'));
      return;
    }
    if (got.length < end + 4 + Number(length)) return;
    const answer = got;
    got = '';
    if (answer.startsWith('HTTP/1.1 200 ')) done(answer.slice(end + 4));
    else fail(new Error(answer.slice(0, 400)));
  });
  return {
    call: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) reject(new Error('The connection is closed.'));
        done = resolve;
        fail = reject;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

// Answers every POST with a getProgramAccounts response of so many bytes; ends with its parent. `node serve.mjs`, then the
// size as the last part of the URL: /100000000.
import { once } from 'node:events';
import http from 'node:http';
import { randomBytes } from 'node:crypto';
import { encodeBase58 } from '../../core/solana/encoding/base58';

/** Different accounts in the response, in turn. */
const DIFFERENT = 2_000;
const OWNER = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** A token account as nodes write it. */
const account = (): string =>
  `{"account":{"data":["${randomBytes(165).toString('base64')}","base64"],"executable":false,"lamports":1488440,` +
  `"owner":"${OWNER}","rentEpoch":18446744073709551615,"space":165},"pubkey":"${encodeBase58(randomBytes(32))}"}`;

const piece = Buffer.from(Array.from({ length: DIFFERENT }, account).join(','));
const comma = Buffer.from(',');

const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => (body += part.toString()));
  request.on('end', () => void answer(Number(/\d+$/.exec(request.url ?? '')?.[0]), body, response));
});

async function answer(bytes: number, asked: string, response: http.ServerResponse): Promise<void> {
  const id = /"id":("[^"]*"|\d+)/.exec(asked)?.[1] ?? '1';
  response.setHeader('content-type', 'application/json');
  const closed = once(response, 'close');
  response.write('{"jsonrpc":"2.0","result":[');
  for (let sent = 0; sent < bytes && !response.destroyed; sent += piece.length + 1) {
    if (sent > 0) response.write(comma);
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed]);
  }
  response.end(`],"id":${id}}`);
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(String(address.port));
});
process.stdin.on('end', () => process.exit(0)).resume();

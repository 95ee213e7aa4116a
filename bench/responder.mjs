// Answers every POST with the same balance, as fast as Node's server can; ends with its parent.
import http from 'node:http';

const ANSWER = '{"jsonrpc":"2.0","result":{"context":{"slot":401234567},"value":123456789012345},"id":1}';

const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length });
    response.end(ANSWER);
  });
});
// A client that waits for its turn keeps its connection.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();

// Refusals of a gRPC call that are plain HTTP: what they say reaches people without keys, whichever client makes the call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLIENTS, grpcService, through } from '../../support/wire/grpcServices';
import { errorOf, KEY } from '../../support/wire/wire';

for (const client of CLIENTS)
  test(`a key that a refusal without gRPC repeats is taken out, by ${client}`, async (t) => {
    const server = await grpcService(({ stream }) => {
      stream.respond({ ':status': 400, 'content-type': 'text/plain' });
      stream.end(`No such key: ${KEY}`);
    });
    t.after(() => server.close());
    // errorOf looks for every spelling of the key.
    const { message } = errorOf(await through(client).callGrpc(server.origin));
    // grpc-js reads no body of a refusal.
    assert.match(message, client === 'http2' ? /No such key: \[redacted\]/ : /400/);
  });

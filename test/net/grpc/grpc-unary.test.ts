// A unary gRPC call whose service never stops answering: it ends with the second message, whichever client makes the call.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import { test } from 'node:test';
import { asking, begin, CLIENTS, framed, GET_SLOT, grpcService, through } from '../../support/wire/grpcServices';
import { errorOf } from '../../support/wire/wire';

/** GetSlotResponse { slot: 1 } */
const SLOT = framed(Buffer.from('0801', 'hex'));

for (const client of CLIENTS)
  test(`a second message ends a call at once, on the wire too, by ${client}`, async (t) => {
    let reset: Promise<unknown> = Promise.reject(new Error('Nobody came.'));
    reset.catch(() => undefined);
    const server = await grpcService(({ stream }) => {
      reset = once(stream, 'close').then(() => stream.rstCode);
      begin(stream);
      const more = (): void => {
        while (!stream.destroyed && stream.write(SLOT));
        if (!stream.destroyed) stream.once('drain', more);
      };
      more();
    });
    t.after(() => server.close());
    const asked = asking(GET_SLOT, '{}', { timeoutMs: 2_000 });
    const error = errorOf(await through(client).callGrpc(server.origin, { asked }));
    assert.equal(await reset, http2.constants.NGHTTP2_CANCEL);
    assert.equal(error.kind, 'protocol', error.message);
    assert.match(error.message, /more than one message/);
  });
